// The figure without WebGL: shaded capsules, the farthest first.

/** A drum by its two rims and eight staves. */
function rims({ link, side, r, h }) {
  const at = (i, y) => [r * Math.cos((Math.PI * i) / 8), y, r * Math.sin((Math.PI * i) / 8)];
  const bars = [];
  for (let i = 0; i < 16; i++) {
    for (const y of [-h, h]) bars.push({ link, side, a: at(i, y), b: at(i + 1, y), r: 0.012 });
    if (i % 2 === 0) bars.push({ link, side, a: at(i, -h), b: at(i, h), r: 0.008 });
  }
  return bars;
}

/** Every shape as a capsule in its link's frame, or some. */
function capsules(animation) {
  return animation.shapes.flatMap((shape) => {
    const { link, side } = shape;
    if (shape.kind === 'cylinder') return rims(shape);
    if (shape.kind === 'capsule') return { link, side, a: shape.a, b: shape.b, r: shape.r };
    // A box or an ellipsoid: along its longest axis, as thick as the mean of the others.
    const longest = shape.h.indexOf(Math.max(...shape.h));
    const others = shape.h.filter((_, axis) => axis !== longest);
    const r = (others[0] + others[1]) / 2;
    const along = [0, 0, 0];
    along[longest] = Math.max(0, shape.h[longest] - r);
    const d = turn(shape.q, along);
    return { link, side, a: shape.c.map((value, i) => value - d[i]), b: shape.c.map((value, i) => value + d[i]), r };
  });
}

function makePainter(canvas, actors) {
  const bodies = new Map(actors.map((actor) => [actor, capsules(actor.data.animation)]));
  const sheet = document.createElement('canvas');
  const mix = (rgb, other, share) => `rgb(${rgb.map((value, i) => Math.round(value + (other[i] - value) * share)).join(',')})`;

  const hull = (ctx, p, q) => {
    // Outline of two circles and their outer tangents.
    const [dx, dy] = [q.x - p.x, q.y - p.y];
    const gap = Math.hypot(dx, dy);
    ctx.beginPath();
    if (gap <= Math.abs(p.r - q.r) + 1e-6) {
      const big = p.r > q.r ? p : q;
      ctx.arc(big.x, big.y, big.r, 0, 2 * Math.PI);
      return;
    }
    const along = Math.atan2(dy, dx);
    const spread = Math.acos((p.r - q.r) / gap);
    ctx.arc(p.x, p.y, p.r, along + spread, along - spread);
    ctx.arc(q.x, q.y, q.r, along - spread, along + spread);
    ctx.closePath();
  };

  const draw = (triangles, shown) => {
    const { ctx } = fit(canvas);
    const grid = (from, to, alpha) => {
      const [a, b] = [project(from), project(to)];
      if (!a || !b) return;
      ctx.strokeStyle = palette.css('line-strong', alpha);
      ctx.beginPath();
      ctx.moveTo(a[0], a[1]);
      ctx.lineTo(b[0], b[1]);
      ctx.stroke();
    };
    const [cx, cz] = [Math.round(camera.target[0]), Math.round(camera.target[2])];
    for (let i = -5; i <= 5; i++) {
      const alpha = 0.9 - Math.abs(i) * 0.14;
      for (let j = -5; j < 5; j++) {
        const here = Math.max(0.05, alpha - Math.abs(j + 0.5) * 0.1);
        grid([cx + i, FLOOR, cz + j], [cx + i, FLOOR, cz + j + 1], here);
        grid([cx + j, FLOOR, cz + i], [cx + j + 1, FLOOR, cz + i], here);
      }
    }
    for (let i = 0; i + 17 < triangles.length; i += 18) {
      const corners = [0, 6, 12].map((o) => project([triangles[i + o], FLOOR, triangles[i + o + 1]]));
      if (corners.some((corner) => !corner)) continue;
      const [r, g, b, a] = triangles.slice(i + 2, i + 6);
      ctx.fillStyle = `rgba(${r * 255},${g * 255},${b * 255},${a})`;
      ctx.beginPath();
      corners.forEach((corner) => ctx.lineTo(corner[0], corner[1]));
      ctx.fill();
    }
    const seen = [];
    for (const actor of shown) for (const part of bodies.get(actor)) {
      const [a, b] = [inWorld(actor.pose, part.link, part.a), inWorld(actor.pose, part.link, part.b)];
      // Shadow: straight down along the light, as a soft stroke.
      const fall = (p) => project([p[0] - ((p[1] - FLOOR) * LIGHT[0]) / LIGHT[1], FLOOR, p[2] - ((p[1] - FLOOR) * LIGHT[2]) / LIGHT[1]]);
      const [sa, sb] = [fall(a), fall(b)];
      if (sa && sb && !actor.ghost) {
        ctx.lineCap = 'round';
        ctx.strokeStyle = theme.isDark() ? 'rgba(0,0,0,0.28)' : 'rgba(20,28,45,0.10)';
        ctx.lineWidth = Math.max(1, part.r * (sa[3] + sb[3]) * 0.9);
        ctx.beginPath();
        ctx.moveTo(sa[0], sa[1]);
        ctx.lineTo(sb[0] + 0.01, sb[1]);
        ctx.stroke();
      }
      const [p, q] = [project(a), project(b)];
      if (p && q) seen.push({ part, actor, depth: p[2] + q[2], p: { x: p[0], y: p[1], r: part.r * p[3] }, q: { x: q[0], y: q[1], r: part.r * q[3] } });
    }
    ctx.lineWidth = 1;
    seen.sort((a, b) => b.depth - a.depth);
    const paint = (ctx, { part, actor, p, q }) => {
      const rgb = palette.rgb(part.link === actor.chosen ? 'mark' : actor.ghost ? 'before' : part.side);
      const r = Math.max(p.r, q.r);
      const [dx, dy] = [q.x - p.x, q.y - p.y];
      const length = Math.hypot(dx, dy) || 1;
      // Across the capsule, bright on the side that looks up.
      let [nx, ny] = [-dy / length, dx / length];
      if (ny > 0 || (ny === 0 && nx > 0)) [nx, ny] = [-nx, -ny];
      const [mx, my] = [(p.x + q.x) / 2, (p.y + q.y) / 2];
      const shade = ctx.createLinearGradient(mx + nx * r, my + ny * r, mx - nx * r, my - ny * r);
      shade.addColorStop(0, mix(rgb, [255, 255, 255], 0.18));
      shade.addColorStop(0.3, mix(rgb, [255, 255, 255], 0.3));
      shade.addColorStop(1, mix(rgb, [10, 14, 24], 0.45));
      ctx.fillStyle = shade;
      hull(ctx, p, q);
      ctx.fill();
    };
    for (const one of seen.filter(({ actor }) => !actor.ghost)) paint(ctx, one);
    const ghosts = seen.filter(({ actor }) => actor.ghost);
    if (!ghosts.length) return;
    // On a sheet of its own first: half clear as a whole, not part over part.
    [sheet.width, sheet.height] = [canvas.width, canvas.height];
    const over = sheet.getContext('2d');
    over.setTransform(ctx.getTransform());
    for (const one of ghosts) paint(over, one);
    ctx.save();
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.globalAlpha = 0.38;
    ctx.drawImage(sheet, 0, 0);
    ctx.restore();
  };
  return { draw };
}
