// The touch-up tool: margin, stages, a step list of one's own, and how the error fell.
import uPlot from '../vendor/uplot.js';
import { store, on, copy, duration } from '../store.js';
import { el, fill, choice, slider, number, cm } from '../dom.js';
import { tune } from '../stack.js';

const GROUPS = ['upper_body', 'lower_body', 'everything', 'arms', 'left_arm', 'right_arm'];

let open = null;
on('theme', () => open?.repaint());

export function touchupTool(index, edit, record) {
  let now = copy(edit);
  let plot = null;
  const panel = el('div');
  const curve = el('div');
  const commit = (label, mutate) => { mutate(now); tune(index, label, (it) => { Object.keys(it).forEach((key) => { if (key !== 'verb') delete it[key]; }); Object.assign(it, copy(now)); }); };

  function stepOf(step, at) {
    const set = (label, mutate) => commit(label, (it) => mutate(it.steps[at]));
    const parts = (name) => {
      const input = el('input', { type: 'text', 'aria-label': name, list: 'parts' });
      input.value = (step[name] ?? []).join(', ');
      input.onchange = () => set('parts chosen', (it) => { it[name] = input.value.split(',').map((part) => part.trim()).filter(Boolean); });
      return input;
    };
    const picked = () => store.result?.links[store.link];
    return el('fieldset', {}, el('legend', {}, `Step ${at + 1}: ${step.stage}`),
      el('label.row', {}, el('span', {}, 'Turns'), parts('s2'), el('button.quiet', { title: 'Add the part picked on the body', onclick: () => { if (picked()) set('part added', (it) => { it.s2 = [...it.s2, picked()]; }); } }, '+ picked')),
      step.stage === 'ground' ? el('label.row', {}, el('span', {}, 'Keeps direction'), parts('s3'), '') : null,
      step.stage === 'ground' ? slider('σ (width)', { min: 0.02, max: 2, step: 0.02, value: step.width_secs ?? 0, unit: 's', help: 'Slow for a lean, fast for a sway', onchange: (value) => set('width changed', (it) => { it.width_secs = value; }) }) : null,
      slider('ρ (share)', { min: 0.05, max: 1, step: 0.05, value: step.rho ?? 1, help: 'Share of the correction that is made at once', onchange: (value) => set('share changed', (it) => { it.rho = value; }) }),
      number('Repeat', { value: step.repeat ?? 1, step: 1, min: 1, max: 100, onchange: (value) => set('repeats changed', (it) => { it.repeat = value ?? 1; }) }),
      el('div.buttons', {}, el('button.quiet', { onclick: () => commit('step taken out', (it) => { it.steps.splice(at, 1); }) }, 'Take out')));
  }

  function build(step) {
    const record_ = step?.touchup;
    const used = record_?.steps ?? [];
    const { margin } = store.verbs.touchup.parameters;
    fill(panel,
      slider('Margin', { min: margin.min, max: margin.max, step: 0.05, value: now.margin ?? margin.default, help: margin.about, onchange: (value) => commit('margin changed', (it) => { it.margin = value; }) }),
      choice('Repairs', [['all', 'ground and flights'], ['ground', 'balance on the ground'], ['flight', 'flights']], now.only ?? 'all', (value) => commit('stage chosen', (it) => { if (value === 'all') delete it.only; else it.only = value; })),
      el('div.buttons', {},
        el('button', { title: 'Touch up from where the timeline stands', onclick: () => commit('starts here', (it) => { it.from_secs = Number(store.time.toFixed(2)); }) }, `from ${now.from_secs ?? 'start'}`),
        el('button', { title: '… to where it stands', onclick: () => commit('ends here', (it) => { it.to_secs = Number(store.time.toFixed(2)); }) }, `to ${now.to_secs ?? 'end'}`),
        now.from_secs !== undefined || now.to_secs !== undefined ? el('button.quiet', { onclick: () => commit('all of it', (it) => { delete it.from_secs; delete it.to_secs; }) }, 'all') : null),
      el('datalist', { id: 'parts' }, [...GROUPS, ...(store.result?.links ?? [])].map((part) => el('option', { value: part }))),
      now.steps?.length ? now.steps.map(stepOf) : null,
      el('div.buttons', {},
        now.steps?.length ? el('button', { onclick: () => commit('step added', (it) => { it.steps.push({ stage: 'ground', s2: ['upper_body'], width_secs: 0.5, rho: 0.5, repeat: 3 }); }) }, '+ Step')
          : el('button', { disabled: !used.length, title: 'The usual steps as a list that can be tuned', onclick: () => commit('own steps', (it) => { it.steps = copy(used); }) }, 'Own steps …'),
        now.steps?.length ? el('button.quiet', { onclick: () => commit('usual steps', (it) => { delete it.steps; }) }, 'Usual steps') : null),
      record_ ? el('p', { id: 'touchup-result' }, `ZMP error ${cm(record_.before.mean_m)} → ${cm(record_.after.mean_m)} (${record_.status.replace('_', ' ')})`) : null,
      curve);
    draw(record_);
  }

  /** Figure 9 of the paper: the error before each iteration. */
  function draw(it) {
    plot?.destroy();
    plot = null;
    if (!it?.iterations?.length) return;
    const errors = [...it.iterations.map((one) => 100 * one.balance.mean_m), 100 * it.after.mean_m];
    const style = getComputedStyle(document.documentElement);
    const axis = { stroke: style.getPropertyValue('--muted'), grid: { stroke: style.getPropertyValue('--line') }, ticks: { show: false }, font: '10px system-ui' };
    plot = new uPlot({ width: 250, height: 120, title: 'Error before each iteration, cm', legend: { show: false }, cursor: { drag: { x: false, y: false } }, scales: { x: { time: false }, y: { range: (_, low, high) => [0, Math.max(high, 0.1) * 1.05] } },
      axes: [{ ...axis, size: 18 }, { ...axis, size: 34 }], series: [{}, { stroke: style.getPropertyValue('--accent'), width: 1.6, points: { size: 4 } }] }, [errors.map((_, at) => at), errors], curve);
  }

  let shown = record;
  build(shown);
  open = { panel, update(next, step) { now = copy(next); shown = step; build(step); }, repaint() { build(shown); }, close() { open = null; plot?.destroy(); } };
  return open;
}
