// Contact bars: one row for the phases, one for each point that may touch.

function addTimeline() {
  const [RULER, ROW, GAP] = [26, 17, 5];
  const touched = DATA.effectors.map((effector, index) => ({ ...effector, index, spans: DATA.contacts.filter(([e]) => e === index) }));
  // Points that never touch (the hands of a walk) would be empty rows.
  const rows = touched.filter((row) => row.spans.length);
  // What is wrong, of the motion that is asked about.
  const faults = DATA.moments ?? [];
  const height = RULER + (rows.length + (BEFORE ? 2 : 1) + (faults.length ? 1 : 0)) * (ROW + GAP) + 10;
  // All names in full, or all with L and R.
  const short = (text) => text.replace(/^left /, 'L ').replace(/^right /, 'R ').slice(0, 24);
  const labels = (ctx, room) => {
    ctx.font = FONT;
    return rows.every((row) => ctx.measureText(row.name).width <= room) ? (text) => text : short;
  };
  const bar = (g, from, to, y, h, colour, alpha = 1) => {
    const { ctx, left, right, x } = g;
    if (to < clock.from || from > clock.to) return;
    const a = Math.max(left, x(from));
    const b = Math.min(right, x(to));
    ctx.globalAlpha = alpha;
    ctx.fillStyle = colour;
    ctx.beginPath();
    ctx.roundRect(a, y, Math.max(1.5, b - a - 1), h, 3);
    ctx.fill();
    ctx.globalAlpha = 1;
  };
  const phases = (g, spans, y, alpha) => {
    const { ctx, left, x } = g;
    for (const [kind, from, to] of spans) {
      const isFlight = kind === 1;
      bar(g, from, to, y, ROW, isFlight ? hatch(ctx, 'muted') : palette.css(KIND_COLOUR[kind]), alpha);
      const [a, b] = [Math.max(left, x(from)), Math.min(g.right, x(to))];
      const text = KINDS[kind];
      ctx.font = FONT;
      if (!isFlight && b - a > ctx.measureText(text).width + 12) {
        ctx.textAlign = 'center';
        ctx.textBaseline = 'middle';
        ctx.fillStyle = kind === 5 ? palette.css('text') : palette.css('card');
        ctx.fillText(text, (a + b) / 2, y + ROW / 2 + 0.5);
      }
    }
  };
  const draw = (g) => {
    const { ctx, left, width } = g;
    timeTicks(g, RULER, g.height - 4, RULER - 10);
    shadePhases(g, RULER, g.height - 4);
    let y = RULER + 4;
    const label = labels(ctx, left - 24);
    const name = (text, tint) => {
      ctx.textAlign = 'right';
      ctx.textBaseline = 'middle';
      ctx.fillStyle = palette.css(tint);
      ctx.fillText(label(text), left - 8, y + ROW / 2);
    };
    if (BEFORE) {
      name('before', 'muted');
      phases(g, BEFORE.phases, y, 0.45);
      y += ROW + GAP;
    }
    name(BEFORE ? 'after' : 'phase', 'text');
    phases(g, DATA.phases, y, 1);
    y += ROW + GAP + 3;
    if (faults.length) {
      name('faults', 'poor');
      for (const { start, end } of faults) bar(g, start, Math.max(end, start + 1e-6), y + 2, ROW - 4, palette.css('poor'), 0.6);
      for (const { secs } of faults) bar(g, secs, secs, y, ROW, palette.css('poor'));
      y += ROW + GAP;
    }
    for (const row of rows) {
      name(row.name, 'muted');
      ctx.strokeStyle = palette.css('line');
      ctx.beginPath();
      ctx.moveTo(left, Math.round(y + ROW / 2) + 0.5);
      ctx.lineTo(width - RIGHT_PX, Math.round(y + ROW / 2) + 0.5);
      ctx.stroke();
      for (const [, from, to] of row.spans) bar(g, from, to, y + 2, ROW - 4, palette.css(row.side), 0.92);
      y += ROW + GAP;
    }
  };
  const tipOf = (t) => {
    const phase = DATA.phases.find(([, from, to]) => t >= from && t <= to);
    const down = rows.filter((row) => row.spans.some(([, from, to]) => t >= from && t <= to));
    const lines = phase ? [{ colour: KIND_COLOUR[phase[0]], name: KINDS[phase[0]], text: withUnit(phase[2] - phase[1], 2, 's') }] : [];
    // As near as a finger is to a bar that is a frame wide.
    const near = Math.max(FRAME_SECS, (clock.to - clock.from) / 200);
    for (const { start, end, text } of faults) if (t >= start - near && t <= end + near) lines.push({ colour: 'poor', name: text, text: '' });
    return lines.concat(down.map((row) => ({ colour: row.side, name: row.name, text: 'down' })));
  };
  const card = timeCard({
    id: 'contacts', title: 'Contacts', unit: 'drag the ruler to zoom', height, draw, tip: tipOf, rulerHeight: RULER,
    hint: 'who carries the body, and which points are down', values: () => [],
  });
  const legend = document.createElement('div');
  legend.className = 'legend';
  const kinds = new Set(DATA.phases.map(([kind]) => kind));
  for (const [kind, text] of [[2, 'left'], [3, 'right'], [4, 'double'], [1, 'flight'], [5, 'something unmodelled']]) {
    if (!kinds.has(kind)) continue;
    const item = document.createElement('span');
    const swatch = document.createElement('i');
    swatch.className = kind === 1 ? 'hatch' : 'area';
    if (kind !== 1) swatch.style.opacity = 1;
    swatch.style.setProperty('--c', `var(--${KIND_COLOUR[kind]})`);
    item.append(swatch, document.createTextNode(text));
    legend.append(item);
  }
  card.append(legend);
  const reset = document.createElement('button');
  reset.type = 'button';
  reset.className = 'chip';
  reset.id = 'zoom-reset';
  reset.textContent = 'Whole clip';
  reset.title = 'Show the whole clip (0)';
  reset.addEventListener('click', () => setRange(START, END));
  card.querySelector('.values').append(reset);
  views.push({ element: reset, visible: true, stale: true, draw: () => { reset.style.visibility = clock.to - clock.from < (END - START) * 0.999 ? 'visible' : 'hidden'; } });
}
