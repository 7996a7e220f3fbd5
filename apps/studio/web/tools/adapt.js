// The adapt tool: goals for a jump or a run; feet are put elsewhere by dragging the marks of take-off and landing.
import { store, on, copy } from '../store.js';
import { el, fill, choice, number, check } from '../dom.js';
import { tune } from '../stack.js';
import { view } from '../main.js';
import { nearest } from '../store.js';

const MARK = { takeoff: 0x2f8fb3, landing: 0xd2561e };
let open = null;
on('handle-drop', (handle, to) => { if (handle.stage) open?.drop(handle, to); });
on('motion', () => open?.place());

export function adaptTool(index, edit, record) {
  let now = copy(edit);
  const panel = el('div');
  const commit = (label, mutate) => { mutate(now); tune(index, label, (it) => { Object.keys(it).forEach((key) => { if (key !== 'verb') delete it[key]; }); Object.assign(it, copy(now)); }); };
  const goal = (name, label, options) => number(label, { ...options, value: now.goals[name] ?? null, onchange: (value) => commit(`${label.toLowerCase()} changed`, (it) => { if (value === null) delete it.goals[name]; else it.goals[name] = value; }) });

  /** Take-off, landing and the way between them, of the flight that is meant. */
  function way() {
    const clip = store.original;
    if (!clip?.flights?.length || !clip.arrays.com) return null;
    const longest = [...clip.flights].sort((a, b) => b.end - b.start - (a.end - a.start))[0];
    const flight = clip.flights[now.goals.flight ?? -1] ?? longest;
    const at = (secs) => { const frame = nearest(clip, secs); return [clip.arrays.com[3 * frame], view.floor + 0.03, clip.arrays.com[3 * frame + 2]]; };
    const [from, to] = [at(flight.start), at(flight.end)];
    const length = Math.hypot(to[0] - from[0], to[2] - from[2]);
    const ahead = length > 0.05 ? [(to[0] - from[0]) / length, (to[2] - from[2]) / length] : [0, 1];
    // To the left of the way, Y up: left = up × ahead.
    return { from, to, ahead, left: [ahead[1], -ahead[0]] };
  }

  function place() {
    const it = way();
    if (!it) { view.setHandles(null); return; }
    const moved = (stage, [x, y, z]) => {
      const own = (now.goals.footprints ?? []).find((print) => print.stage === stage && (print.side ?? 'both') === 'both');
      return [x + (own?.forward_m ?? 0) * it.ahead[0] + (own?.left_m ?? 0) * it.left[0], y + (own?.up_m ?? 0), z + (own?.forward_m ?? 0) * it.ahead[1] + (own?.left_m ?? 0) * it.left[1]];
    };
    view.setHandles(['takeoff', 'landing'].map((stage) => ({ stage, position: moved(stage, stage === 'takeoff' ? it.from : it.to), color: MARK[stage] })));
  }

  function drop(handle, to) {
    const it = way();
    if (!it) return;
    const start = handle.stage === 'takeoff' ? it.from : it.to;
    const by = to.map((part, axis) => part - start[axis]);
    const print = { stage: handle.stage, side: 'both', forward_m: round(by[0] * it.ahead[0] + by[2] * it.ahead[1]), left_m: round(by[0] * it.left[0] + by[2] * it.left[1]), up_m: round(by[1]) };
    commit('footprints moved', (edit_) => {
      edit_.goals.footprints = (edit_.goals.footprints ?? []).filter((one) => one.stage !== handle.stage);
      if (Math.hypot(print.forward_m, print.left_m, print.up_m) > 0.005) edit_.goals.footprints.push(print);
      if (!edit_.goals.footprints.length) delete edit_.goals.footprints;
    });
  }

  function build(step) {
    const goals = now.goals;
    const result = step?.adapt;
    const part = goals.carry?.[0];
    const weak = goals.torque?.[0];
    fill(panel,
      el('p.muted', {}, 'Blue and red marks are the feet at take-off and landing: drag them on the ground, Shift-drag for height.'),
      goal('jump_length_m', 'Farther by', { step: 0.05, min: -5, max: 5, unit: 'm' }),
      goal('jump_height', 'Times as high', { step: 0.05, min: 0.2, max: 4 }),
      goal('flight_time', 'Times as long', { step: 0.05, min: 0.4, max: 3 }),
      number('Turn to the left', { value: goals.twist?.deg ?? null, step: 15, min: -720, max: 720, unit: '°', onchange: (deg) => commit('turn changed', (it) => { if (deg === null) delete it.goals.twist; else it.goals.twist = { deg }; }) }),
      number('Carries', { value: part?.mass_kg ?? null, step: 1, min: 0, max: 100, unit: 'kg', onchange: (mass_kg) => commit('load changed', (it) => { if (mass_kg === null) delete it.goals.carry; else it.goals.carry = [{ part: part?.part ?? 'right_hand', mass_kg }]; }) }),
      part ? choice('… with', ['right_hand', 'left_hand', 'pelvis', 'head'].map((it) => [it, it.replace('_', ' ')]), part.part, (value) => commit('load changed', (it) => { it.goals.carry[0].part = value; })) : null,
      number('Weak ankle to', { value: weak?.share_of_peak ?? null, step: 0.05, min: 0, max: 1, unit: '× peak', onchange: (share_of_peak) => commit('strength changed', (it) => { if (share_of_peak === null) delete it.goals.torque; else it.goals.torque = [{ part: weak?.part ?? 'right_foot', share_of_peak }]; }) }),
      number('Clears a hurdle', { value: goals.hurdle?.height_m ?? null, step: 0.05, min: 0.05, max: 1.2, unit: 'm', onchange: (height_m) => commit('hurdle changed', (it) => { if (height_m === null) delete it.goals.hurdle; else it.goals.hurdle = { height_m }; }) }),
      goal('landing_load_bw', 'Lands with at most', { step: 0.5, min: 1, max: 20, unit: '× weight' }),
      goal('friction', 'Friction', { step: 0.1, min: 0.1, max: 3 }),
      check('Torques as people have them', goals.torque_bounds ?? true, (value) => commit('torques bounded', (it) => { it.goals.torque_bounds = value; })),
      check('Take what comes nearest', Boolean(now.best), (value) => commit('nearest taken', (it) => { it.best = value; }), 'Where goals cannot be met'),
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
  const tool = { panel, place, drop, update(next, step) { now = copy(next); build(step); place(); }, close() { open = null; view.setHandles(null); } };
  open = tool;
  place();
  return tool;
}
const round = (metres) => Number(metres.toFixed(3));
