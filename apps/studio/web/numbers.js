// What the motion was and what it is now, in the numbers of the receipt.
import { store, on } from './store.js';
import { el, byId, fill, atMostEvery } from './dom.js';

const SHOWN = ['score_all', 'zmp.mean_m', 'zmp.p95_m', 'skate.mean_m', 'penetration.max_m', 'friction.p95', 'flights.g_error', 'flights.count', 'duration_secs'];
const UNITS = { m: [100, 'cm', 1], points: [1, '', 0], share: [100, '%', 1], s: [1, 's', 2], count: [1, '', 0], g: [100, '%', 1], 1: [1, '', 2], mm: [1, 'mm', 1], 'mm/s': [1, 'mm/s', 0] };

export function startNumbers() { on('state', show); on('drag', atMostEvery(120, show)); on('motion', show); }

const told = (value, unit) => {
  if (value === null || value === undefined) return '–';
  const [times, name, digits] = UNITS[unit] ?? [1, unit, 2];
  return `${(times * value).toFixed(digits)}\u00a0${name}`;
};

function show() {
  const { state, live } = store;
  if (!state?.done) { fill(byId('numbers')); return; }
  const changes = state.done.changes ?? [];
  const zmp = changes.find((it) => it.measure === 'zmp.mean_m');
  const score = changes.find((it) => it.measure === 'score_all');
  // Green as touch-up is judged: within a centimetre of the support on average.
  const isGreen = zmp?.after !== null && zmp?.after !== undefined && zmp.after < 0.01;
  fill(byId('numbers'),
    el('h2', {}, 'Physics'),
    live ? el('p.muted', {}, `Preview while you drag: ${live.secs ? `${live.secs[0].toFixed(2)} s → ${live.secs[1].toFixed(2)} s` : ''}. Numbers follow when you let go.`) : null,
    score ? el('div.verdict', {}, el('span.big', { id: 'score' }, score.after?.toFixed(0) ?? '–'), el('span.muted', {}, 'of 100'),
      el('span.stretch'), el(`span.light.${zmp?.after === null ? '' : isGreen ? 'good' : 'bad'}`, { id: 'zmp-light', role: 'img', 'aria-label': isGreen ? 'balanced' : 'not balanced' }),
      el('span', { id: 'zmp' }, `ZMP\u00a0${told(zmp?.after, 'm')}\u00a0outside`)) : el('p.empty', {}, 'Physics cannot judge this motion.'),
    el('table', {}, el('thead', {}, el('tr', {}, el('th', {}, ''), el('th', {}, 'clip'), el('th', {}, 'now'))),
      el('tbody', {}, changes.filter((it) => SHOWN.includes(it.measure)).map((it) => el('tr', { 'data-measure': it.measure },
        el('td', {}, it.title), el('td', {}, told(it.before, it.unit)), el(`td.${{ better: 'good', worse: 'bad' }[it.change] ?? 'same'}`, {}, told(it.after, it.unit)))))),
    (state.done.diagnostics ?? []).length ? el('details', {}, el('summary.muted', {}, `Notes of the reader (${state.done.diagnostics.length})`), state.done.diagnostics.map((text) => el('p.muted', {}, text))) : null);
}
