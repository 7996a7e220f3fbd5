// What all plots over time share: the time axis, cursor, hover, scrubbing and zooming.

const gutter = (width) => (width < 520 ? 64 : 92);
const RIGHT_PX = 16;

/** Round steps so that labels stand at least `least` pixels apart. */
function niceStep(span, pixels, least) {
  const raw = (span * least) / Math.max(1, pixels);
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= raw) ?? raw;
}

const decimalsOf = (step) => Math.max(0, -Math.floor(Math.log10(step) + 1e-9));

/** A card with a canvas whose horizontal axis is time. `spec.draw(g)` paints; `spec.values(sample)` and `spec.tip(t)` are the numbers of a moment. */
function timeCard(spec) {
  const card = document.createElement('figure');
  card.className = 'card plot';
  card.id = `plot-${spec.id}`;
  const caption = document.createElement('figcaption');
  const title = document.createElement('h2');
  title.textContent = spec.title;
  if (spec.unit) {
    const unit = document.createElement('small');
    unit.textContent = spec.unit;
    title.append(unit);
  }
  caption.append(title);
  const values = document.createElement('div');
  values.className = 'values';
  caption.append(values);
  const box = document.createElement('div');
  box.className = 'canvas-box';
  box.style.height = `${spec.height}px`;
  const canvas = document.createElement('canvas');
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', `${spec.title}${spec.hint ? `: ${spec.hint}` : ''}`);
  const cursor = document.createElement('div');
  cursor.className = 'cursor';
  const hover = document.createElement('div');
  hover.className = 'hover-line';
  hover.hidden = true;
  const span = document.createElement('div');
  span.className = 'span';
  span.hidden = true;
  box.append(canvas, span, hover, cursor);
  card.append(caption, box);
  document.getElementById('plots').append(card);

  const outputs = (spec.legend ?? []).map(({ name, colour }) => {
    const item = document.createElement('span');
    const swatch = document.createElement('i');
    swatch.style.setProperty('--c', `var(--${colour})`);
    const number = document.createElement('b');
    item.append(swatch, document.createTextNode(name), number);
    values.append(item);
    return number;
  });

  const geometry = () => {
    const width = box.clientWidth;
    const left = gutter(width);
    const right = width - RIGHT_PX;
    const x = (t) => left + ((t - clock.from) / (clock.to - clock.from)) * (right - left);
    const t = (px) => clock.from + ((px - left) / Math.max(1, right - left)) * (clock.to - clock.from);
    return { width, left, right, x, t };
  };
  const layout = () => {
    const { ctx, height } = fit(canvas);
    spec.draw({ ctx, height, ...geometry() });
  };
  const draw = () => {
    const { left, right, x } = geometry();
    const place = (line, t) => {
      const px = x(t);
      line.hidden = px < left - 1 || px > right + 1;
      line.style.transform = `translateX(${px}px)`;
    };
    place(cursor, clock.t);
    if (clock.hover === null) hover.hidden = true; else place(hover, clock.hover);
    if (outputs.length) {
      const sample = nearest(DATA.series.t, clock.hover ?? clock.t);
      const texts = spec.values(sample, clock.hover ?? clock.t);
      outputs.forEach((output, i) => { if (output.textContent !== texts[i]) output.textContent = texts[i]; });
    }
  };
  addView(card, draw, layout);
  timeControl(box, geometry, span, spec);
  return card;
}

/** Scrub by dragging, choose a span with Shift or on the ruler, hover for values. */
function timeControl(box, geometry, span, spec) {
  let drag = null;
  const timeOf = (event) => clamp(geometry().t(event.clientX - box.getBoundingClientRect().left), clock.from, clock.to);
  const onRuler = (event) => spec.rulerHeight && event.clientY - box.getBoundingClientRect().top < spec.rulerHeight;
  box.addEventListener('pointerdown', (event) => {
    if (event.button) return;
    box.setPointerCapture(event.pointerId);
    const t = timeOf(event);
    drag = { from: t, isSpan: event.shiftKey || onRuler(event), x: event.clientX };
    if (!drag.isSpan) { setPlaying(false); setTime(t); }
  });
  box.addEventListener('pointermove', (event) => {
    const t = timeOf(event);
    box.classList.toggle('ruler', Boolean(onRuler(event)) || event.shiftKey);
    if (!drag) {
      if (event.pointerType !== 'touch') { clock.hover = t; showTip(event, spec, t); redraw(); }
      return;
    }
    if (drag.isSpan) {
      const { x } = geometry();
      const [a, b] = [x(Math.min(drag.from, t)), x(Math.max(drag.from, t))];
      span.hidden = false;
      span.style.left = `${a}px`;
      span.style.width = `${b - a}px`;
    } else {
      setTime(t);
      showTip(event, spec, t);
    }
  });
  const finish = (event) => {
    if (drag?.isSpan) {
      span.hidden = true;
      const t = timeOf(event);
      if (Math.abs(event.clientX - drag.x) > 6) setRange(Math.min(drag.from, t), Math.max(drag.from, t));
      else { setPlaying(false); setTime(t); }
    }
    if (event.pointerType === 'touch') hideTip();
    drag = null;
  };
  box.addEventListener('pointerup', finish);
  box.addEventListener('pointercancel', () => { drag = null; span.hidden = true; hideTip(); });
  box.addEventListener('pointerleave', () => { clock.hover = null; hideTip(); redraw(); });
  box.addEventListener('dblclick', () => setRange(START, END));
}

const tip = document.getElementById('tip');
function showTip(event, spec, t) {
  showTipWith(event, `${fixed(t, 3)} s · frame ${frameAt(t)}`, spec.tip(t));
}

function showTipWith(event, heading, texts) {
  const row = (colour, name, text) => {
    const line = document.createElement('div');
    if (colour) {
      const swatch = document.createElement('i');
      swatch.style.setProperty('--c', `var(--${colour})`);
      line.append(swatch);
    }
    const number = document.createElement('b');
    number.textContent = text;
    line.append(document.createTextNode(name), number);
    return line;
  };
  const when = document.createElement('div');
  when.className = 'when';
  when.textContent = heading;
  tip.replaceChildren(when, ...texts.map(({ colour, name, text }) => row(colour, name, text)));
  tip.hidden = false;
  const { offsetWidth: w, offsetHeight: h } = tip;
  const x = event.clientX + 16 + w > innerWidth - 8 ? event.clientX - 16 - w : event.clientX + 16;
  tip.style.left = `${clamp(x, 8, Math.max(8, innerWidth - w - 8))}px`;
  tip.style.top = `${clamp(event.clientY - h - 12, 8, innerHeight - h - 8)}px`;
}
function hideTip() { tip.hidden = true; }
const frameAt = (t) => Math.min(DATA.frames - 1, nearest(DATA.series.t, t) * DATA.series.stride);

const FONT = '11px Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif';

/** Time labels along the bottom (or the top), with faint lines through the plot. */
function timeTicks(g, top, bottom, labelY) {
  const { ctx, left, right, x } = g;
  const step = niceStep(clock.to - clock.from, right - left, 64);
  const digits = decimalsOf(step);
  ctx.font = FONT;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'alphabetic';
  for (let k = Math.ceil(clock.from / step - 1e-9); k * step <= clock.to + 1e-9; k++) {
    const px = Math.round(x(k * step)) + 0.5;
    ctx.strokeStyle = palette.css('line');
    ctx.beginPath();
    ctx.moveTo(px, top);
    ctx.lineTo(px, bottom);
    ctx.stroke();
    if (labelY !== null && px > left - 4 && px < right + 4) {
      ctx.fillStyle = palette.css('faint');
      ctx.fillText(`${fixed(k * step, digits)} s`, clamp(px, left, right - 8), labelY);
    }
  }
}

/** Values along the left, with lines through the plot. */
function valueTicks({ ctx, left, right }, [low, high], y, scale) {
  const step = niceStep(high - low, y(low) - y(high), 30);
  const digits = decimalsOf(step * scale);
  ctx.textAlign = 'right';
  ctx.textBaseline = 'middle';
  ctx.font = FONT;
  ctx.lineWidth = 1;
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
}

let hatches = new Map();
theme.onChange(() => { hatches = new Map(); });
/** Diagonal lines in a colour. */
function hatch(ctx, name) {
  if (!hatches.has(name)) {
    const tile = document.createElement('canvas');
    const ratio = Math.min(3, devicePixelRatio || 1);
    tile.width = tile.height = Math.round(7 * ratio);
    const paint = tile.getContext('2d');
    paint.scale(tile.width / 7, tile.width / 7);
    paint.strokeStyle = palette.css(name);
    paint.lineWidth = 1.4;
    paint.beginPath();
    for (const shift of [-7, 0, 7]) { paint.moveTo(shift, 7); paint.lineTo(shift + 7, 0); }
    paint.stroke();
    const pattern = ctx.createPattern(tile, 'repeat');
    pattern.setTransform(new DOMMatrix().scale(1 / ratio));
    hatches.set(name, pattern);
  }
  return hatches.get(name);
}

/** Flights and unmodelled spans behind a plot. */
function shadePhases(g, top, bottom) {
  const { ctx, left, right, x } = g;
  for (const [kind, from, to] of DATA.phases) {
    if ((kind !== 1 && kind !== 5) || to < clock.from || from > clock.to) continue;
    const [a, b] = [Math.max(left, x(from)), Math.min(right, x(to))];
    ctx.globalAlpha = kind === 1 ? 0.5 : 0.35;
    ctx.fillStyle = kind === 1 ? hatch(ctx, 'flight') : palette.css('other');
    ctx.fillRect(a, top, b - a, bottom - top);
    ctx.globalAlpha = 1;
  }
}
