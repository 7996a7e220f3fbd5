// Edits that are a few numbers.
import { store, copy, duration } from '../store.js';
import { el, fill, choice, number, check } from '../dom.js';
import { tune } from '../stack.js';

const secs = () => Number(store.time.toFixed(2));

export const SIMPLE = {
  cut: { words: 'Cut', about: 'Keep a part', start: () => ({ verb: 'cut', from_secs: 0, to_secs: Number(duration().toFixed(2)) }), fields: [['from_secs', 'From', 's'], ['to_secs', 'To', 's']] },
  speed: { words: 'Speed', about: 'Faster or slower', start: () => ({ verb: 'speed', factor: 1.2 }), fields: [['factor', 'Times as fast', ''], ['from_secs', 'From', 's'], ['to_secs', 'To', 's']] },
  arc: { words: 'Arc', about: 'Bend the way onto a circle; nobody leans yet', start: () => ({ verb: 'arc', radius_m: 3, side: 'left' }), fields: [['radius_m', 'Radius', 'm'], ['side', 'Side', ['left', 'right']], ['ease_m', 'Eased over', 'm']] },
  tilt: { words: 'Tilt', about: 'Uphill or downhill', start: () => ({ verb: 'tilt', angle_deg: 5 }), fields: [['angle_deg', 'Uphill', '°']] },
  plant: { words: 'Plant', about: 'Feet stay where they stand', start: () => ({ verb: 'plant' }), fields: [['from_secs', 'From', 's'], ['to_secs', 'To', 's']] },
};

export function simpleTool(index, edit) {
  let now = copy(edit);
  const panel = el('div');
  const commit = (name, value) => { if (value === null) delete now[name]; else now[name] = value; tune(index, `${edit.verb} changed`, (it) => { if (value === null) delete it[name]; else it[name] = value; }); };
  const build = () => {
    const kind = SIMPLE[now.verb];
    if (!kind) { fill(panel, el('p.muted', {}, 'This edit is kept as the project file has it; change it there, or with the command line.')); return; }
    fill(panel, kind.fields.map(([name, words, unit]) => (Array.isArray(unit)
      ? choice(words, unit.map((it) => [it, it]), now[name], (value) => commit(name, value))
      : el('div', {}, number(words, { value: now[name] ?? null, step: 'any', unit, onchange: (value) => commit(name, value) }),
        unit === 's' ? el('button.quiet', { onclick: () => commit(name, secs()) }, 'here') : null))));
  };
  build();
  return { panel, update(next) { now = copy(next); build(); } };
}
