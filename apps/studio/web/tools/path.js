// The path tool: handles on the way of the root, live while they are dragged.
import { store, on, emit, copy, setTime, duration } from '../store.js';
import { el, fill, choice, check, slider, number, atMostEvery } from '../dom.js';
import { send } from '../wire.js';
import { tune } from '../stack.js';
import { view } from '../main.js';
import { chooseMotion } from '../files.js';

const HANDLE = 0xe0a020;
const MOVED = 0xd2561e;
const HEIGHT = 0xb0489c;

let n = 0;
/** Sent and not answered yet; the newest move waits until then, so that the server is never behind. */
let inFlight = 0;
let waiting = null;
let open = null;
let sentAt = 0;
let movedAt = 0;

on('drag', (packet) => {
  if (packet.n === inFlight && !packet.error) view.moves.push({ moved: movedAt, sent: sentAt, answered: performance.now() });
  if (packet.n === inFlight) { inFlight = 0; if (waiting) { const next = waiting; waiting = null; post(next); } }
  open?.take(packet);
});
on('online', (isOnline) => { if (isOnline) { inFlight = 0; open?.grab(); } });
on('handle-grab', (handle) => open?.start(handle));
on('handle-move', (handle, to, at) => open?.move(handle, to, at));
on('handle-drop', (handle, to) => open?.drop(handle, to));
on('stroke', (points) => open?.stroke(points));

function post(message) {
  if (inFlight && !message.grab) { waiting = message; return; }
  n += 1;
  inFlight = n;
  sentAt = performance.now();
  movedAt = message.at ?? sentAt;
  const { entry, grab } = message;
  const { verb, ...edit } = message.edit;
  send({ entry, grab, edit, n });
}

export function pathTool(index, edit, record) {
  let now = copy(edit);
  let grabbed = null;
  let isDragging = false;
  const status = el('div');
  const flights = el('div');
  const panel = el('div');

  const grab = () => post({ entry: index, edit: now, grab: true });
  // Words are read more slowly than a body is seen to follow.
  const tellSoon = atMostEvery(120, (packet) => { if (grabbed) tell(packet); });
  const commit = (label, mutate) => { mutate(now); tune(index, label, (it) => { Object.keys(it).forEach((key) => { if (key !== 'verb') delete it[key]; }); Object.assign(it, { ...copy(now), verb: 'path' }); }); };

  const changeOf = (handle, to) => {
    const { base } = grabbed.handles[handle];
    const by = to.map((part, axis) => Number((part - base[axis]).toFixed(4)));
    const changes = (now.change ?? []).filter((it) => it.handle !== handle);
    if (Math.hypot(...by) > 1e-3) changes.push({ handle, move: by });
    return changes;
  };
  const jumpOf = (flight, height_m) => [...(now.change ?? []).filter((it) => it.flight !== flight), { flight, height_m: Number(Math.max(height_m, 0.02).toFixed(3)) }];

  const tool = {
    panel,
    grab,
    /** An answer: the motion with the handles where they are. */
    take(packet) {
      if (packet.error) { fill(status, el('p.fault', {}, packet.error)); return; }
      if (packet.handles) grabbed = packet;
      if (!grabbed) return;
      document.documentElement.dataset.dragMs = (performance.now() - sentAt).toFixed(1);
      document.documentElement.dataset.drags = String(Number(document.documentElement.dataset.drags ?? 0) + 1);
      place(packet);
      if (isDragging && store.result) {
        store.live = { ...store.result, ...packet, flights: [], contacts: [], phases: [], arrays: { t: packet.arrays.t, poses: packet.arrays.poses } };
        emit('live');
      }
      if (isDragging) tellSoon(packet); else tell(packet);
    },
    start(handle) { isDragging = true; if (handle.secs !== undefined) setTime(Math.min(handle.secs, duration())); },
    move(handle, to, at) {
      if (!grabbed) return;
      const changes = handle.flight !== undefined ? jumpOf(handle.flight, handle.height_m + to[1] - handle.position[1]) : changeOf(handle.index, to);
      post({ entry: index, edit: { ...now, change: changes }, at });
    },
    drop(handle, to) {
      isDragging = false;
      if (!grabbed) return;
      const moved = Math.hypot(...to.map((part, axis) => part - handle.position[axis])) > 1e-3;
      if (!moved) return;
      const changes = handle.flight !== undefined ? jumpOf(handle.flight, handle.height_m + to[1] - handle.position[1]) : changeOf(handle.index, to);
      waiting = null;
      commit(handle.flight !== undefined ? 'jump made higher or lower' : 'handle moved', (it) => { it.change = changes; });
    },
    stroke(points) {
      view.drawing = false;
      view.setDrawn(null);
      if (points.length < 3) { build(); return; }
      commit('curve drawn', (it) => { it.follow = { points_m: points.map((point) => point.map((part) => Number(part.toFixed(3)))) }; it.align_to = undefined; it.change = []; });
    },
    update(next) {
      if (isDragging) return;
      if (JSON.stringify(next) !== JSON.stringify(now)) { now = copy(next); build(); }
      grab();
    },
    close() { open = null; isDragging = false; view.drawing = false; view.setHandles(null); view.setPaths(null, null); view.setDrawn(null); if (store.live) { store.live = null; emit('time'); } },
  };

  function place(packet) {
    const moved = new Set((now.change ?? []).map((it) => it.handle));
    const marks = grabbed.handles.map((handle, at) => ({ index: at, live: true, position: packet.goals[at], secs: packet.arrays.key_t[handle.key], color: moved.has(at) ? MOVED : HANDLE }));
    grabbed.flights.forEach((it, flight) => {
      const middle = Math.round((it.start_key + it.end_key) / 2);
      const own = (now.change ?? []).find((change) => change.flight === flight);
      const height_m = own?.height_m ?? it.height_m * (own?.height ?? 1);
      marks.push({ flight, live: true, kind: 'height', height_m, secs: packet.arrays.key_t[middle], color: HEIGHT, position: [0, 1, 2].map((axis) => packet.arrays.path[3 * middle + axis] + (axis === 1 ? 0.12 : 0)) });
    });
    // While one is in the hand, its own sphere follows the hand.
    if (!isDragging) view.setHandles(marks);
    view.setPaths(packet.arrays.path, grabbed.arrays.original_path);
  }

  function tell(packet) {
    const slowest = [...packet.segments].sort((a, b) => Math.abs(Math.log(b.secs[1] / b.secs[0])) - Math.abs(Math.log(a.secs[1] / a.secs[0])))[0];
    const speed = (it, at) => (it.length_m[at] / it.secs[at]).toFixed(2);
    fill(status,
      el('p', { id: 'path-times' }, `${packet.secs[0].toFixed(2)} s → ${packet.secs[1].toFixed(2)} s`, slowest && Math.abs(slowest.secs[1] - slowest.secs[0]) > 0.005 ? ` · most retimed: ${slowest.secs[0].toFixed(2)} → ${slowest.secs[1].toFixed(2)} s at ${speed(slowest, 0)} → ${speed(slowest, 1)} m/s` : ''),
      packet.is_spun ? el('p.fault', {}, 'The body is whirled round: move handles less, or apart.') : null,
      packet.warnings.slice(0, 3).map((text) => el('p.warn', {}, `⚠ ${text}`)),
      el('p.muted', {}, `${grabbed.handles.length} handles · solved in ${packet.solve_ms.toFixed(1)} ms`));
    fill(flights, grabbed.flights.map((it, flight) => {
      const own = (now.change ?? []).find((change) => change.flight === flight);
      const value = own?.height_m ?? it.height_m * (own?.height ?? 1);
      return slider(`Flight ${flight + 1}`, { min: 0.02, max: Math.max(0.6, 3 * it.height_m), step: 0.01, value, unit: 'm', help: 'How high the centre of mass rises',
        oninput: (height_m) => post({ entry: index, edit: { ...now, change: jumpOf(flight, height_m) } }),
        onchange: (height_m) => commit('jump made higher or lower', (path) => { path.change = jumpOf(flight, height_m); }) });
    }));
  }

  function build() {
    const follow = now.follow;
    const kind = now.align_to ? 'align' : follow?.radius_m !== undefined ? `arc-${follow.side}` : follow ? 'drawn' : 'none';
    const draw = () => { view.drawing = true; view.camera.preset('top'); view.frameAll(); hint('Draw the way on the ground: press, drag, let go.'); };
    fill(panel,
      el('p.muted', {}, 'Drag a handle on the ground; Shift-drag for height. Purple ones change how high a jump goes.'),
      choice('Way', [['none', 'as it is'], ['arc-left', 'circle to the left'], ['arc-right', 'circle to the right'], ['drawn', 'a drawn curve'], ['align', 'that of another clip']], kind, (value) => {
        if (value === 'drawn') draw();
        else if (value === 'align') chooseMotion('Take the path of', (path) => commit('put on another path', (it) => { it.align_to = path; it.follow = undefined; it.change = []; }));
        else commit('way chosen', (it) => { it.align_to = undefined; it.change = []; it.follow = value === 'none' ? undefined : { radius_m: follow?.radius_m ?? 3, side: value.slice(4) }; });
      }),
      kind.startsWith('arc') ? slider('Radius', { min: 0.5, max: 10, step: 0.1, value: follow.radius_m, unit: 'm',
        onchange: (radius_m) => commit('radius changed', (it) => { it.follow.radius_m = radius_m; }) }) : null,
      kind === 'drawn' ? el('div.buttons', {}, el('button', { onclick: draw }, 'Draw again')) : null,
      kind === 'align' ? el('p.muted', {}, now.align_to) : null,
      choice('Timing', [['auto', 'by stride, turn and fall'], ['paper', 'as in the paper'], ['keep', 'as it was'], ['scale', 'scaled']], typeof now.timing === 'object' ? 'scale' : now.timing ?? 'auto', (value) => commit('timing chosen', (it) => { it.timing = value === 'scale' ? { scale: 1.2 } : value; })),
      typeof now.timing === 'object' ? number('Times as long', { value: now.timing.scale, step: 0.05, min: 0.2, max: 5, onchange: (scale) => commit('timing scaled', (it) => { it.timing = { scale: scale ?? 1 }; }) }) : null,
      check('Feet rise with the path (stairs)', Boolean(now.stairs), (value) => commit('stairs', (it) => { it.stairs = value; })),
      check('Beyond what people can do', Boolean(now.superhuman), (value) => commit('superhuman', (it) => { it.superhuman = value; }), 'Goes on where no person could, and says so'),
      flights,
      status,
      (now.change ?? []).length ? el('div.buttons', {}, el('button', { onclick: () => commit('handles put back', (it) => { it.change = []; }) }, 'Put handles back')) : null);
  }

  open = tool;
  build();
  grab();
  return tool;
}

const hint = (text) => { document.getElementById('hint').textContent = text; setTimeout(() => { document.getElementById('hint').textContent = ''; }, 8000); };
