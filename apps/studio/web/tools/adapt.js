// The adapt tool: goals for a jump or a run. Feet are put elsewhere by dragging their marks at take-off and landing, hands and feet in the air
// by dragging them at the moment the timeline shows; the stages of the motion are on the timeline.
import { store, on, copy, frameAt } from '../store.js';
import { el, fill, choice, number, check } from '../dom.js';
import { tune } from '../stack.js';
import { view } from '../main.js';

const MARK = { takeoff: 0x2f8fb3, landing: 0xd2561e };
const PART = 0x8f4fd0;
/** Goals of one part nearer to each other than this are the same one, s. */
const SAME_SECS = 0.03;
const words = (part) => part.replaceAll('_', ' ');
let open = null;
on('handle-drop', (handle, to) => { if (handle.stage || handle.part) open?.drop(handle, to); });
on('motion', () => open?.place());
on('time', () => open?.place());
on('stage-pick', (flight) => open?.pick(flight));

export function adaptTool(index, edit, record) {
  let now = copy(edit);
  const panel = el('div');
  const commit = (label, mutate) => { mutate(now); tune(index, label, (it) => { Object.keys(it).forEach((key) => { if (key !== 'verb') delete it[key]; }); Object.assign(it, copy(now)); }); };
  /** A goal that is one number; unit and range are those of the table of verbs. */
  const known = store.verbs.adapt.parameters.goals.parameters;
  const limits = ({ min, max, unit, about }) => ({ min, max, unit, help: about });
  const goal = (name, label, step) => number(label, { ...limits(known[name]), step, value: now.goals[name] ?? null, onchange: (value) => commit(`${label.toLowerCase()} changed`, (it) => { if (value === null) delete it.goals[name]; else it.goals[name] = value; }) });
  /** Marks are on the clip as it was read: they are right where no edit comes before. */
  const isFirst = () => store.state.draft.entries.findIndex((it) => it.on) === index;

  const flightOf = (clip) => {
    const longest = clip.flights.reduce((best, it, at) => (it.end - it.start > clip.flights[best].end - clip.flights[best].start ? at : best), 0);
    return clip.flights[now.goals.flight] ? now.goals.flight : longest;
  };

  /** Where a part of the clip is at a time; `null` if it has none. */
  function placeOf(clip, part, secs) {
    const link = clip.roles?.indexOf(part) ?? -1;
    if (link < 0) return null;
    const { frame, next, share } = frameAt(clip, secs);
    const at = (index_) => index_ * 7 * clip.links.length + 7 * link;
    return [0, 1, 2].map((axis) => { const [a, b] = [clip.arrays.poses[at(frame) + axis], clip.arrays.poses[at(next) + axis]]; return a + share * (b - a); });
  }

  /** Take-off, landing and the way between them, of the flight that is meant. */
  function way() {
    const clip = store.original;
    if (!clip?.flights?.length) return null;
    const flight = clip.flights[flightOf(clip)];
    const feet = (secs) => ['left', 'right'].map((side) => placeOf(clip, `${side}_foot`, secs)).map((it) => it && [it[0], view.floor + 0.03, it[2]]);
    const [from, to] = [feet(flight.start), feet(flight.end)];
    if (![...from, ...to].every(Boolean)) return null;
    const middle = ([a, b]) => a.map((part, axis) => (part + b[axis]) / 2);
    const [start, end] = [middle(from), middle(to)];
    const length = Math.hypot(end[0] - start[0], end[2] - start[2]);
    const ahead = length > 0.05 ? [(end[0] - start[0]) / length, (end[2] - start[2]) / length] : [0, 1];
    // To the left of the way, Y up: left = up × ahead.
    return { clip, feet: { takeoff: from, landing: to }, middle: { takeoff: start, landing: end }, ahead, left: [ahead[1], -ahead[0]] };
  }

  const shifted = (it, [x, y, z], own) => [x + (own?.forward_m ?? 0) * it.ahead[0] + (own?.left_m ?? 0) * it.left[0], y + (own?.up_m ?? 0), z + (own?.forward_m ?? 0) * it.ahead[1] + (own?.left_m ?? 0) * it.left[1]];
  const shiftOf = (it, from, to) => { const by = to.map((part, axis) => part - from[axis]); return { forward_m: round(by[0] * it.ahead[0] + by[2] * it.ahead[1]), left_m: round(by[0] * it.left[0] + by[2] * it.left[1]), up_m: round(by[1]) }; };
  const printOf = (stage, side) => (now.goals.footprints ?? []).find((print) => print.stage === stage && (print.side ?? 'both') === side);
  /** Where a foot's mark stands before its own goal: with both feet's. */
  const footBase = (it, stage, side) => shifted(it, it.feet[stage][side === 'left' ? 0 : 1], printOf(stage, 'both'));

  function place() {
    stages();
    if (view.grabbed) return;
    const it = isFirst() ? way() : null;
    if (!it) { view.setHandles(null); return; }
    const marks = ['takeoff', 'landing'].flatMap((stage) => [
      { stage, side: 'both', position: shifted(it, it.middle[stage], printOf(stage, 'both')), color: MARK[stage] },
      ...['left', 'right'].map((side) => ({ stage, side, position: shifted(it, footBase(it, stage, side), printOf(stage, side)), color: MARK[stage], opacity: 0.55, small: true })),
    ]);
    const secs = clipSecs(store.time);
    for (const own of now.goals.place ?? []) {
      const from = placeOf(it.clip, own.part, own.at_secs);
      if (from) marks.push({ part: own.part, secs: own.at_secs, kind: 'free', from, position: shifted(it, from, own), color: PART, small: Math.abs(own.at_secs - secs) > SAME_SECS });
    }
    // Hands at any time, feet while nothing stands: those that stand have marks of their own.
    const flies = it.clip.flights.some((flight) => flight.start < secs && secs < flight.end);
    for (const part of ['left_hand', 'right_hand', ...(flies ? ['left_foot', 'right_foot'] : [])]) {
      const from = placeOf(it.clip, part, secs);
      const isGiven = (now.goals.place ?? []).some((own) => own.part === part && Math.abs(own.at_secs - secs) <= SAME_SECS);
      if (from && !isGiven) marks.push({ part, secs, kind: 'free', from, position: from, color: PART, opacity: 0.45, small: true });
    }
    view.setHandles(marks);
  }

  function drop(handle, to) {
    const it = way();
    if (!it) return;
    if (handle.part) { placed(it, handle, to); return; }
    const { stage, side } = handle;
    const print = { stage, side, ...shiftOf(it, side === 'both' ? it.middle[stage] : footBase(it, stage, side), to) };
    commit('footprints moved', (edit_) => {
      edit_.goals.footprints = (edit_.goals.footprints ?? []).filter((one) => one.stage !== stage || (one.side ?? 'both') !== side);
      if (Math.hypot(print.forward_m, print.left_m, print.up_m) > 0.005) edit_.goals.footprints.push(print);
      if (!edit_.goals.footprints.length) delete edit_.goals.footprints;
    });
  }

  function placed(it, { part, secs, from }, to) {
    const own = { part, at_secs: round(secs), ...shiftOf(it, from, to) };
    commit(`${words(part)} placed`, (edit_) => {
      edit_.goals.place = (edit_.goals.place ?? []).filter((one) => one.part !== part || Math.abs(one.at_secs - secs) > SAME_SECS);
      if (Math.hypot(own.forward_m, own.left_m, own.up_m) > 0.005) edit_.goals.place.push(own);
      if (!edit_.goals.place.length) delete edit_.goals.place;
    });
  }

  /** Ends of flights in the clip and in what is shown: between them times go evenly. */
  function pairs() {
    const [clip, result] = [store.original, store.result];
    if (!clip?.flights || !result?.flights || clip.flights.length !== result.flights.length) return [[0, 0], [1, 1]];
    const ends = (motion) => [0, ...motion.flights.flatMap((it) => [it.start, it.end]), motion.duration];
    return ends(clip).map((secs, at) => [secs, ends(result)[at]]);
  }
  const between = (secs, from, to) => {
    const known = pairs();
    const at = Math.min(Math.max(known.findIndex((it, index_) => index_ > 0 && secs <= it[from]), 1), known.length - 1);
    const [a, b] = [known[secs > known.at(-1)[from] ? known.length - 2 : at - 1], known[secs > known.at(-1)[from] ? known.length - 1 : at]];
    return b[from] > a[from] ? a[to] + ((secs - a[from]) * (b[to] - a[to])) / (b[from] - a[from]) : a[to];
  };
  const clipSecs = (secs) => between(secs, 1, 0);

  /** What the timeline shows of this edit: stages between flights, the flight that is meant, and when something has to be somewhere. */
  function stages() {
    const clip = store.original;
    if (!clip?.flights?.length || !isFirst()) { store.stages = null; return; }
    const meant = flightOf(clip);
    const spans = [];
    let from = 0;
    clip.flights.forEach((flight, at) => {
      spans.push({ start: from, end: flight.start, words: at === meant ? 'take-off' : 'stance', kind: at <= meant ? 'takeoff' : 'landing' });
      spans.push({ start: flight.start, end: flight.end, words: at === meant ? 'flight' : '', kind: 'flight', flight: at, isMeant: at === meant });
      from = flight.end;
    });
    spans.push({ start: from, end: clip.duration, words: 'landing', kind: 'landing' });
    for (const span of spans) { span.start = between(span.start, 0, 1); span.end = between(span.end, 0, 1); }
    store.stages = { spans, marks: (now.goals.place ?? []).map((own) => ({ secs: between(own.at_secs, 0, 1), words: words(own.part) })) };
  }

  function pick(flight) {
    if (flight === flightOf(store.original)) return;
    commit('another flight meant', (it) => { it.goals.flight = flight; });
  }

  const places = () => (now.goals.place ?? []).map((own, at) => el('div.row', {}, `${words(own.part)} at ${own.at_secs.toFixed(2)} s: ${['forward_m', 'left_m', 'up_m'].map((axis) => `${own[axis] >= 0 ? '+' : '−'}${Math.abs(own[axis]).toFixed(2)}`).join(' ')} m`,
    el('button.quiet', { 'aria-label': `Let ${words(own.part)} go`, title: 'Let it go', onclick: () => commit(`${words(own.part)} let go`, (it) => { it.goals.place.splice(at, 1); if (!it.goals.place.length) delete it.goals.place; }) }, '×')));

  function build(step) {
    const goals = now.goals;
    const result = step?.adapt;
    const part = goals.carry?.[0];
    const weak = goals.torque?.[0];
    fill(panel,
      el('p.muted', {}, isFirst() ? 'Blue and red marks are the feet at take-off and landing, large ones both, small ones each: drag them on the ground, Shift-drag for height. Purple ones are hands, and feet in the air, at the time shown: drag one to say where it shall be then.' : 'Marks can be dragged where this is the first edit.'),
      places(),
      goal('jump_length_m', 'Farther by', 0.05),
      goal('jump_height', 'Times as high', 0.05),
      goal('flight_time', 'Times as long', 0.05),
      number('Turn to the left', { ...limits(known.twist.parameters.deg), value: goals.twist?.deg ?? null, step: 15, onchange: (deg) => commit('turn changed', (it) => { if (deg === null) delete it.goals.twist; else it.goals.twist = { deg }; }) }),
      number('Carries', { ...limits(known.carry.of.parameters.mass_kg), value: part?.mass_kg ?? null, step: 1, onchange: (mass_kg) => commit('load changed', (it) => { if (mass_kg === null) delete it.goals.carry; else it.goals.carry = [{ part: part?.part ?? 'right_hand', mass_kg }]; }) }),
      part ? choice('… with', ['right_hand', 'left_hand', 'pelvis', 'head'].map((it) => [it, it.replace('_', ' ')]), part.part, (value) => commit('load changed', (it) => { it.goals.carry[0].part = value; })) : null,
      number('Weak ankle to', { value: weak?.share_of_peak ?? null, step: 0.05, min: 0, max: 1, unit: '× peak', onchange: (share_of_peak) => commit('strength changed', (it) => { if (share_of_peak === null) delete it.goals.torque; else it.goals.torque = [{ part: weak?.part ?? 'right_foot', share_of_peak }]; }) }),
      number('Clears a hurdle', { ...limits(known.hurdle.parameters.height_m), value: goals.hurdle?.height_m ?? null, step: 0.05, onchange: (height_m) => commit('hurdle changed', (it) => { if (height_m === null) delete it.goals.hurdle; else it.goals.hurdle = { height_m }; }) }),
      goal('landing_load_bw', 'Lands with at most', 0.5),
      goal('friction', 'Friction', 0.1),
      check('Torques as people have them', goals.torque_bounds ?? true, (value) => commit('torques bounded', (it) => { it.goals.torque_bounds = value; })),
      check('Take what comes nearest', Boolean(now.best), (value) => commit('nearest taken', (it) => { it.best = value; }), 'Where goals cannot be met'),
      check('Beyond what people can do', Boolean(now.superhuman), (value) => commit('superhuman', (it) => { it.superhuman = value; }), 'Goes on where no person could, and says so'),
      result ? el('table', {}, el('tbody', {},
        el('tr', {}, el('td', {}, 'converged'), el('td', {}, result.adapted.is_converged ? 'yes' : 'no')),
        el('tr', {}, el('td', {}, 'iterations'), el('td', {}, result.adapted.iterations.join(' + '))),
        el('tr', {}, el('td', {}, 'knots'), el('td', {}, String(result.adapted.knots))),
        residuals(result.adapted.at_points))) : null);
  }
  /** What is left of the equations, in units that people know. */
  const residuals = (points) => [['force', 'force left', 100, '% of weight', 3], ['place_m', 'feet off by', 1000, 'mm', 3], ['angle_deg', 'angles off by', 1, '°', 2], ['torque_nm', 'torque beyond', 1, 'N·m', 2], ['friction', 'friction beyond', 1, '', 3]]
    .filter(([name]) => typeof points?.[name] === 'number')
    .map(([name, words, times, unit, digits]) => el('tr', {}, el('td', {}, words), el('td', {}, `${(times * points[name]).toFixed(digits)} ${unit}`)));

  build(record);
  const tool = { panel, place, drop, pick, update(next, step) { now = copy(next); build(step); place(); }, close() { open = null; store.stages = null; view.setHandles(null); } };
  open = tool;
  place();
  return tool;
}
const round = (metres) => Number(metres.toFixed(3));
