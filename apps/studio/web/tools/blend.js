// The blend tool: motions, weights on a slider or a triangle, and how their phases lie on each other.
import { store, copy } from '../store.js';
import { el, fill, choice, check, slider } from '../dom.js';
import { tune } from '../stack.js';
import { chooseMotion } from '../files.js';

const CORNERS = [[50, 6], [6, 84], [94, 84]];
const short = (path) => path.split('/').pop().replace('builtin:', '');

export function blendTool(index, edit, record) {
  let now = copy(edit);
  const panel = el('div');
  const commit = (label, mutate) => { mutate(now); tune(index, label, (it) => { Object.keys(it).forEach((key) => { if (key !== 'verb') delete it[key]; }); Object.assign(it, copy(now)); }); };
  const names = () => [store.state.draft.clip, ...now.clips].map(short);
  const weights = () => (now.weights?.length === now.clips.length + 1 ? now.weights : now.clips.length ? Array(now.clips.length + 1).fill(1 / (now.clips.length + 1)) : [1]);
  const setWeights = (values) => {
    const sum = values.reduce((all, it) => all + it, 0) || 1;
    const rounded = values.map((it) => Number((it / sum).toFixed(4)));
    rounded[0] += Number((1 - rounded.reduce((all, it) => all + it, 0)).toFixed(4));
    rounded[0] = Number(rounded[0].toFixed(4));
    commit('weights changed', (it) => { it.weights = rounded; delete it.at; });
  };

  function triangle() {
    const NS = 'http://www.w3.org/2000/svg';
    const make = (name, attributes, text) => { const it = document.createElementNS(NS, name); Object.entries(attributes).forEach(([key, value]) => it.setAttribute(key, value)); if (text) it.textContent = text; return it; };
    const svg = make('svg', { viewBox: '-6 -6 112 104', class: 'triangle', role: 'slider', 'aria-label': 'Weights of three motions', tabindex: '0' });
    svg.append(make('polygon', { points: CORNERS.map((it) => it.join()).join(' ') }));
    names().forEach((name, at) => svg.append(make('text', { x: CORNERS[at][0], y: CORNERS[at][1] + (at ? 11 : -3), 'text-anchor': 'middle' }, `${name} ${(100 * weights()[at]).toFixed(0)} %`)));
    const place = (it) => CORNERS.reduce(([x, y], corner, at) => [x + it[at] * corner[0], y + it[at] * corner[1]], [0, 0]);
    const [x, y] = place(weights());
    const dot = make('circle', { cx: x, cy: y, r: 5 });
    svg.append(dot);
    let last = null;
    const follow = (event) => {
      const box = svg.getBoundingClientRect();
      const scale = 112 / box.width;
      const [px, py] = [(event.clientX - box.left) * scale - 6, (event.clientY - box.top) * scale - 6];
      const [[ax, ay], [bx, by], [cx, cy]] = CORNERS;
      const area = (by - cy) * (ax - cx) + (cx - bx) * (ay - cy);
      const a = Math.max(((by - cy) * (px - cx) + (cx - bx) * (py - cy)) / area, 0);
      const b = Math.max(((cy - ay) * (px - cx) + (ax - cx) * (py - cy)) / area, 0);
      const c = Math.max(1 - a - b, 0);
      last = [a, b, c].map((it) => it / (a + b + c));
      const [dx, dy] = place(last);
      dot.setAttribute('cx', dx);
      dot.setAttribute('cy', dy);
    };
    svg.addEventListener('pointerdown', (event) => { svg.setPointerCapture(event.pointerId); follow(event); });
    svg.addEventListener('pointermove', (event) => { if (last && event.buttons) follow(event); });
    svg.addEventListener('pointerup', () => { if (last) setWeights(last); last = null; });
    return svg;
  }

  function phases(step) {
    const found = step?.blend?.guarantees.phases;
    if (!found?.length) return null;
    const row = (secs, words) => {
      const all = secs.reduce((sum, it) => sum + it, 0);
      const bar = el('div', { title: words }, found.map((phase, at) => { const it = el(`i.${phase.kind === 'flight' ? 'flight' : 'contact'}`, { title: `${phase.kind}, ${secs[at].toFixed(2)} s` }); it.style.width = `${(100 * secs[at]) / all}%`; return it; }));
      return [el('span.muted', {}, `${words} · ${all.toFixed(2)} s`), bar];
    };
    return el('div.phases', { 'aria-label': 'Phases' }, el('h3', {}, 'Phases on each other'), names().flatMap((name, at) => row(found.map((it) => it.input_secs[at] ?? 0), name)), row(found.map((it) => it.secs), 'blend'));
  }

  function build(step) {
    const list = names();
    fill(panel,
      list.map((name, at) => el('div.row', {}, `${at + 1}. ${name} `, at ? el('button.quiet', { 'aria-label': `Take ${name} out`, onclick: () => commit('motion taken out', (it) => { it.clips.splice(at - 1, 1); it.weights = Array(it.clips.length + 1).fill(Number((1 / (it.clips.length + 1)).toFixed(4))); it.weights[0] = Number((1 - it.weights.slice(1).reduce((all, w) => all + w, 0)).toFixed(4)); }) }, '×') : null)),
      el('div.buttons', {}, el('button', { onclick: () => chooseMotion('Blend with', (path) => commit('motion added', (it) => { it.clips.push(path); const share = Number((1 / (it.clips.length + 1)).toFixed(4)); it.weights = Array(it.clips.length + 1).fill(share); it.weights[0] = Number((1 - share * it.clips.length).toFixed(4)); })) }, '+ Motion')),
      list.length === 2 ? slider('Share of 2', { min: 0, max: 1, step: 0.01, value: weights()[1], onchange: (value) => setWeights([1 - value, value]) })
        : list.length === 3 ? triangle()
          : weights().map((value, at) => slider(list[at], { min: 0, max: 1, step: 0.01, value, onchange: (next) => { const all = [...weights()]; all[at] = next; setWeights(all); } })),
      choice('Interpolates', [['com', 'centre of mass and feet'], ['root', 'root (the usual way)'], ['foot', 'on the standing foot']], now.scheme ?? 'com', (value) => commit('scheme chosen', (it) => { it.scheme = value; })),
      choice('Durations', [['sqrt', 'keep gravity'], ['linear', 'linear (the usual way)']], now.timing ?? 'sqrt', (value) => commit('durations chosen', (it) => { it.timing = value; })),
      check('Mirror the others first', Boolean(now.mirror), (value) => commit('mirrored', (it) => { it.mirror = value; })),
      check('Smooth rates inside contacts', Boolean(now.smooth_timing), (value) => commit('rates smoothed', (it) => { it.smooth_timing = value; })),
      check('On the first skeleton', Boolean(now.first_skeleton), (value) => commit('skeleton chosen', (it) => { it.first_skeleton = value; })),
      store.state.failure?.remedy === 'first-skeleton' ? el('div.buttons', {}, el('button.primary', { onclick: () => commit('skeleton chosen', (it) => { it.first_skeleton = true; }) }, 'Put all on the first skeleton')) : null,
      phases(step),
      step?.blend ? el('table', {}, el('tbody', {}, step.blend.guarantees.flights.map((it, at) => el('tr', {}, el('td', {}, `g of flight ${at + 1}`), el('td', {}, `${it.g.toFixed(2)} m/s²`))))) : null);
  }

  build(record);
  return { panel, update(next, step) { now = copy(next); build(step); } };
}

/** A blend needs another motion. */
blendTool.create = (add) => chooseMotion('Blend with', (path) => add({ verb: 'blend', clips: [path], weights: [0.5, 0.5] }));
