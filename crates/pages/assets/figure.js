// The stage: figures, overlays (centre of mass, zero-moment point, trail, support polygon), camera control.

function makeFigure() {
  const box = document.getElementById('scene');
  const base = document.getElementById('scene-body');
  const over = document.getElementById('scene-over');
  const hud = document.getElementById('hud');
  const makeActor = (data, name) => ({ data, name, pose: makePose(data.animation), shift: [0, 0, 0], ghost: false, chosen: null });
  const after = makeActor(DATA, 'after');
  const before = BEFORE && makeActor(BEFORE, 'before');
  const actors = before ? [before, after] : [after];
  let which = before ? 'both' : 'after';
  let painter = null;
  if (!location.hash.includes('canvas2d')) {
    try { painter = makeGl(base, actors); } catch (error) { console.warn(`WebGL: ${error.message}`); }
  }
  const isGl = painter !== null;
  if (!isGl) {
    // A canvas that was asked for WebGL gives no 2D context any more.
    const fresh = base.cloneNode();
    base.replaceWith(fresh);
    painter = makePainter(fresh, actors);
  }
  document.documentElement.dataset.painter = isGl ? 'webgl' : 'canvas';
  const canvas = document.getElementById('scene-body');
  resetCamera();

  const push = (out, points, rgb, alpha) => {
    const colour = [...rgb.map((value) => value / 255), alpha];
    for (let i = 1; i + 1 < points.length; i++) for (const p of [points[0], points[i], points[i + 1]]) out.push(p[0], p[1], ...colour);
  };
  const ribbon = (out, points, width, rgb, alpha) => {
    for (let i = 0; i + 1 < points.length; i++) {
      const [a, b] = [points[i], points[i + 1]];
      const [dx, dz] = [b[0] - a[0], b[1] - a[1]];
      const length = Math.hypot(dx, dz);
      if (length < 1e-6) continue;
      const [nx, nz] = [(-dz / length) * width / 2, (dx / length) * width / 2];
      push(out, [[a[0] + nx, a[1] + nz], [b[0] + nx, b[1] + nz], [b[0] - nx, b[1] - nz], [a[0] - nx, a[1] - nz]], rgb, alpha);
    }
  };

  /** Flat marks: the support polygons of those who are shown. */
  const groundMarks = (t, shown) => {
    const out = [];
    for (const { data, shift, ghost } of shown) {
      const polygon = polygonAt(nearest(data.series.t, t), data)?.map(([x, z]) => [x + shift[0], z + shift[2]]);
      if (!polygon || polygon.length < 3) continue;
      const rgb = palette.rgb(ghost ? 'before' : 'double');
      push(out, polygon, rgb, ghost ? 0.12 : 0.28);
      ribbon(out, [...polygon, polygon[0]], 0.008 * Math.max(1, bodySize / 1.7), rgb, ghost ? 0.5 : 0.95);
    }
    return new Float32Array(out);
  };

  const dot = (ctx, at, radius, fill, ring) => {
    ctx.beginPath();
    ctx.arc(at[0], at[1], radius, 0, 2 * Math.PI);
    ctx.fillStyle = fill;
    ctx.fill();
    ctx.lineWidth = 2;
    ctx.strokeStyle = ring;
    ctx.stroke();
  };

  const drawOver = (ctx, t, { data, shift, ghost, name }) => {
    const s = data.series;
    const sample = nearest(s.t, t);
    const colours = ghost ? { com: 'before', zmp: 'before' } : { com: 'com', zmp: 'zmp' };
    const moved = (point) => point.map((value, axis) => value + shift[axis]);
    // Trail of the centre of mass: the last second and a half, fading.
    ctx.lineWidth = 2;
    ctx.lineCap = 'round';
    const first = indexAt(s.t, t - 1.5);
    const step = Math.max(1, Math.floor((sample - first) / 90));
    let last = null;
    // Side by side each stands where it is shown, and not where it came from.
    for (let i = first; i <= sample && which !== 'side'; i += step) {
      const point = [s.com[0][i], s.com[1][i], s.com[2][i]];
      const at = point.every(Number.isFinite) ? project(point) : null;
      if (last && at) {
        ctx.strokeStyle = palette.css(colours.com, 0.5 * (1 - (t - s.t[i]) / 1.5));
        ctx.beginPath();
        ctx.moveTo(last[0], last[1]);
        ctx.lineTo(at[0], at[1]);
        ctx.stroke();
      }
      last = at;
    }
    const com = comAt(t, data);
    const zmp = s.zmp.map((axis) => axis[sample]);
    const zmpAt = zmp.every(Number.isFinite) && Math.hypot(zmp[0] - (com?.[0] ?? 0), zmp[2] - (com?.[2] ?? 0)) < 4 * bodySize
      ? project(moved(zmp)) : null;
    const comAtPx = com ? project(moved(com)) : null;
    if (comAtPx) {
      const foot = project(moved([com[0], FLOOR, com[2]]));
      if (foot) {
        ctx.setLineDash([2, 4]);
        ctx.lineWidth = 1;
        ctx.strokeStyle = palette.css(colours.com, 0.45);
        ctx.beginPath();
        ctx.moveTo(comAtPx[0], comAtPx[1]);
        ctx.lineTo(foot[0], foot[1]);
        ctx.stroke();
        ctx.setLineDash([]);
        dot(ctx, foot, 2.5, palette.css(colours.com, 0.7), palette.css('card', 0));
        if (which === 'side') {
          ctx.font = FONT;
          ctx.textAlign = 'center';
          ctx.fillStyle = palette.css('muted');
          ctx.fillText(name, foot[0], foot[1] + 34);
        }
      }
      dot(ctx, comAtPx, 5, palette.css(colours.com), palette.css('card'));
    }
    if (zmpAt) dot(ctx, zmpAt, 5, ghost ? palette.css('card') : palette.css('zmp'), palette.css(ghost ? 'zmp' : 'card'));
  };

  const write = (t) => {
    const shown = which === 'before' ? before : after;
    const s = shown.data.series;
    const sample = nearest(s.t, t);
    const load = s.load[sample];
    const kind = KIND_TEXT[s.kind[sample]] || ' ';
    const text = Number.isFinite(load) ? `${fixed(load, 2)} × body weight` : '';
    if (hud.dataset.text === kind + text) return;
    hud.dataset.text = kind + text;
    const title = document.createElement('b');
    title.textContent = kind;
    hud.replaceChildren(title, document.createTextNode(text));
  };

  /** Who is seen, how, and where. Side by side both stand beside the place where the body is after. */
  const cast = (t) => {
    const shown = actors.filter((actor) => which === 'both' || which === 'side' || which === actor.name);
    for (const actor of shown) {
      actor.ghost = which === 'both' && actor === before;
      actor.shift = [0, 0, 0];
    }
    if (which === 'side') {
      const [here, there] = [comAt(t), comAt(t, BEFORE)];
      const apart = 0.36 * bodySize;
      const across = [Math.cos(camera.yaw) * apart, 0, -Math.sin(camera.yaw) * apart];
      after.shift = across;
      before.shift = here && there ? [here[0] - there[0] - across[0], 0, here[2] - there[2] - across[2]] : across.map((value) => -value);
    }
    for (const actor of shown) poseAt(actor.pose, actor.data.animation, t, actor.shift);
    return shown;
  };

  const draw = () => {
    const t = clock.t;
    const shown = cast(t);
    camera.width = box.clientWidth;
    camera.height = box.clientHeight;
    if (isGl) {
      const ratio = Math.min(2, devicePixelRatio || 1);
      const [w, h] = [Math.round(camera.width * ratio), Math.round(camera.height * ratio)];
      if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
    }
    placeCamera(comAt(t, which === 'before' ? BEFORE : DATA));
    painter.draw(groundMarks(t, shown), shown);
    const { ctx } = fit(over);
    for (const actor of shown) drawOver(ctx, t, actor);
    write(t);
  };
  addView(box, draw);

  // ---- turning and zooming
  const pointers = new Map();
  let pinch = 0;
  const zoom = (factor) => { camera.distance = clamp(camera.distance * factor, 0.3 * bodySize, 40 * bodySize); redraw(); };
  over.addEventListener('pointerdown', (event) => {
    over.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    pinch = 0;
  });
  over.addEventListener('pointermove', (event) => {
    const was = pointers.get(event.pointerId);
    if (!was) return;
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    if (pointers.size === 1) {
      camera.yaw -= (event.clientX - was[0]) * 0.008;
      camera.pitch = clamp(camera.pitch + (event.clientY - was[1]) * 0.006, -0.1, 1.5);
      redraw();
    } else {
      const [a, b] = [...pointers.values()];
      const gap = Math.hypot(a[0] - b[0], a[1] - b[1]);
      if (pinch) zoom(pinch / Math.max(gap, 1));
      pinch = gap;
    }
  });
  const lift = (event) => { pointers.delete(event.pointerId); pinch = 0; };
  over.addEventListener('pointerup', lift);
  over.addEventListener('pointercancel', lift);
  over.addEventListener('wheel', (event) => { event.preventDefault(); zoom(Math.exp(clamp(event.deltaY, -120, 120) * 0.0016)); }, { passive: false });

  const followButton = document.getElementById('follow');
  const setFollow = (on) => { camera.follow = on; followButton.setAttribute('aria-pressed', String(on)); redraw(); };
  setFollow(!partWays);
  followButton.addEventListener('click', () => setFollow(!camera.follow));
  const reset = () => { resetCamera(); redraw(); };
  document.getElementById('reset-view').addEventListener('click', reset);

  const choices = [...document.querySelectorAll('[data-which]')];
  const show = (name) => {
    which = name;
    for (const choice of choices) {
      const on = choice.dataset.which === name;
      choice.setAttribute('aria-checked', String(on));
      choice.tabIndex = on ? 0 : -1;
    }
    hud.dataset.text = '';
    redraw();
  };
  choices.forEach((choice, index) => {
    choice.addEventListener('click', () => show(choice.dataset.which));
    choice.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      const next = choices[(index + step + choices.length) % choices.length];
      show(next.dataset.which);
      next.focus();
    });
  });
  return {
    toggleFollow: () => setFollow(!camera.follow),
    reset,
    show: (index) => { if (choices[index]) show(choices[index].dataset.which); },
    /** Links are counted as in the figure after; the one before has the same skeleton. */
    choose: (link) => { for (const actor of actors) actor.chosen = link; redraw(); },
  };
}
