// Plots beside the viewport, before and after over each other, on the same time as everything else (uPlot).
import uPlot from './vendor/uplot.js';
import { store, on, setTime, duration } from './store.js';
import { byId, el, fill, perFrame } from './dom.js';

const length = (values, at) => Math.hypot(values[3 * at], values[3 * at + 1], values[3 * at + 2]);
const scalar = (name, times = 1) => (motion) => each(motion, (frame) => motion.arrays[name]?.[frame] * times);

/** Name, unit and the curve of a motion. */
const PLOTS = {
  zmp: ['ZMP outside the support', 'cm', scalar('zmp_distance', 100)],
  height: ['Centre of mass, height', 'm', (motion) => each(motion, (frame) => motion.arrays.com?.[3 * frame + 1])],
  speed: ['Centre of mass, speed', 'm/s', (motion) => each(motion, (frame) => (motion.arrays.velocity ? length(motion.arrays.velocity, frame) : NaN))],
  friction: ['Friction needed', '', scalar('friction')],
  momentum: ['Angular momentum', 'kg·m²/s', (motion) => each(motion, (frame) => (motion.arrays.momentum ? length(motion.arrays.momentum, frame) : NaN))],
  load: ['Load', '× weight', (motion) => each(motion, (frame) => motion.arrays.force?.[3 * frame + 1] / (9.81 * motion.mass))],
  joint: ['Angle of the picked joint', '°', jointAngle],
};
const USUAL = ['zmp', 'height', 'speed', 'friction'];

function each(motion, value) {
  return Array.from({ length: motion.frames }, (_, frame) => { const it = value(frame); return Number.isFinite(it) ? it : null; });
}

/** Turn of a link against the one it hangs on. */
function jointAngle(motion) {
  const link = Math.min(store.link, motion.links.length - 1);
  const parent = motion.parents[link];
  const wide = 7 * motion.links.length;
  const { poses } = motion.arrays;
  return each(motion, (frame) => {
    const own = frame * wide + 7 * link + 3;
    const of = (at) => poses.subarray(at, at + 4);
    const [a, b] = [of(own), parent === null ? [0, 0, 0, 1] : of(frame * wide + 7 * parent + 3)];
    const dot = Math.abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
    return (2 * Math.acos(Math.min(dot, 1)) * 180) / Math.PI;
  });
}

let plots = [];
let wanted = USUAL;

export function startPlots() {
  const saved = JSON.parse(localStorage.getItem('plots') ?? 'null');
  if (Array.isArray(saved)) wanted = saved.filter((name) => name in PLOTS);
  on('motion', rebuild);
  on('theme', rebuild);
  on('link', () => { if (wanted.includes('joint')) rebuild(); });
  on('time', perFrame(() => plots.forEach((plot) => plot.redraw(false, false))));
  new ResizeObserver(() => plots.forEach((plot) => plot.setSize({ width: byId('plots').clientWidth - 6, height: 112 }))).observe(byId('plots'));
  const menu = byId('plot-menu');
  fill(menu, Object.entries(PLOTS).map(([name, [title]]) => {
    const input = el('input', { type: 'checkbox' });
    input.checked = wanted.includes(name);
    input.onchange = () => {
      wanted = Object.keys(PLOTS).filter((it) => (it === name ? input.checked : wanted.includes(it)));
      localStorage.setItem('plots', JSON.stringify(wanted));
      rebuild();
    };
    return el('label.check', {}, input, el('span', {}, title));
  }));
}

function rebuild() {
  plots.forEach((plot) => plot.destroy());
  plots = [];
  const box = byId('plots');
  const { original, result } = store;
  if (!result?.arrays.com && !original?.arrays.com) { fill(box, el('p.empty', {}, 'No body can be made of this skeleton, so there is nothing to plot.')); return; }
  fill(box);
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(`--${name}`).trim();
  const after = result ?? original;
  for (const name of wanted) {
    const [title, unit, curve] = PLOTS[name];
    const place = el('figure.plot', { 'data-plot': name });
    box.append(place);
    // Two clips of different length and rate on one axis: both times, in order, with gaps where the other has none.
    const data = original && original !== after && store.state?.done?.steps.length
      ? uPlot.join([[Array.from(original.arrays.t), curve(original)], [Array.from(after.arrays.t), curve(after)]], [[1, 1], [1, 1]])
      : [Array.from(after.arrays.t), null, curve(after)];
    if (data[1] === null) data[1] = data[0].map(() => null);
    const value = (_, it) => (it === null || it === undefined ? '–' : `${it.toFixed(2)} ${unit}`);
    const axis = { stroke: color('muted'), grid: { stroke: color('line'), width: 1 }, ticks: { show: false }, font: '10px system-ui' };
    const caption = name === 'joint' ? `Angle of ${after.links[Math.min(store.link, after.links.length - 1)]}` : title;
    plots.push(new uPlot({
      width: box.clientWidth - 6, height: 112, title: `${caption}${unit ? `, ${unit}` : ''}`,
      cursor: { sync: { key: 'studio', setSeries: false }, drag: { x: false, y: false }, points: { size: 5 } },
      legend: { live: true },
      scales: { x: { time: false, range: () => [0, duration()] }, y: { range: (_, low, high) => (low === null ? [0, 1] : [Math.min(low, 0 <= low && name !== 'height' ? 0 : low), high > low ? high * 1.04 : low + 1]) } },
      axes: [{ ...axis, size: 20, values: (_, ticks) => ticks.map((it) => `${it}`) }, { ...axis, size: 38 }],
      series: [
        { label: 's', value: (_, it) => (it === null || it === undefined ? '–' : it.toFixed(2)) },
        { label: 'before', stroke: color('muted'), width: 1.2, dash: [4, 3], value },
        { label: 'now', stroke: color('accent'), width: 1.6, value },
      ],
      hooks: { draw: [(plot) => {
        const x = plot.valToPos(store.time, 'x', true);
        plot.ctx.save();
        plot.ctx.strokeStyle = color('accent');
        plot.ctx.globalAlpha = 0.6;
        plot.ctx.beginPath(); plot.ctx.moveTo(x, plot.bbox.top); plot.ctx.lineTo(x, plot.bbox.top + plot.bbox.height); plot.ctx.stroke();
        plot.ctx.restore();
      }] },
    }, data, place));
    place.querySelector('.u-over').addEventListener('click', (event) => {
      const plot = plots.find((it) => it.root.parentElement === place);
      setTime(plot.posToVal(event.offsetX, 'x'));
    });
  }
}
