// Data, time and drawing helpers that every part of the page shares.
const PAGE = JSON.parse(document.getElementById('data').textContent);

/** Decodes the data of one motion in place. */
function unpack(data) {
  const bytes = (text) => {
    const plain = atob(text);
    const out = new Uint8Array(plain.length);
    for (let i = 0; i < out.length; i++) out[i] = plain.charCodeAt(i);
    return out;
  };
  // What was not measured is written as −3e38; here a gap is NaN, which no comparison takes for a number.
  const floats = (text) => {
    const values = new Float32Array(bytes(text).buffer);
    for (let i = 0; i < values.length; i++) if (values[i] < -2e38) values[i] = NaN;
    return values;
  };
  const s = data.series;
  for (const key of ['t', 'load', 'zmp_distance', 'balance', 'friction', 'penetration']) s[key] = floats(s[key]);
  for (const key of ['com', 'velocity', 'momentum', 'zmp']) s[key] = s[key].map(floats);
  s.kind = bytes(s.kind);
  const p = s.polygons;
  p.index = new Uint32Array(bytes(p.index).buffer);
  p.starts = new Uint32Array(bytes(p.starts).buffer);
  p.corners = new Int32Array(bytes(p.corners).buffer);
  const a = data.animation;
  a.t = floats(a.t);
  a.origin = floats(a.origin);
  a.positions = new Int16Array(bytes(a.positions).buffer);
  a.rotations = new Int16Array(bytes(a.rotations).buffer);
  return data;
}

// A report has one motion, a receipt two. Time, camera and phases are those of the motion after.
const DATA = unpack(PAGE.after ?? PAGE);
const BEFORE = PAGE.before ? onOurClock(unpack(PAGE.before), PAGE.same_moments) : null;

/** An edit may move things in time. What was before is put where the same moment is after, so that one clock shows both. */
function onOurClock(data, moments) {
  if (moments.length < 2) return data;
  const at = (t) => {
    const last = moments.length - 1;
    // Past the ends time runs on as it is.
    if (t <= moments[0][0]) return moments[0][1] + t - moments[0][0];
    if (t >= moments[last][0]) return moments[last][1] + t - moments[last][0];
    const i = moments.findIndex(([before]) => before > t) - 1;
    const [[b0, a0], [b1, a1]] = [moments[i], moments[i + 1]];
    return a0 + ((a1 - a0) * (t - b0)) / Math.max(1e-9, b1 - b0);
  };
  data.series.t = data.series.t.map(at);
  data.animation.t = data.animation.t.map(at);
  for (const span of [...data.contacts, ...data.phases]) [span[1], span[2]] = [at(span[1]), at(span[2])];
  for (const flight of data.flights) {
    // Parabolas are in the seconds that were measured.
    flight.secs = flight.end - flight.start;
    [flight.start, flight.end] = [at(flight.start), at(flight.end)];
  }
  for (const print of data.footprints) [print.start, print.end] = [at(print.start), at(print.end)];
  return data;
}

const KINDS = ['unknown', 'flight', 'left', 'right', 'double', 'other'];
const KIND_TEXT = ['', 'Flight', 'On the left', 'On the right', 'On both sides', 'Carried by something else'];
const KIND_COLOUR = ['line', 'flight', 'left', 'right', 'double', 'other'];
const START = DATA.series.n ? DATA.series.t[0] : 0;
const END = Math.max(START + 1e-3, DATA.series.n ? DATA.series.t[DATA.series.n - 1] : 0);
// Shown first: a frame that is drawn as it is, since between two it would be half of a T-pose that was left out.
const FIRST = DATA.animation.t.find((t) => t >= DATA.first - 1e-4) ?? START;
const FRAME_SECS = DATA.fps > 0 ? 1 / DATA.fps : 1 / 60;

const clamp = (value, least, most) => Math.min(most, Math.max(least, value));

/** Greatest index with times[index] ≤ t; 0 before the first. */
function indexAt(times, t) {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle; else high = middle - 1;
  }
  return low;
}

/** The sample nearest to a time. */
function nearest(times, t) {
  const i = indexAt(times, t);
  return i + 1 < times.length && times[i + 1] - t < t - times[i] ? i + 1 : i;
}

/** Support polygon of a sample as [x, z] pairs in metres, or null. */
function polygonAt(sample, data = DATA) {
  const p = data.series.polygons;
  const number = p.index[sample];
  if (!number) return null;
  const corners = [];
  for (let i = p.starts[number - 1]; i < p.starts[number]; i++) {
    corners.push([p.origin[0] + p.corners[2 * i] * 1e-3, p.origin[1] + p.corners[2 * i + 1] * 1e-3]);
  }
  return corners;
}

// ---- numbers with units
const minus = (text) => (Number(text) === 0 ? text.replace('-', '') : text.replace('-', '−'));
const fixed = (value, digits) => (Number.isFinite(value) ? minus(value.toFixed(digits)) : '–');
const withUnit = (value, digits, unit) => (Number.isFinite(value) ? `${fixed(value, digits)} ${unit}` : '–');
const lengthText = (metres) => {
  if (!Number.isFinite(metres)) return '–';
  const size = Math.abs(metres);
  if (size < 0.00995) return `${fixed(metres * 1e3, 1)} mm`;
  return size < 0.995 ? `${fixed(metres * 100, 1)} cm` : `${fixed(metres, 2)} m`;
};

// ---- colours: CSS holds them, canvases ask for what they resolve to
const palette = (() => {
  const probe = document.createElement('i');
  probe.hidden = true;
  document.body.append(probe);
  const known = new Map();
  theme.onChange(() => known.clear());
  const rgb = (name) => {
    if (!known.has(name)) {
      probe.style.color = `var(--${name})`;
      known.set(name, getComputedStyle(probe).color.match(/[\d.]+/g).slice(0, 3).map(Number));
    }
    return known.get(name);
  };
  const css = (name, alpha = 1) => `rgba(${rgb(name).join(',')},${alpha})`;
  return { rgb, css };
})();

// ---- one time for everything
const clock = { t: FIRST, playing: false, speed: 1, from: START, to: END, hover: null };
const views = [];
let frameAsked = false;

/** Registers a view: `draw` runs when the time changes, `layout` first when range, size or colours do. */
function addView(element, draw, layout = null) {
  const view = { element, draw, layout, visible: true, stale: true };
  views.push(view);
  new IntersectionObserver((entries) => {
    view.visible = entries[entries.length - 1].isIntersecting;
    if (view.visible) redraw();
  }, { rootMargin: '120px' }).observe(element);
  new ResizeObserver(() => { view.stale = true; redraw(); }).observe(element);
  return view;
}

function redraw(all = false) {
  if (all) for (const view of views) view.stale = true;
  if (frameAsked) return;
  frameAsked = true;
  requestAnimationFrame((now) => {
    frameAsked = false;
    tick(now);
    for (const view of views) {
      if (!view.visible) continue;
      if (view.stale && view.layout) view.layout();
      view.stale = false;
      view.draw();
    }
    document.documentElement.dataset.drawn = String(Number(document.documentElement.dataset.drawn || 0) + 1);
    if (clock.playing) redraw();
  });
}

let lastTick = null;
function tick(now) {
  if (!clock.playing) { lastTick = null; return; }
  if (lastTick !== null) {
    const [from, to] = [clock.from, clock.to];
    let t = clock.t + Math.min(0.25, (now - lastTick) / 1000) * clock.speed;
    if (t >= to || t < from) t = from;
    clock.t = t;
  }
  lastTick = now;
}

function setTime(t) {
  clock.t = clamp(t, START, END);
  // A jump to outside the zoomed span takes the span along.
  const span = clock.to - clock.from;
  if (clock.t < clock.from || clock.t > clock.to) setRange(clock.t - span / 2, clock.t + span / 2);
  redraw();
}

function setRange(from, to) {
  const span = clamp(to - from, Math.min(END - START, 8 * FRAME_SECS), END - START);
  clock.from = clamp(from, START, END - span);
  clock.to = clock.from + span;
  redraw(true);
}

function setPlaying(playing) {
  clock.playing = playing;
  if (playing && clock.t >= clock.to - 1e-6) clock.t = clock.from;
  document.getElementById('play').classList.toggle('on', playing);
  document.getElementById('play').setAttribute('aria-label', playing ? 'Pause' : 'Play');
  redraw();
}

/** Sizes a canvas to its box in device pixels; drawing is in CSS pixels. */
function fit(canvas) {
  const ratio = Math.min(3, devicePixelRatio || 1);
  const { clientWidth: width, clientHeight: height } = canvas;
  const [w, h] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
  const ctx = canvas.getContext('2d');
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, width, height);
  return { ctx, width, height };
}

theme.onChange(() => redraw(true));
