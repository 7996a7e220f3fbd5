// The stage: figure, overlays (centre of mass, zero-moment point, trail, support polygon), camera control.

function makeFigure() {
  const box = document.getElementById('scene');
  const base = document.getElementById('scene-body');
  const over = document.getElementById('scene-over');
  const hud = document.getElementById('hud');
  let painter = null;
  if (!location.hash.includes('canvas2d')) {
    try { painter = makeGl(base); } catch (error) { console.warn(`WebGL: ${error.message}`); }
  }
  const isGl = painter !== null;
  if (!isGl) {
    // A canvas that was asked for WebGL gives no 2D context any more.
    const fresh = base.cloneNode();
    base.replaceWith(fresh);
    painter = makePainter(fresh);
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
  const outline = (points, width) => points.map((_, i) => [points[i], points[(i + 1) % points.length]]).flatMap((pair) => {
    const out = [];
    ribbon(out, pair, width, palette.rgb('double'), 0.95);
    return out;
  });

  /** Flat marks: earlier and current footprints' polygon. */
  const groundMarks = (sample) => {
    const out = [];
    const polygon = polygonAt(sample);
    if (polygon && polygon.length > 2) {
      push(out, polygon, palette.rgb('double'), 0.28);
      out.push(...outline(polygon, 0.008 * Math.max(1, bodySize / 1.7)));
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

  const drawOver = (t, sample) => {
    const { ctx } = fit(over);
    const s = DATA.series;
    // Trail of the centre of mass: the last second and a half, fading.
    ctx.lineWidth = 2;
    ctx.lineCap = 'round';
    const first = indexAt(s.t, t - 1.5);
    const step = Math.max(1, Math.floor((sample - first) / 90));
    let before = null;
    for (let i = first; i <= sample; i += step) {
      const point = [s.com[0][i], s.com[1][i], s.com[2][i]];
      const at = point.every(Number.isFinite) ? project(point) : null;
      if (before && at) {
        ctx.strokeStyle = palette.css('com', 0.5 * (1 - (t - s.t[i]) / 1.5));
        ctx.beginPath();
        ctx.moveTo(before[0], before[1]);
        ctx.lineTo(at[0], at[1]);
        ctx.stroke();
      }
      before = at;
    }
    const com = comAt(t);
    const zmp = s.zmp.map((axis) => axis[sample]);
    const zmpAt = zmp.every(Number.isFinite) && Math.hypot(zmp[0] - (com?.[0] ?? 0), zmp[2] - (com?.[2] ?? 0)) < 4 * bodySize
      ? project(zmp) : null;
    const comAtPx = com ? project(com) : null;
    if (comAtPx) {
      const foot = project([com[0], FLOOR, com[2]]);
      if (foot) {
        ctx.setLineDash([2, 4]);
        ctx.lineWidth = 1;
        ctx.strokeStyle = palette.css('com', 0.45);
        ctx.beginPath();
        ctx.moveTo(comAtPx[0], comAtPx[1]);
        ctx.lineTo(foot[0], foot[1]);
        ctx.stroke();
        ctx.setLineDash([]);
        dot(ctx, foot, 2.5, palette.css('com', 0.7), palette.css('card', 0));
      }
      dot(ctx, comAtPx, 5, palette.css('com'), palette.css('card'));
    }
    if (zmpAt) dot(ctx, zmpAt, 5, palette.css('zmp'), palette.css('card'));
  };

  const write = (sample) => {
    const s = DATA.series;
    const load = s.load[sample];
    const kind = KIND_TEXT[s.kind[sample]] || ' ';
    const text = Number.isFinite(load) ? `${fixed(load, 2)} × body weight` : '';
    if (hud.dataset.text === kind + text) return;
    hud.dataset.text = kind + text;
    const title = document.createElement('b');
    title.textContent = kind;
    hud.replaceChildren(title, document.createTextNode(text));
  };

  const draw = () => {
    const t = clock.t;
    const sample = nearest(DATA.series.t, t);
    poseAt(t);
    camera.width = box.clientWidth;
    camera.height = box.clientHeight;
    if (isGl) {
      const ratio = Math.min(2, devicePixelRatio || 1);
      const [w, h] = [Math.round(camera.width * ratio), Math.round(camera.height * ratio)];
      if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
    }
    placeCamera(comAt(t));
    painter.draw(groundMarks(sample));
    drawOver(t, sample);
    write(sample);
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
  followButton.addEventListener('click', () => setFollow(!camera.follow));
  const reset = () => { resetCamera(); redraw(); };
  document.getElementById('reset-view').addEventListener('click', reset);
  return { toggleFollow: () => setFollow(!camera.follow), reset };
}
