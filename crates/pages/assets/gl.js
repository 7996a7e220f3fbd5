// Figures in WebGL 2: lit shapes, ghosts of them, a ground with a grid, and a shadow map. `makeGl` gives null where WebGL is missing.

const LIGHT = (() => { const v = [0.45, 1, 0.35]; const l = Math.hypot(...v); return v.map((x) => x / l); })();
const SIDES = ['middle', 'left', 'right', 'other', 'thing'];

/** Meshes of all shapes in link frames: x y z, nx ny nz, link, side. */
function figureMesh(animation) {
  const vertices = [];
  const indices = [];
  const [HALF, AROUND] = [7, 24];
  const RINGS = 2 * HALF + 1;
  for (const shape of animation.shapes) {
    const side = SIDES.indexOf(shape.side);
    const base = vertices.length / 8;
    let axis = [0, 0, 1];
    if (shape.kind === 'capsule') {
      const d = shape.b.map((value, i) => value - shape.a[i]);
      const length = Math.hypot(...d);
      if (length > 1e-6) axis = d.map((value) => value / length);
    }
    if (shape.kind === 'cylinder') axis = [0, 1, 0];
    const helper = Math.abs(axis[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0];
    let e1 = [helper[1] * axis[2] - helper[2] * axis[1], helper[2] * axis[0] - helper[0] * axis[2], helper[0] * axis[1] - helper[1] * axis[0]];
    const l1 = Math.hypot(...e1);
    e1 = e1.map((value) => value / l1);
    const e2 = [axis[1] * e1[2] - axis[2] * e1[1], axis[2] * e1[0] - axis[0] * e1[2], axis[0] * e1[1] - axis[1] * e1[0]];
    for (let ring = 0; ring <= RINGS; ring++) {
      // Rings of a sphere from pole to pole; the equator stands twice, so that capsules have straight tubes and boxes flat sides.
      const upper = ring > HALF;
      const along = upper ? Math.max(1e-5, Math.sin((Math.PI / 2) * ((ring - HALF - 1) / HALF))) : Math.min(-1e-5, -Math.cos((Math.PI / 2) * (ring / HALF)));
      const out = Math.sqrt(Math.max(0, 1 - along * along));
      for (let step = 0; step <= AROUND; step++) {
        const phi = (2 * Math.PI * (step + 0.5)) / AROUND;
        const [c, s] = [Math.cos(phi) * out, Math.sin(phi) * out];
        const n = [0, 1, 2].map((i) => axis[i] * along + e1[i] * c + e2[i] * s);
        let [p, normal] = [n, n];
        if (shape.kind === 'capsule') {
          const end = upper ? shape.b : shape.a;
          p = n.map((value, i) => end[i] + value * shape.r);
        } else if (shape.kind === 'cylinder') {
          // Two rings from the pole on are the flat end, with a sharp rim; all others stand on it.
          const [end, fromPole] = upper ? [1, RINGS - ring] : [-1, ring];
          const radial = [0, 1, 2].map((i) => e1[i] * Math.cos(phi) + e2[i] * Math.sin(phi));
          const r = fromPole === 0 ? 0 : shape.r;
          p = radial.map((value, i) => value * r + axis[i] * end * shape.h);
          normal = fromPole <= 1 ? axis.map((value) => value * end) : radial;
        } else if (shape.kind === 'ellipsoid') {
          p = turn(shape.q, n.map((value, i) => value * shape.h[i])).map((value, i) => value + shape.c[i]);
          const m = n.map((value, i) => value / Math.max(shape.h[i], 1e-4));
          const l = Math.hypot(...m);
          normal = turn(shape.q, m.map((value) => value / l));
        } else {
          // A box with round edges: a sphere whose octants are pulled apart.
          const r = 0.75 * Math.min(...shape.h);
          p = turn(shape.q, n.map((value, i) => Math.sign(value) * (shape.h[i] - r) + value * r)).map((value, i) => value + shape.c[i]);
          normal = turn(shape.q, n);
        }
        vertices.push(...p, ...normal, shape.link, side);
      }
    }
    const row = AROUND + 1;
    for (let ring = 0; ring < RINGS; ring++) {
      for (let step = 0; step < AROUND; step++) {
        const at = base + ring * row + step;
        indices.push(at, at + 1, at + row, at + 1, at + row + 1, at + row);
      }
    }
  }
  return { vertices: new Float32Array(vertices), indices: new Uint32Array(indices) };
}

const PLACE = `
uniform highp sampler2D poses;
vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
vec3 placed(vec3 p, float link) {
  vec4 at = texelFetch(poses, ivec2(2 * int(link), 0), 0);
  return at.xyz + turned(texelFetch(poses, ivec2(2 * int(link) + 1, 0), 0), p);
}
vec3 facing(vec3 n, float link) { return turned(texelFetch(poses, ivec2(2 * int(link) + 1, 0), 0), n); }`;
const LIT = `
uniform highp sampler2DShadow shadows;
uniform mat4 lightFromWorld;
float lit(vec3 p) {
  vec4 s = lightFromWorld * vec4(p, 1.0);
  vec3 c = s.xyz * 0.5 + 0.5;
  if (any(lessThan(c, vec3(0.0))) || any(greaterThan(c, vec3(1.0)))) return 1.0;
  float sum = 0.0;
  for (int i = -1; i <= 1; i++) for (int j = -1; j <= 1; j++)
    sum += texture(shadows, vec3(c.xy + vec2(i, j) * 1.6 / 1024.0, c.z - 0.0025));
  return sum / 9.0;
}`;
const HEAD = '#version 300 es\nprecision highp float; precision highp int;\n';

function makeGl(canvas, actors) {
  const gl = canvas.getContext('webgl2', { antialias: true, alpha: true, premultipliedAlpha: true });
  if (!gl) return null;
  const program = (vertex, fragment) => {
    const it = gl.createProgram();
    for (const [type, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, HEAD + text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(it, shader);
    }
    gl.linkProgram(it);
    if (!gl.getProgramParameter(it, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(it));
    const at = {};
    for (let i = 0; i < gl.getProgramParameter(it, gl.ACTIVE_UNIFORMS); i++) {
      const { name } = gl.getActiveUniform(it, i);
      at[name.replace('[0]', '')] = gl.getUniformLocation(it, name);
    }
    return { it, at };
  };
  const body = program(`
layout(location=0) in vec3 p; layout(location=1) in vec3 n; layout(location=2) in vec2 which;
uniform mat4 clipFromWorld; uniform float isGhost; out vec3 world; out vec3 normal; flat out int side; flat out int link;${PLACE}
void main() { world = placed(p, which.x); normal = facing(n, which.x); side = int(which.y); link = int(which.x); gl_Position = clipFromWorld * vec4(world, 1.0);
  // A few millimetres back: where both bodies are in one place, the one after is seen.
  gl_Position.z += isGhost * 2e-5 * gl_Position.w; }`, `
in vec3 world; in vec3 normal; flat in int side; flat in int link; out vec4 colour;
uniform vec3 sides[5]; uniform vec3 ghost; uniform float isGhost; uniform int chosen; uniform vec3 mark; uniform vec3 light; uniform vec3 eye; uniform float dark;${LIT}
void main() {
  vec3 n = normalize(normal); vec3 v = normalize(eye - world);
  float key = max(dot(n, light), 0.0) * lit(world + n * 0.004);
  float sky = 0.5 + 0.5 * n.y;
  float rim = pow(1.0 - max(dot(n, v), 0.0), 3.0);
  float gloss = pow(max(dot(n, normalize(light + v)), 0.0), 40.0) * step(0.001, key);
  if (isGhost > 0.5) {
    // Clear in the middle and firm at the edge, so that the body behind it is seen and its outline too.
    float edge = 1.0 - max(dot(n, v), 0.0);
    float a = (link == chosen ? 0.25 : 0.0) + mix(0.26, 0.92, edge * edge);
    colour = vec4(mix(ghost, link == chosen ? mark : ghost, 0.8) * mix(0.88, 1.08, sky) * a, min(a, 1.0));
    return;
  }
  vec3 base = pow(link == chosen ? mark : sides[side], vec3(2.2));
  vec3 c = base * (mix(0.20, 0.46, sky) + 0.78 * key) + vec3(0.05) * gloss + mix(vec3(0.10), base, 0.5) * rim * mix(0.25, 0.5, dark);
  colour = vec4(pow(c, vec3(1.0 / 2.2)), 1.0);
}`);
  const depth = program(`
layout(location=0) in vec3 p; layout(location=2) in vec2 which; uniform mat4 lightFromWorld;${PLACE}
void main() { gl_Position = lightFromWorld * vec4(placed(p, which.x), 1.0); }`, 'void main() {}');
  const ground = program(`
layout(location=0) in vec2 corner; uniform mat4 clipFromWorld; uniform vec3 centre; uniform float size; out vec3 world;
void main() { world = centre + vec3(corner.x, 0.0, corner.y) * size; gl_Position = clipFromWorld * vec4(world, 1.0); }`, `
in vec3 world; out vec4 colour;
uniform vec3 centre; uniform float size; uniform float cell; uniform vec3 line; uniform vec3 shade; uniform float dark;${LIT}
float grid(float every) {
  vec2 at = world.xz / every; vec2 w = fwidth(at);
  vec2 near = abs(fract(at - 0.5) - 0.5) / max(w, vec2(1e-6));
  float mesh = 1.0 - min(min(near.x, near.y), 1.0);
  return mesh * clamp(1.4 - 4.0 * max(w.x, w.y), 0.0, 1.0);
}
void main() {
  float fade = 1.0 - smoothstep(0.25, 1.0, length(world.xz - centre.xz) / size);
  float mesh = max(0.32 * grid(cell * 0.5), 0.85 * grid(cell));
  float dim = (1.0 - lit(world)) * mix(0.30, 0.62, dark);
  vec3 c = mix(line, shade, dim / max(dim + mesh * 0.5, 1e-4));
  float a = clamp(max(dim, mesh) * fade, 0.0, 1.0);
  colour = vec4(c * a, a);
}`);
  const flat = program(`
layout(location=0) in vec2 p; layout(location=1) in vec4 c; uniform mat4 clipFromWorld; uniform float height; out vec4 tint;
void main() { tint = c; gl_Position = clipFromWorld * vec4(p.x, height, p.y, 1.0); }`, `
in vec4 tint; out vec4 colour; void main() { colour = vec4(tint.rgb * tint.a, tint.a); }`);

  const array = (data, layout, stride, index = null, usage = gl.STATIC_DRAW) => {
    const vao = gl.createVertexArray();
    gl.bindVertexArray(vao);
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, usage);
    let offset = 0;
    for (const [location, count] of layout) {
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, count, gl.FLOAT, false, stride, offset);
      offset += 4 * count;
    }
    if (index) {
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, index, gl.STATIC_DRAW);
    }
    return { vao, buffer };
  };
  const square = array(new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), [[0, 2]], 8);
  const marks = array(new Float32Array(6), [[0, 2], [1, 4]], 24, null, gl.DYNAMIC_DRAW);

  const texture = (width, height, inside, format, type, compare) => {
    const it = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, it);
    gl.texImage2D(gl.TEXTURE_2D, 0, inside, width, height, 0, format, type, null);
    const filter = compare ? gl.LINEAR : gl.NEAREST;
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, filter);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, filter);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    if (compare) gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    return it;
  };
  // Bodies of one make share nothing: an edit may change the skeleton's measures.
  const bodies = new Map(actors.map((actor) => {
    const mesh = figureMesh(actor.data.animation);
    const links = Math.max(1, actor.data.animation.links);
    const { vao } = array(mesh.vertices, [[0, 3], [1, 3], [2, 2]], 32, mesh.indices);
    return [actor, { vao, count: mesh.indices.length, links, poses: texture(2 * links, 1, gl.RGBA32F, gl.RGBA, gl.FLOAT, false) }];
  }));
  const shadows = texture(1024, 1024, gl.DEPTH_COMPONENT24, gl.DEPTH_COMPONENT, gl.UNSIGNED_INT, true);
  const target = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, target);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, shadows, 0);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);

  /** Orthographic, along the light, around the body. */
  const lightFromWorld = (centre, reach) => {
    const f = LIGHT.map((value) => -value);
    const r = [f[2], 0, -f[0]];
    const l = Math.hypot(...r);
    r[0] /= l; r[2] /= l;
    const u = [r[1] * f[2] - r[2] * f[1], r[2] * f[0] - r[0] * f[2], r[0] * f[1] - r[1] * f[0]];
    const [s, z] = [1 / reach, 1 / (2.5 * reach)];
    return new Float32Array([
      s * r[0], s * u[0], z * f[0], 0, s * r[1], s * u[1], z * f[1], 0, s * r[2], s * u[2], z * f[2], 0,
      -s * dot3(r, centre), -s * dot3(u, centre), -z * dot3(f, centre), 1,
    ]);
  };
  const unit = (name) => palette.rgb(name).map((value) => value / 255);

  /** Draws the bodies that are shown; `triangles` are flat marks on the ground: x z r g b a. */
  const draw = (triangles, shown) => {
    const dark = theme.isDark() ? 1 : 0;
    const clip = clipFromWorld();
    // Wide enough for the bodies wherever they are over their floor.
    const solid = shown.filter((actor) => !actor.ghost);
    const middle = [0, 1, 2].map((axis) => solid.reduce((sum, actor) => sum + actor.pose[axis] / solid.length, 0));
    const apart = solid.reduce((most, { pose }) => Math.max(most, Math.hypot(pose[0] - middle[0], pose[2] - middle[2])), 0);
    const light = lightFromWorld([middle[0], Math.min(lookHeight, middle[1]), middle[2]], apart + Math.max(1.1 * bodySize, isHigh ? 0 : tall));
    gl.activeTexture(gl.TEXTURE0);
    for (const actor of shown) {
      const { poses, links } = bodies.get(actor);
      gl.bindTexture(gl.TEXTURE_2D, poses);
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 2 * links, 1, gl.RGBA, gl.FLOAT, actor.pose);
    }
    const drawBody = (actor) => {
      const { vao, count, poses } = bodies.get(actor);
      gl.activeTexture(gl.TEXTURE0);
      gl.bindTexture(gl.TEXTURE_2D, poses);
      gl.bindVertexArray(vao);
      gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_INT, 0);
    };

    gl.enable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    gl.bindFramebuffer(gl.FRAMEBUFFER, target);
    gl.viewport(0, 0, 1024, 1024);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.useProgram(depth.it);
    gl.uniform1i(depth.at.poses, 0);
    gl.uniformMatrix4fv(depth.at.lightFromWorld, false, light);
    solid.forEach(drawBody);

    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, shadows);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false);
    const setLight = (it) => { gl.uniform1i(it.at.shadows, 1); gl.uniformMatrix4fv(it.at.lightFromWorld, false, light); gl.uniform1f(it.at.dark, dark); };
    gl.useProgram(ground.it);
    gl.uniformMatrix4fv(ground.at.clipFromWorld, false, clip);
    gl.uniform3f(ground.at.centre, camera.target[0], FLOOR, camera.target[2]);
    gl.uniform1f(ground.at.size, 5 * Math.max(bodySize, 0.6) + camera.distance);
    gl.uniform1f(ground.at.cell, bodySize > 0.6 ? 1 : 0.5);
    gl.uniform3fv(ground.at.line, unit('line-strong'));
    gl.uniform3fv(ground.at.shade, dark ? [0.01, 0.012, 0.016] : [0.10, 0.13, 0.19]);
    setLight(ground);
    gl.bindVertexArray(square.vao);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    if (triangles.length) {
      gl.useProgram(flat.it);
      gl.uniformMatrix4fv(flat.at.clipFromWorld, false, clip);
      gl.uniform1f(flat.at.height, FLOOR + 0.002);
      gl.bindVertexArray(marks.vao);
      gl.bindBuffer(gl.ARRAY_BUFFER, marks.buffer);
      gl.bufferData(gl.ARRAY_BUFFER, triangles, gl.DYNAMIC_DRAW);
      gl.drawArrays(gl.TRIANGLES, 0, triangles.length / 6);
    }
    gl.depthMask(true);
    gl.disable(gl.BLEND);
    gl.useProgram(body.it);
    gl.uniform1i(body.at.poses, 0);
    gl.uniformMatrix4fv(body.at.clipFromWorld, false, clip);
    gl.uniform3fv(body.at.sides, SIDES.flatMap((side) => unit(side)));
    gl.uniform3fv(body.at.light, LIGHT);
    gl.uniform3fv(body.at.eye, camera.eye);
    gl.uniform3fv(body.at.ghost, unit('before'));
    gl.uniform3fv(body.at.mark, unit('mark'));
    setLight(body);
    const drawAs = (actor, isGhost) => {
      gl.uniform1f(body.at.isGhost, isGhost ? 1 : 0);
      gl.uniform1i(body.at.chosen, actor.chosen ?? -1);
      drawBody(actor);
    };
    for (const actor of solid) drawAs(actor, false);
    // Its depth first: a ghost shows its outside only, not every shape inside it.
    for (const actor of shown.filter(({ ghost }) => ghost)) {
      gl.colorMask(false, false, false, false);
      drawAs(actor, true);
      gl.colorMask(true, true, true, true);
      gl.enable(gl.BLEND);
      gl.depthFunc(gl.LEQUAL);
      drawAs(actor, true);
      gl.depthFunc(gl.LESS);
      gl.disable(gl.BLEND);
    }
  };
  return { draw };
}
