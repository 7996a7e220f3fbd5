// What only a receipt shows: drift of each contact before and after, how the error fell, how far joints were turned.

/** Each contact as a line from touchdown to lift-off, as high as the point slid. */
function addDrifts() {
  const bars = (data, isBefore) => data.contacts.filter(([, , , drift]) => Number.isFinite(drift))
    .map(([effector, from, to, drift]) => ({ name: data.effectors[effector].name, from, to, drift, colour: isBefore ? 'before' : data.effectors[effector].side }));
  const [before, after] = [bars(BEFORE, true), bars(DATA, false)];
  if (!before.length && !after.length) return;
  const most = Math.max(0.005, ...[...before, ...after].map(({ drift }) => drift)) * 1.12;
  const draw = (g) => {
    const { ctx, left, right, x } = g;
    const [top, bottom] = [TOP_PX, g.height - BOTTOM_PX];
    const y = (value) => bottom - (value / most) * (bottom - top);
    timeTicks(g, top, bottom, g.height - 6);
    valueTicks(g, [0, most], y, 1000);
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top - 2, right - left, bottom - top + 6);
    ctx.clip();
    shadePhases(g, top, bottom);
    ctx.lineCap = 'round';
    for (const [list, width] of [[before, 2.5], [after, 4]]) {
      for (const bar of list) {
        ctx.strokeStyle = palette.css(bar.colour, list === before ? 0.9 : 1);
        ctx.lineWidth = width;
        ctx.beginPath();
        ctx.moveTo(x(bar.from) + 2, y(bar.drift));
        ctx.lineTo(Math.max(x(bar.from) + 2.1, x(bar.to) - 2), y(bar.drift));
        ctx.stroke();
      }
    }
    ctx.restore();
  };
  const at = (list, t) => list.filter((bar) => t >= bar.from && t <= bar.to);
  const worst = (list, t) => lengthText(Math.max(...at(list, t).map(({ drift }) => drift)));
  timeCard({
    id: 'drift', title: 'Drift of each contact', unit: 'mm, rolling left out', height: 132, draw,
    hint: 'how far each heel, ball or toe slides while it stands',
    legend: [{ name: 'before', colour: 'before' }, { name: 'after', colour: 'double' }],
    values: (_, t) => [worst(before, t), worst(after, t)],
    tip: (t) => [...at(before, t).map((bar) => ({ ...bar, name: `${bar.name}, before`, text: lengthText(bar.drift) })),
      ...at(after, t).map((bar) => ({ ...bar, text: lengthText(bar.drift) }))],
  });
}

/** Distance between the parts of the body before and after, at each stored pose. */
function partsMoved() {
  const [a, b] = [DATA.animation, BEFORE.animation];
  const links = Math.min(a.own, b.own);
  const [here, there] = [makePose(a), makePose(b)];
  const [mean, most] = [new Float32Array(a.n), new Float32Array(a.n)];
  const [first, last] = [b.t[0], b.t[b.n - 1]];
  for (let i = 0; i < a.n; i++) {
    // Where one of the two has ended there is nothing to compare.
    if (!links || a.t[i] < first - FRAME_SECS || a.t[i] > last + FRAME_SECS) { mean[i] = most[i] = NaN; continue; }
    poseAt(here, a, a.t[i]);
    poseAt(there, b, a.t[i]);
    for (let link = 0; link < links; link++) {
      const o = 8 * link;
      const gap = Math.hypot(here[o] - there[o], here[o + 1] - there[o + 1], here[o + 2] - there[o + 2]);
      mean[i] += gap / links;
      most[i] = Math.max(most[i], gap);
    }
  }
  return { t: a.t, mean, most };
}

/** Error over iterations, one panel for each kind of error (figure 9 of Shin, Kovar and Gleicher 2003). */
function addConvergence() {
  const box = document.getElementById('convergence');
  if (!box) return;
  const kinds = new Map();
  for (const stage of PAGE.convergence.filter(({ values }) => values.length)) {
    const key = JSON.stringify([stage.error, stage.unit]);
    if (!kinds.has(key)) kinds.set(key, []);
    kinds.get(key).push(stage);
  }
  for (const stages of kinds.values()) addConvergencePanel(box, stages);
}

function addConvergencePanel(box, stages) {
  const { error, unit } = stages[0];
  const all = stages.flatMap(({ values }) => values);
  const isLength = unit === 'm';
  const isSmall = isLength && Math.max(...all) < 0.0095;
  const [shownUnit, scale] = isSmall ? ['mm', 1000] : isLength ? ['cm', 100] : [unit, 1];
  const text = (value) => (isLength ? lengthText(value) : withUnit(value, Math.abs(value) < 1 ? 3 : 2, unit));
  const panel = document.createElement('figure');
  const caption = document.createElement('figcaption');
  caption.textContent = `${error.charAt(0).toUpperCase()}${error.slice(1)}, ${shownUnit}`;
  const canvasBox = document.createElement('div');
  canvasBox.className = 'canvas-box curve-box';
  const canvas = document.createElement('canvas');
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', `${error} over ${all.length} iterations of ${stages.length} steps: from ${text(all[0])} to ${text(all[all.length - 1])}`);
  canvasBox.append(canvas);
  panel.append(caption, canvasBox);
  box.append(panel);
  const most = Math.max(...all, 1e-9) * 1.12;
  // A step ends where the next begins: the error before the next step is the error after this one.
  const points = [];
  stages.forEach((stage, index) => stage.values.forEach((value, iteration) => points.push({ value, iteration, stage, index })));
  const tints = ['left', 'right', 'double', 'zmp', 'fair', 'accent'];
  let hover = null;
  const geometry = () => {
    const [left, right] = [52, canvas.clientWidth - 16];
    const gap = (right - left) / Math.max(1, points.length - 1 + 0.6);
    return { left, right, x: (i) => left + gap * (i + 0.3), gap };
  };
  const draw = () => {
    const { ctx, height } = fit(canvas);
    const { left, right, x, gap } = geometry();
    const [top, bottom] = [22, height - 22];
    const y = (value) => bottom - (value / most) * (bottom - top);
    valueTicks({ ctx, left, right }, [0, most], y, scale);
    ctx.font = FONT;
    let start = 0;
    stages.forEach((stage, index) => {
      const end = start + stage.values.length;
      const [a, b] = [Math.max(left, x(start) - gap / 2), Math.min(right, x(end - 1) + gap / 2)];
      const tint = tints[index % tints.length];
      ctx.fillStyle = palette.css(tint, 0.08);
      ctx.fillRect(a, top - 4, b - a - 1, bottom - top + 4);
      ctx.fillStyle = palette.css(tint);
      ctx.textAlign = 'center';
      ctx.textBaseline = 'alphabetic';
      ctx.fillText(shortened(ctx, stage.name.replaceAll('_', ' '), b - a - 6), (a + b) / 2, top - 9);
      start = end;
    });
    ctx.strokeStyle = palette.css('muted', 0.7);
    ctx.lineWidth = 1.5;
    ctx.beginPath();
    points.forEach(({ value }, i) => ctx.lineTo(x(i), y(value)));
    ctx.stroke();
    points.forEach(({ value, index, iteration }, i) => {
      ctx.beginPath();
      ctx.arc(x(i), y(value), i === hover ? 5 : 3, 0, 2 * Math.PI);
      ctx.fillStyle = palette.css(tints[index % tints.length]);
      ctx.fill();
      if (gap > 15) {
        ctx.fillStyle = palette.css('faint');
        ctx.textBaseline = 'alphabetic';
        ctx.textAlign = 'center';
        ctx.fillText(String(iteration), x(i), height - 7);
      }
    });
    const ends = [[0, 'left'], [points.length - 1, 'right']];
    ctx.fillStyle = palette.css('text');
    ctx.textBaseline = 'bottom';
    for (const [i, align] of ends) {
      ctx.textAlign = align;
      ctx.fillText(text(points[i].value), x(i), Math.max(top + 10, y(points[i].value) - 7));
    }
  };
  const view = addView(canvasBox, () => {}, draw);
  canvasBox.addEventListener('pointermove', (event) => {
    const { left, gap } = geometry();
    const i = clamp(Math.round((event.clientX - canvas.getBoundingClientRect().left - left) / gap - 0.3), 0, points.length - 1);
    if (i !== hover) { hover = i; view.stale = true; redraw(); }
    const { value, iteration, stage, index } = points[i];
    showTipWith(event, `${stage.name.replaceAll('_', ' ')}, iteration ${iteration}`, [{ colour: tints[index % tints.length], name: error, text: text(value) }]);
  });
  canvasBox.addEventListener('pointerleave', () => { hover = null; view.stale = true; hideTip(); redraw(); });
}

/** As much of a name as there is room for. */
function shortened(ctx, name, room) {
  let text = name;
  while (text.length > 1 && ctx.measureText(text).width > room) text = `${text.slice(0, -2)}…`;
  return ctx.measureText(text).width > room ? '' : text;
}

/** Bars of joints, and moments at which something is wrong, show the joint in the figure at that moment. */
function addJoints(figure) {
  const joints = [...document.querySelectorAll('.joint, button.moment')];
  const choose = (joint) => {
    const on = joint.getAttribute('aria-pressed') !== 'true';
    for (const other of joints) other.setAttribute('aria-pressed', String(on && other === joint));
    figure.choose(on && joint.dataset.link !== undefined ? Number(joint.dataset.link) : null);
    if (!on) return;
    setPlaying(false);
    setTime(Number(joint.dataset.secs));
    // On a phone the figure is a screen away from the list.
    document.getElementById('scene').scrollIntoView({ block: 'nearest' });
  };
  for (const joint of joints) joint.addEventListener('click', () => choose(joint));
}

/** The command goes to the clipboard; where that is forbidden it is selected, ready to be copied. */
function addCopy() {
  const button = document.getElementById('copy');
  const command = document.getElementById('command');
  button?.addEventListener('click', async () => {
    const select = () => {
      const range = document.createRange();
      range.selectNodeContents(command);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
    };
    try { await navigator.clipboard.writeText(command.textContent); button.textContent = 'Copied'; } catch { select(); button.textContent = 'Selected'; }
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
}
