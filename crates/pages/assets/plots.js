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
    valueTicks(g, [low, high], y, spec.scale ?? 1);
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
    legend: spec.curves.filter((curve) => !curve.quiet).map(({ name, colour }) => ({ name, colour })),
    values: (_, t) => spec.curves.filter((curve) => !curve.quiet).map((curve) => curve.text(valueAt(curve, t))),
    tip: (t) => {
      return spec.curves.map((curve) => ({ colour: curve.colour, name: curve.name, text: (curve.long ?? curve.text)(valueAt(curve, t)) }));
    },
  });
  return true;
}

/** Each curve may have times of its own: a motion before an edit need not have the frames of the one after. */
const timesOf = (curve) => curve.t ?? DATA.series.t;
const valueAt = (curve, t) => curve.data[nearest(timesOf(curve), t)];

function visible(t) {
  return [Math.max(0, indexAt(t, clock.from) - 1), Math.min(t.length - 1, indexAt(t, clock.to) + 1)];
}

function strokeCurve({ ctx, x }, curve, y) {
  const t = timesOf(curve);
  const [first, last] = visible(t);
  ctx.strokeStyle = palette.css(curve.colour, curve.alpha ?? 1);
  ctx.lineWidth = curve.width ?? 1.6;
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
  const t = timesOf(curve);
  const [first, last] = visible(t);
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
function drawArcs(g) {
  if (BEFORE) drawArcsOf(g, BEFORE.flights, true);
  drawArcsOf(g, DATA.flights, false);
}

function drawArcsOf({ ctx, x, y, top }, flights, isBefore) {
  for (const flight of flights) {
    if (flight.end < clock.from || flight.start > clock.to) continue;
    // What was slowed or hastened is measured in its own seconds.
    const secs = flight.secs ?? flight.end - flight.start;
    const curve = (arc, g, dash, colour, width) => {
      ctx.strokeStyle = palette.css(colour);
      ctx.lineWidth = width;
      ctx.setLineDash(dash);
      ctx.beginPath();
      for (let k = 0; k <= 40; k++) {
        const s = (secs * k) / 40;
        ctx.lineTo(x(flight.start + ((flight.end - flight.start) * k) / 40), y(arc[0] + arc[1] * s - 0.5 * g * s * s));
      }
      ctx.stroke();
      ctx.setLineDash([]);
    };
    if (isBefore) {
      if (flight.arc) curve(flight.arc, flight.g, [5, 3], 'before', 1.8);
      continue;
    }
    const off = Number.isFinite(flight.g) ? Math.abs(flight.g / 9.81 - 1) : 0;
    if (flight.true_arc && off > 0.08) curve(flight.true_arc, 9.81, [3, 3], 'muted', 1.3);
    if (!flight.arc) continue;
    curve(flight.arc, flight.g, [], 'zmp', 2.4);
    const span = x(flight.end) - x(flight.start);
    const apex = clamp(flight.arc[1] / flight.g, 0, secs);
    if (span < 18 || !Number.isFinite(apex)) continue;
    ctx.font = FONT;
    // A run's flights are narrow: there the title tells the unit.
    const was = BEFORE?.flights.find((other) => other.start < flight.end && other.end > flight.start && Number.isFinite(other.g));
    const full = was ? `${fixed(was.g, 2)} → ${fixed(flight.g, 2)} m/s²` : `${fixed(flight.g, 2)} m/s²`;
    const label = ctx.measureText(full).width < span + 28 ? full : fixed(flight.g, 1);
    ctx.textAlign = 'center';
    ctx.textBaseline = 'bottom';
    ctx.fillStyle = palette.css(flight.verdict === 'doubtful' ? 'poor' : 'text');
    const py = y(flight.arc[0] + flight.arc[1] * apex - 0.5 * flight.g * apex * apex) - 5;
    ctx.fillText(label, (x(flight.start) + x(flight.end)) / 2, Math.max(top + 11, py));
  }
}

/** Curves of one quantity: of a report its own, of a receipt that of the motion before, behind that of the motion after. */
function curvesOf(name, pick, rest) {
  if (!BEFORE) return [{ name, ...rest, data: pick(DATA.series) }];
  const before = { ...rest, name: 'before', colour: 'before', t: BEFORE.series.t, data: pick(BEFORE.series), width: 1.4 };
  return [before, { ...rest, name: 'after', data: pick(DATA.series), width: 2 }];
}

function addPlots() {
  const hypot = (a, b) => a.map((value, i) => Math.hypot(value, b[i]));
  const metres = (value) => lengthText(value);
  const padded = ([low, high], least, share = 0.08) => {
    const room = Math.max(high - low, least);
    const middle = (low + high) / 2;
    return [middle - room * (0.5 + share), middle + room * (0.5 + share)];
  };
  addPlot({
    id: 'zmp', title: 'Zero-moment point outside the support', unit: 'cm', scale: 100, height: BEFORE ? 168 : undefined,
    hint: 'distance to the support polygon, 0 inside',
    curves: curvesOf('distance', (s) => s.zmp_distance, { colour: 'zmp', text: metres, fill: true }),
    range: ([, high]) => [0, Math.max(0.05, Math.min(high * 1.1, 0.6))],
  });
  const floor = DATA.floor;
  const heights = (s) => s.com[1];
  addPlot({
    id: 'height', title: 'Height of the centre of mass', unit: DATA.flights.length ? 'm; flights with fitted g, m/s²' : 'm', height: 168,
    hint: 'with the parabola of each flight and its fitted g',
    curves: curvesOf('height', heights, { colour: 'com', text: (value) => withUnit(value, 3, 'm') }),
    range: ([low, high]) => { const [a, b] = padded([low, high], 0.12, 0.1); return DATA.flights.length ? [a, b + (b - a) * 0.14] : [a, b]; },
    lines: Number.isFinite(floor) && DATA.series.n && floor > (spread([heights(DATA.series)])?.[0] ?? 0) - 0.2 ? [{ value: floor, label: 'floor' }] : [],
    over: drawArcs,
  });
  if (BEFORE) {
    const moved = partsMoved();
    addPlot({
      id: 'change', title: 'How far the body was moved', unit: 'cm', scale: 100,
      hint: 'distance of its parts before and after',
      curves: [{ name: 'farthest part', colour: 'right', dash: [6, 3], width: 1.4, t: moved.t, data: moved.most, text: metres },
        { name: 'on average', colour: 'accent', t: moved.t, data: moved.mean, text: metres, fill: true, width: 2 }],
      range: ([, high]) => [0, Math.max(0.02, high * 1.1)],
    });
    addDrifts();
  }
  addPlot({
    id: 'load', title: 'Vertical force on the ground', unit: '× body weight',
    hint: 'mass times (acceleration of the centre of mass less gravity), over body weight',
    curves: curvesOf('force', (s) => s.load, { colour: 'double', text: (value) => withUnit(value, 2, '× BW'), fill: !BEFORE }),
    range: ([low, high]) => [Math.min(0, low * 1.05), Math.max(1.3, high * 1.08)],
    lines: [{ value: 1, label: 'body weight' }],
  });
  const axes = [['x', 'right', []], ['y (up)', 'double', [7, 3]], ['z', 'left', [2, 2.5]]];
  const momentumText = { text: (value) => fixed(value, 2), long: (value) => withUnit(value, 2, 'kg·m²/s') };
  const momentum = axes.map(([name, colour, dash], axis) => ({ name, colour, dash, ...momentumText, data: DATA.series.momentum[axis] }));
  const momentumBefore = axes.map(([name, colour, dash], axis) => (
    { name: `${name}, before`, colour, dash, ...momentumText, quiet: true, alpha: 0.38, width: 1.2, t: BEFORE?.series.t, data: BEFORE?.series.momentum[axis] }));
  addPlot({
    id: 'momentum', title: 'Angular momentum about the centre of mass', unit: BEFORE ? 'kg·m²/s; before: faint' : 'kg·m²/s', height: 150,
    hint: 'constant in flight',
    curves: BEFORE ? [...momentumBefore, ...momentum] : momentum,
    range: (found) => padded(found, 0.5),
  });
  addPlot({
    id: 'friction', title: 'Friction that is needed', unit: 'horizontal over vertical force',
    hint: 'above the line the foot would slip',
    curves: curvesOf('μ', (s) => s.friction, { colour: 'fair', text: (value) => fixed(value, 2), fill: !BEFORE }),
    range: ([, high]) => [0, clamp(high * 1.1, DATA.friction * 1.25, 2.5)],
    lines: [{ value: DATA.friction, label: `cone, μ = ${fixed(DATA.friction, 2)}`, colour: 'poor' }],
  });
  const along = (s) => hypot(s.velocity[0], s.velocity[2]);
  const speedText = (value) => withUnit(value, 2, 'm/s');
  const up = BEFORE ? [] : [{ name: 'up', colour: 'right', dash: [6, 3], data: DATA.series.velocity[1], text: speedText }];
  addPlot({
    id: 'speed', title: BEFORE ? 'Speed along the ground' : 'Speed of the centre of mass', unit: 'm/s',
    hint: 'along the ground and upward',
    curves: [...curvesOf('along the ground', along, { colour: 'left', text: speedText }), ...up],
    range: (found) => padded([Math.min(0, found[0]), found[1]], 0.2),
  });
}
