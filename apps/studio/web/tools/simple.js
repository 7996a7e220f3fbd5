// Edits that are a few numbers: their fields are those of the table of verbs.
import { store, copy, duration } from '../store.js';
import { el, fill, field } from '../dom.js';
import { tune } from '../stack.js';

const secs = () => Number(store.time.toFixed(2));

export const SIMPLE = {
  cut: { words: 'Cut', about: 'Keep a part', start: () => ({ verb: 'cut', from_secs: 0, to_secs: Number(duration().toFixed(2)) }) },
  speed: { words: 'Speed', about: 'Faster or slower', start: () => ({ verb: 'speed', factor: 1.2 }) },
  arc: { words: 'Arc', about: 'Bend the way onto a circle; nobody leans yet', start: () => ({ verb: 'arc', radius_m: 3, side: 'left' }) },
  tilt: { words: 'Tilt', about: 'Uphill or downhill', start: () => ({ verb: 'tilt', angle_deg: 5 }) },
  plant: { words: 'Plant', about: 'Feet stay where they stand', start: () => ({ verb: 'plant' }) },
};

export function simpleTool(index, edit) {
  let now = copy(edit);
  const panel = el('div');
  const commit = (name, value) => { if (value === null) delete now[name]; else now[name] = value; tune(index, `${edit.verb} changed`, (it) => { if (value === null) delete it[name]; else it[name] = value; }); };
  const build = () => {
    const known = Object.entries(store.verbs?.[now.verb]?.parameters ?? {});
    const fields = known.map(([name, parameter]) => [name, parameter, field(parameter, now[name], (value) => commit(name, value))]).filter(([, , made]) => made);
    if (!fields.length) { fill(panel, el('p.muted', {}, 'This edit is kept as the project file has it; change it there, or with the command line.')); return; }
    // A time can be the one that the timeline shows.
    const isMoment = (name, { unit }) => unit === 's' && name !== 'ease_secs' && name !== 'window_secs';
    fill(panel, fields.map(([name, parameter, made]) => el('div', {}, made, isMoment(name, parameter) ? el('button.quiet', { onclick: () => commit(name, secs()) }, 'here') : null)));
  };
  build();
  return { panel, update(next) { now = copy(next); build(); } };
}
