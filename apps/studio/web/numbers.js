// Whether the motion is good now, and what it was and is in the numbers of the receipt.
import { store, on, setTime } from './store.js';
import { el, byId, fill, atMostEvery } from './dom.js';

const SHOWN = ['score_all', 'aspects.physics_all', 'aspects.body', 'aspects.recording', 'zmp.mean_m', 'zmp.p95_m', 'skate.mean_m', 'penetration.max_m', 'friction.p95', 'flights.g_error', 'flights.count', 'duration_secs'];
const UNITS = { m: [100, 'cm', 1], points: [1, '', 0], share: [100, '%', 1], s: [1, 's', 2], count: [1, '', 0], g: [100, '%', 1], 1: [1, '', 2], mm: [1, 'mm', 1], 'mm/s': [1, 'mm/s', 0] };

export function startNumbers() { on('state', show); on('drag', atMostEvery(120, show)); on('motion', show); }

const told = (value, unit) => {
  if (value === null || value === undefined) return '–';
  const [times, name, digits] = UNITS[unit] ?? [1, unit, 2];
  return `${(times * value).toFixed(digits)}\u00a0${name}`;
};

const GRADES = { good: 'nothing wrong', fair: 'something is wrong', poor: 'something is badly wrong', not_judged: 'physics is not judged' };
const ASPECTS = [['physics', 'Physics'], ['body', 'Body'], ['recording', 'Recording']];
const MOST_MOMENTS = 3;

/** The light with its headline, the three things that a motion is judged by, and the worst moments, which are ways to their times. */
function verdict(judgement) {
  const { grade, grades, headline, not_judged: why, score, aspects, moments, timed } = judgement;
  const points = (name) => (name === 'physics' && why ? null : aspects[name]);
  const more = moments.length - MOST_MOMENTS + judgement.more_moments;
  return [
    el('div.verdict', {}, el(`span.light.${grade}`, { id: 'light', 'data-grade': grade, role: 'img', 'aria-label': GRADES[grade] }),
      el('span.big', { id: 'score' }, score?.toFixed(0) ?? '–'), el('span.muted', {}, score === null ? 'physics not judged' : 'of 100')),
    el('p.headline', { id: 'headline' }, headline),
    why ? el('p.muted', {}, why) : null,
    el('div.aspects', {}, ASPECTS.map(([name, title], index) => el(`span.${grades[index]}`, { 'data-aspect': name }, `${title}\u00a0`, el('b', {}, points(name)?.toFixed(0) ?? '–')))),
    moments.length ? el('ol.moments', {}, moments.slice(0, MOST_MOMENTS).map((moment, index) => el('li', {},
      timed[index] ? el('button.quiet', { 'data-secs': moment.secs.toFixed(4), title: `Go to ${moment.secs.toFixed(2)} s`, onclick: () => setTime(moment.secs) }, moment.text) : el('span', {}, moment.text)))) : null,
    more > 0 ? el('p.muted', {}, `and ${more} more`) : null,
  ];
}

/** What the edits did to the motion; nothing where there are none. */
function editVerdict(verdict) {
  if (!verdict || !store.state.draft.entries.some((entry) => entry.enabled !== false)) return null;
  return el(`p.edit-verdict.${verdict.result}`, { id: 'edit-verdict', 'data-result': verdict.result }, verdict.sentence);
}

function show() {
  const { state, live } = store;
  if (!state?.done) { fill(byId('numbers')); return; }
  const changes = state.done.changes ?? [];
  const { judgement } = state.done;
  fill(byId('numbers'),
    el('h2', {}, 'Verdict'),
    live ? el('p.muted', {}, `Preview while you drag: ${live.secs ? `${live.secs[0].toFixed(2)} s → ${live.secs[1].toFixed(2)} s` : ''}. Numbers follow when you let go.`) : null,
    editVerdict(state.done.verdict),
    judgement ? verdict(judgement) : el('p.empty', {}, 'This motion cannot be judged.'),
    el('table', {}, el('thead', {}, el('tr', {}, el('th', {}, ''), el('th', {}, 'clip'), el('th', {}, 'now'))),
      el('tbody', {}, changes.filter((it) => SHOWN.includes(it.measure)).map((it) => el('tr', { 'data-measure': it.measure },
        el('td', {}, it.title), el('td', {}, told(it.before, it.unit)), el(`td.${{ better: 'good', worse: 'bad' }[it.change] ?? 'same'}`, {}, told(it.after, it.unit)))))),
    (state.done.diagnostics ?? []).length ? el('details', {}, el('summary.muted', {}, `Notes of the reader (${state.done.diagnostics.length})`), state.done.diagnostics.map((text) => el('p.muted', {}, text))) : null);
}
