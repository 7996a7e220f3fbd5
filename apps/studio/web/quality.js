// How finely the viewport is drawn. A graphics card draws everything in a millisecond or two; without one, a picture may take a tenth of a
// second, and a handle must still follow the hand. So while something moves, pictures get coarser until they are quick enough; what comes to
// rest is drawn as finely as it can be.

/** A picture that takes longer than this is too slow for a hand, ms: a third of the 33 ms a drag may take from hand to screen; the engine with
 * its line, and the browser between its events, have the others. */
const TOO_SLOW_MS = 11;
/** Far below it, a finer one may be tried. */
const QUICK_MS = 4;
/** So long after the last movement everything rests, ms. */
const REST_MS = 250;

/** From fine to coarse: pixels a CSS pixel, at most, whether bodies cast shadows, and whether the original stands beside as a ghost. */
const LEVELS = [{ ratio: 2, shadow: true }, { ratio: 1, shadow: true }, { ratio: 1, shadow: false }, { ratio: 0.7, shadow: false }, { ratio: 0.5, shadow: false }, { ratio: 0.5, shadow: false, ghost: false }];

/** Whether pictures are computed without a graphics card. */
export function isSoftware() {
  const gl = document.createElement('canvas').getContext('webgl2');
  const named = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = named ? gl.getParameter(named.UNMASKED_RENDERER_WEBGL) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

export class Quality {
  /** `apply` sets a level; `redraw` asks for a picture; `holds` tells whether a hand is on something, or it plays. */
  constructor(renderer, { apply, redraw, holds, coarse }) {
    Object.assign(this, { gl: renderer.getContext(), apply, redraw, holds });
    /** Pictures that are not finished. */
    this.open = 0;
    this.moving = coarse ? 3 : 0;
    this.level = null;
    this.rest = 0;
    /** What pictures took to be finished, ms, while something moved; the newest last. */
    this.taken = [];
    this.set(0);
  }

  /** Something moves now: the next pictures must be quick. */
  move() {
    this.set(this.moving);
    clearTimeout(this.rest);
    const settle = () => {
      // A slow picture, or a hand that holds still, is no rest: a fine picture now would hold the next movement up.
      if (this.open || this.holds()) { this.rest = setTimeout(settle, REST_MS); return; }
      this.rest = 0;
      this.set(0);
    };
    this.rest = setTimeout(settle, REST_MS);
  }

  set(level) {
    if (this.level === level) return;
    this.level = level;
    document.documentElement.dataset.coarse = String(level);
    this.apply(LEVELS[level]);
    this.redraw();
  }

  /** Called after a picture was asked for at `started`; `told` hears when it was finished. The browser draws elsewhere: only a fence knows. */
  drawn(started, told) {
    const { gl, level } = this;
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (!fence) return;
    this.open += 1;
    gl.flush();
    const look = () => {
      if (gl.isContextLost()) return;
      if (gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) { wait(look); return; }
      gl.deleteSync(fence);
      this.open -= 1;
      const ms = performance.now() - started;
      told?.(ms);
      if (this.rest && level === this.level) this.learn(ms);
    };
    wait(look);
  }

  learn(ms) {
    this.taken = [...this.taken, ms].slice(-4);
    if (this.taken.length < 3) return;
    const usual = [...this.taken].sort((a, b) => a - b)[this.taken.length >> 1];
    const next = usual > TOO_SLOW_MS ? this.moving + 1 : usual < QUICK_MS ? this.moving - 1 : this.moving;
    if (next === this.moving || !LEVELS[next] || next === this.refused) return;
    // A finer level that was too slow once is not tried again.
    if (next > this.moving) this.refused = this.moving;
    this.moving = next;
    this.taken = [];
    this.set(next);
  }
}

/** A message to oneself comes sooner than a timer, which browsers hold back by 4 ms. */
const channel = new MessageChannel();
const waiting = [];
channel.port1.onmessage = () => waiting.splice(0).forEach((action) => action());
function wait(action) { waiting.push(action); if (waiting.length === 1) setTimeout(() => channel.port2.postMessage(0), 0); }
