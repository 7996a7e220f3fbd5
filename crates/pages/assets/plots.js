// Curves over time.

const TOP_PX = 8;
const BOTTOM_PX = 22;

/** Least and greatest of what can be seen, without the outermost two in a thousand: a single wild frame must not flatten a curve. */
function spread(arrays) {
  const all = [];
  for (const values of arrays) {
    const step = Math.max(1, Math.floor(values.length / 4000));
    for (let i = 0; i < values.length; i += step) if (Number.isFinite(values[i])) all.push(values[i]);
  }
  if (!all.length) return null;
  all.sort((a, b) => a - b);
  const at = (share) => all[Math.round(share * (all.length - 1))];
  return [at(0.002), at(0.998)];
}

/** One plot. spec: id, title, unit, hint, height, curves [{name, colour, data, text}], range(spread) → [low, high], lines [{value, label}], extra(g). */
function addPlot(spec) {
  const found = spread(spec.curves.map((curve) => curve.data));
  if (!found) return false;
  let [low, high] = spec.range(found);
  if (!(high - low > 1e-9)) [low, high] = [low - 0.5, high + 0.5];
  const height = spec.height ?? 132;
  const draw = (g) => {
    const { ctx, left, right, x } = g;
    const [top, bottom] = [TOP_PX, g.height - BOTTOM_PX];
    const y = (value) => bottom - ((value - low) / (high - low)) * (bottom - top);
    timeTicks(g, top, bottom, g.height - 6);
    const step = niceStep(high - low, bottom - top, 30);
    const scale = spec.scale ?? 1;
    const digits = decimalsOf(step * scale);
    ctx.textAlign = 'right';
    ctx.textBaseline = 'middle';
    ctx.font = FONT;
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9; k++) {
      const py = Math.round(y(k * step)) + 0.5;
      ctx.strokeStyle = palette.css(k === 0 ? 'line-strong' : 'line');
      ctx.beginPath();
      ctx.moveTo(left, py);
      ctx.lineTo(right, py);
      ctx.stroke();
      ctx.fillStyle = palette.css('faint');
      ctx.fillText(fixed(k * step * scale, digits), left - 8, py);
    }
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top - 2, right - left, bottom - top + 4);
    ctx.clip();
    shadePhases(g, top, bottom);
    for (const line of spec.lines ?? []) {
      ctx.strokeStyle = palette.css(line.colour ?? 'muted', 0.9);
      ctx.lineWidth = 1;
      ctx.setLineDash([5, 4]);
      ctx.beginPath();
      ctx.moveTo(left, y(line.value));
      ctx.lineTo(right, y(line.value));
      ctx.stroke();
      ctx.setLineDash([]);
      ctx.textAlign = 'right';
      ctx.textBaseline = 'bottom';
      ctx.fillStyle = palette.css(line.colour ?? 'muted');
      ctx.fillText(line.label, right - 4, y(line.value) - 2);
    }
    spec.extra?.({ ...g, y, top, bottom });
    for (const curve of spec.curves) {
      if (curve.fill) fillCurve(g, curve, y, y(Math.max(0, low)));
      strokeCurve(g, curve, y);
    }
    spec.over?.({ ...g, y, top, bottom });
    ctx.restore();
  };
  timeCard({
    id: spec.id, title: spec.title, unit: spec.unit, hint: spec.hint, height, draw,
    legend: spec.curves.map(({ name, colour }) => ({ name, colour })),
    values: (sample) => spec.curves.map((curve) => curve.text(curve.data[sample])),
    tip: (t) => {
      const sample = nearest(DATA.series.t, t);
      return spec.curves.map((curve) => ({ colour: curve.colour, name: curve.name, text: (curve.long ?? curve.text)(curve.data[sample]) }));
    },
  });
  return true;
}

function visible() {
  const { t } = DATA.series;
  return [Math.max(0, indexAt(t, clock.from) - 1), Math.min(t.length - 1, indexAt(t, clock.to) + 1)];
}

function strokeCurve({ ctx, x }, curve, y) {
  const { t } = DATA.series;
  const [first, last] = visible();
  ctx.strokeStyle = palette.css(curve.colour);
  ctx.lineWidth = 1.6;
  ctx.lineJoin = 'round';
  ctx.setLineDash(curve.dash ?? []);
  ctx.beginPath();
  let down = false;
  for (let i = first; i <= last; i++) {
    const value = curve.data[i];
    if (!Number.isFinite(value)) { down = false; continue; }
    const [px, py] = [x(t[i]), clamp(y(value), -1e4, 1e4)];
    if (down) ctx.lineTo(px, py); else ctx.moveTo(px, py);
    down = true;
  }
  ctx.stroke();
  ctx.setLineDash([]);
}

function fillCurve({ ctx, x }, curve, y, floor) {
  const { t } = DATA.series;
  const [first, last] = visible();
  ctx.fillStyle = palette.css(curve.colour, 0.14);
  let i = first;
  while (i <= last) {
    while (i <= last && !Number.isFinite(curve.data[i])) i++;
    const start = i;
    ctx.beginPath();
    for (; i <= last && Number.isFinite(curve.data[i]); i++) ctx.lineTo(x(t[i]), clamp(y(curve.data[i]), -1e4, 1e4));
    if (i === start) break;
    ctx.lineTo(x(t[i - 1]), floor);
    ctx.lineTo(x(t[start]), floor);
    ctx.fill();
  }
}

/** Fitted parabolas of flights, each with its g, and the one that gravity would make where it differs visibly. */
function drawArcs({ ctx, x, y, top }) {
  for (const flight of DATA.flights) {
    if (flight.end < clock.from || flight.start > clock.to) continue;
    const curve = (arc, g, dash, colour, width) => {
      ctx.strokeStyle = palette.css(colour);
      ctx.lineWidth = width;
      ctx.setLineDash(dash);
      ctx.beginPath();
      for (let k = 0; k <= 40; k++) {
        const s = ((flight.end - flight.start) * k) / 40;
        ctx.lineTo(x(flight.start + s), y(arc[0] + arc[1] * s - 0.5 * g * s * s));
      }
      ctx.stroke();
      ctx.setLineDash([]);
    };
    const off = Number.isFinite(flight.g) ? Math.abs(flight.g / 9.81 - 1) : 0;
    if (flight.true_arc && off > 0.08) curve(flight.true_arc, 9.81, [3, 3], 'muted', 1.3);
    if (!flight.arc) continue;
    curve(flight.arc, flight.g, [], 'zmp', 2.4);
    const span = x(flight.end) - x(flight.start);
    const apex = clamp(flight.arc[1] / flight.g, 0, flight.end - flight.start);
    if (span < 18 || !Number.isFinite(apex)) continue;
    ctx.font = FONT;
    // A run's flights are narrow: there the title tells the unit.
    const full = `${fixed(flight.g, 2)} m/s²`;
    const label = ctx.measureText(full).width < span + 28 ? full : fixed(flight.g, 1);
    ctx.textAlign = 'center';
    ctx.textBaseline = 'bottom';
    ctx.fillStyle = palette.css(flight.verdict === 'doubtful' ? 'poor' : 'text');
    const py = y(flight.arc[0] + flight.arc[1] * apex - 0.5 * flight.g * apex * apex) - 5;
    ctx.fillText(label, (x(flight.start) + x(flight.end)) / 2, Math.max(top + 11, py));
  }
}

function addPlots() {
  const s = DATA.series;
  const hypot = (a, b) => a.map((value, i) => Math.hypot(value, b[i]));
  const metres = (value) => lengthText(value);
  const padded = ([low, high], least, share = 0.08) => {
    const room = Math.max(high - low, least);
    const middle = (low + high) / 2;
    return [middle - room * (0.5 + share), middle + room * (0.5 + share)];
  };
  addPlot({
    id: 'zmp', title: 'Zero-moment point outside the support', unit: 'cm', scale: 100,
    hint: 'distance to the support polygon, 0 inside',
    curves: [{ name: 'distance', colour: 'zmp', data: s.zmp_distance, text: metres, fill: true }],
    range: ([, high]) => [0, Math.max(0.05, Math.min(high * 1.1, 0.6))],
  });
  const floor = DATA.floor;
  addPlot({
    id: 'height', title: 'Height of the centre of mass', unit: DATA.flights.length ? 'm; flights with fitted g, m/s²' : 'm', height: 168,
    hint: 'with the parabola of each flight and its fitted g',
    curves: [{ name: 'height', colour: 'com', data: s.com[1], text: (value) => withUnit(value, 3, 'm') }],
    range: ([low, high]) => { const [a, b] = padded([low, high], 0.12, 0.1); return DATA.flights.length ? [a, b + (b - a) * 0.14] : [a, b]; },
    lines: Number.isFinite(floor) && s.n && floor > (spread([s.com[1]])?.[0] ?? 0) - 0.2 ? [{ value: floor, label: 'floor' }] : [],
    over: drawArcs,
  });
  addPlot({
    id: 'load', title: 'Vertical force on the ground', unit: '× body weight',
    hint: 'mass times (acceleration of the centre of mass less gravity), over body weight',
    curves: [{ name: 'force', colour: 'double', data: s.load, text: (value) => withUnit(value, 2, '× BW'), fill: true }],
    range: ([low, high]) => [Math.min(0, low * 1.05), Math.max(1.3, high * 1.08)],
    lines: [{ value: 1, label: 'body weight' }],
  });
  addPlot({
    id: 'momentum', title: 'Angular momentum about the centre of mass', unit: 'kg·m²/s', height: 150,
    hint: 'constant in flight',
    curves: [['x', 'right', []], ['y (up)', 'double', [7, 3]], ['z', 'left', [2, 2.5]]].map(([name, colour, dash], axis) => (
      { name, colour, dash, data: s.momentum[axis], text: (value) => fixed(value, 2), long: (value) => withUnit(value, 2, 'kg·m²/s') })),
    range: (found) => padded(found, 0.5),
  });
  addPlot({
    id: 'friction', title: 'Friction that is needed', unit: 'horizontal over vertical force',
    hint: 'above the line the foot would slip',
    curves: [{ name: 'μ', colour: 'fair', data: s.friction, text: (value) => fixed(value, 2), fill: true }],
    range: ([, high]) => [0, clamp(high * 1.1, DATA.friction * 1.25, 2.5)],
    lines: [{ value: DATA.friction, label: `cone, μ = ${fixed(DATA.friction, 2)}`, colour: 'poor' }],
  });
  addPlot({
    id: 'speed', title: 'Speed of the centre of mass', unit: 'm/s',
    hint: 'along the ground and upward',
    curves: [
      { name: 'along the ground', colour: 'left', data: hypot(s.velocity[0], s.velocity[2]), text: (value) => withUnit(value, 2, 'm/s') },
      { name: 'up', colour: 'right', dash: [6, 3], data: s.velocity[1], text: (value) => withUnit(value, 2, 'm/s') },
    ],
    range: (found) => padded([Math.min(0, found[0]), found[1]], 0.2),
  });
}
