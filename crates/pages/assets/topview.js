// From above: footprints, support polygon, centre of mass and zero-moment point.

function addTopView() {
  const canvas = document.getElementById('top');
  const box = canvas.parentElement;
  const s = DATA.series;
  const values = document.getElementById('top-values');
  const fitButton = document.getElementById('top-fit');

  // The main direction of travel runs to the right; seen from above with Y toward the eye, x × z is downward on the screen.
  const angle = heading === null ? 0 : Math.PI / 2 - heading;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const flat = (x, z) => [x * cos + z * sin, -x * sin + z * cos];
  const points = [];
  const stride = Math.max(1, Math.floor(s.n / 1500));
  for (const { n, com } of BEFORE ? [s, BEFORE.series] : [s]) {
    for (let i = 0; i < n; i += stride) {
      if (Number.isFinite(com[0][i]) && Number.isFinite(com[2][i])) points.push(flat(com[0][i], com[2][i]));
    }
  }
  for (const print of DATA.footprints) for (const [x, z] of print.points) points.push(flat(x, z));
  const low = [0, 1].map((axis) => points.reduce((least, p) => Math.min(least, p[axis]), Infinity));
  const high = [0, 1].map((axis) => points.reduce((most, p) => Math.max(most, p[axis]), -Infinity));
  const hasPath = points.length > 0;
  const long = hasPath ? Math.max(high[0] - low[0], high[1] - low[1]) : 0;
  let whole = long < 3.2;
  const setWhole = (on) => { whole = on; fitButton.setAttribute('aria-pressed', String(on)); redraw(); };
  fitButton.setAttribute('aria-pressed', String(whole));
  fitButton.addEventListener('click', () => setWhole(!whole));

  const draw = () => {
    const { ctx, width, height } = fit(canvas);
    if (!hasPath) return;
    const sample = nearest(s.t, clock.t);
    const com = comAt(clock.t);
    let centre = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
    const near = Math.max(1.15 * bodySize, 0.6);
    let scale = Math.min((height - 36) / near, (width - 40) / near);
    if (whole) {
      scale = Math.min(scale * 1.4, (width - 60) / Math.max(high[0] - low[0] + 0.3, 0.2), (height - 40) / Math.max(high[1] - low[1] + 0.3, 0.2));
    } else if (com) {
      centre = flat(com[0], com[2]);
    }
    const at = (x, z) => {
      const [u, v] = flat(x, z);
      return [width / 2 + (u - centre[0]) * scale, height / 2 + (v - centre[1]) * scale];
    };
    drawGrid(ctx, width, height, centre, scale);
    const line = (xs, zs, from, to, colour, widthPx, step = 1) => {
      ctx.strokeStyle = colour;
      ctx.lineWidth = widthPx;
      ctx.lineJoin = 'round';
      ctx.beginPath();
      let down = false;
      for (let i = from; i <= to; i += step) {
        if (!Number.isFinite(xs[i]) || !Number.isFinite(zs[i])) { down = false; continue; }
        const [px, py] = at(xs[i], zs[i]);
        if (down) ctx.lineTo(px, py); else ctx.moveTo(px, py);
        down = true;
      }
      ctx.stroke();
    };
    for (const print of DATA.footprints) {
      const now = clock.t >= print.start && clock.t <= print.end;
      ctx.strokeStyle = palette.css(print.side, now ? 0.85 : 0.22);
      ctx.lineCap = ctx.lineJoin = 'round';
      ctx.lineWidth = Math.max(3, 0.075 * scale * Math.min(1, bodySize / 1.5));
      ctx.beginPath();
      for (const [x, z] of print.points) ctx.lineTo(...at(x, z));
      if (print.points.length === 1) { const [px, py] = at(...print.points[0]); ctx.lineTo(px + 0.1, py); }
      ctx.stroke();
    }
    if (BEFORE) drawBefore(ctx, at, line);
    const polygon = polygonAt(sample);
    if (polygon) {
      ctx.beginPath();
      polygon.forEach(([x, z]) => ctx.lineTo(...at(x, z)));
      ctx.closePath();
      ctx.fillStyle = palette.css('double', 0.16);
      ctx.fill();
      ctx.strokeStyle = palette.css('double');
      ctx.lineWidth = 1.5;
      ctx.stroke();
    }
    line(s.com[0], s.com[2], 0, s.n - 1, palette.css('com', 0.28), 1.2, stride);
    const recent = indexAt(s.t, clock.t - 0.6);
    // Before and after are compared as wholes.
    if (BEFORE) line(s.zmp[0], s.zmp[2], 0, s.n - 1, palette.css('zmp', whole ? 0.5 : 0.25), 1.1);
    line(s.zmp[0], s.zmp[2], recent, sample, palette.css('zmp', 0.55), 1.6);
    line(s.com[0], s.com[2], recent, sample, palette.css('com', 0.8), 1.8);
    const dot = ([px, py], colour) => {
      ctx.beginPath();
      ctx.arc(px, py, 5, 0, 2 * Math.PI);
      ctx.fillStyle = colour;
      ctx.fill();
      ctx.lineWidth = 2;
      ctx.strokeStyle = palette.css('card');
      ctx.stroke();
    };
    if (com) dot(at(com[0], com[2]), palette.css('com'));
    const zmp = [s.zmp[0][sample], s.zmp[2][sample]];
    if (zmp.every(Number.isFinite)) dot(at(...zmp), palette.css('zmp'));
    drawScale(ctx, width, height, scale);
    const text = Number.isFinite(s.zmp_distance[sample]) ? `ZMP ${lengthText(s.zmp_distance[sample])} outside` : '';
    const balance = Number.isFinite(s.balance[sample]) ? `COM ${lengthText(s.balance[sample])} outside` : '';
    const both = [text, balance].filter(Boolean).join(' · ');
    if (values.textContent !== both) values.textContent = both;
  };

  /** Tracks and places of the motion before; its support polygon where it stands elsewhere. */
  const drawBefore = (ctx, at, line) => {
    const b = BEFORE.series;
    const sample = nearest(b.t, clock.t);
    const recent = indexAt(b.t, clock.t - 0.6);
    const polygon = polygonAt(sample, BEFORE);
    if (polygon) {
      ctx.beginPath();
      polygon.forEach(([x, z]) => ctx.lineTo(...at(x, z)));
      ctx.closePath();
      ctx.strokeStyle = palette.css('before', 0.8);
      ctx.setLineDash([4, 3]);
      ctx.lineWidth = 1.2;
      ctx.stroke();
      ctx.setLineDash([]);
    }
    line(b.zmp[0], b.zmp[2], 0, b.n - 1, palette.css('before', whole ? 0.6 : 0.3), 1.1);
    line(b.com[0], b.com[2], 0, b.n - 1, palette.css('before', 0.5), 1.2, stride);
    line(b.zmp[0], b.zmp[2], recent, sample, palette.css('before', 0.9), 1.6);
    const marks = [[comAt(clock.t, BEFORE), true], [b.zmp.map((axis) => axis[sample]), false]];
    for (const [point, isCom] of marks) {
      if (!point?.every(Number.isFinite)) continue;
      ctx.beginPath();
      ctx.arc(...at(point[0], point[2]), 4.5, 0, 2 * Math.PI);
      ctx.fillStyle = isCom ? palette.css('before') : palette.css('card');
      ctx.fill();
      ctx.lineWidth = 2;
      ctx.strokeStyle = isCom ? palette.css('card') : palette.css('before');
      ctx.stroke();
    }
  };

  const drawGrid = (ctx, width, height, centre, scale) => {
    const step = niceStep(width / scale, width, 56);
    ctx.strokeStyle = palette.css('line', 0.7);
    ctx.lineWidth = 1;
    ctx.beginPath();
    for (const [axis, size] of [[0, width], [1, height]]) {
      const reach = size / 2 / scale;
      for (let k = Math.ceil((centre[axis] - reach) / step); k * step < centre[axis] + reach; k++) {
        const px = Math.round(size / 2 + (k * step - centre[axis]) * scale) + 0.5;
        if (axis) { ctx.moveTo(0, px); ctx.lineTo(width, px); } else { ctx.moveTo(px, 0); ctx.lineTo(px, height); }
      }
    }
    ctx.stroke();
  };

  const drawScale = (ctx, width, height, scale) => {
    const step = niceStep(width / scale, width, 70);
    const [x0, y0] = [16, height - 12];
    ctx.strokeStyle = palette.css('muted');
    ctx.lineWidth = 1.5;
    ctx.beginPath();
    ctx.moveTo(x0, y0 - 4);
    ctx.lineTo(x0, y0);
    ctx.lineTo(x0 + step * scale, y0);
    ctx.lineTo(x0 + step * scale, y0 - 4);
    ctx.stroke();
    ctx.font = FONT;
    ctx.textAlign = 'left';
    ctx.textBaseline = 'bottom';
    ctx.fillStyle = palette.css('muted');
    ctx.fillText(step >= 1 ? `${fixed(step, 0)} m` : `${fixed(step * 100, 0)} cm`, x0 + 6, y0 - 4);
  };
  addView(box, draw);
}
