// The figure's poses and the camera that looks at them.

/** Rotates [x, y, z] by the quaternion [x, y, z, w]. */
function turn(q, v) {
  const [x, y, z, w] = q;
  const tx = 2 * (y * v[2] - z * v[1]);
  const ty = 2 * (z * v[0] - x * v[2]);
  const tz = 2 * (x * v[1] - y * v[0]);
  return [v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx];
}

const FLOOR = DATA.floor ?? 0;

/** Positions and rotations of all links, 8 numbers each: x y z 0, qx qy qz qw. */
const makePose = (animation) => new Float32Array(8 * Math.max(1, animation.links));

/** Fills a pose for a time, between the two stored frames around it; the whole body is moved by `shift`. */
function poseAt(pose, a, t, shift = [0, 0, 0]) {
  if (!a.n) return;
  const i = indexAt(a.t, t);
  const j = Math.min(i + 1, a.n - 1);
  const gap = a.t[j] - a.t[i];
  const s = gap > 0 ? clamp((t - a.t[i]) / gap, 0, 1) : 0;
  const scale = a.reach / 32767;
  for (let link = 0; link < a.links; link++) {
    const [p, q] = [3 * (i * a.links + link), 3 * (j * a.links + link)];
    const [u, v] = [4 * (i * a.links + link), 4 * (j * a.links + link)];
    const out = 8 * link;
    for (let axis = 0; axis < 3; axis++) {
      const from = shift[axis] + a.origin[3 * i + axis] + a.positions[p + axis] * scale;
      const to = shift[axis] + a.origin[3 * j + axis] + a.positions[q + axis] * scale;
      pose[out + axis] = from + (to - from) * s;
    }
    let dot = 0;
    for (let k = 0; k < 4; k++) dot += a.rotations[u + k] * a.rotations[v + k];
    const sign = dot < 0 ? -1 : 1;
    let square = 0;
    for (let k = 0; k < 4; k++) {
      const value = a.rotations[u + k] * (1 - s) + sign * a.rotations[v + k] * s;
      pose[out + 4 + k] = value;
      square += value * value;
    }
    const length = Math.sqrt(square) || 1;
    for (let k = 0; k < 4; k++) pose[out + 4 + k] /= length;
  }
}

/** A point of a link's frame in the world. */
function inWorld(pose, link, v) {
  const o = 8 * link;
  const r = turn([pose[o + 4], pose[o + 5], pose[o + 6], pose[o + 7]], v);
  return [pose[o] + r[0], pose[o + 1] + r[1], pose[o + 2] + r[2]];
}

/** Centre of mass of a time, interpolated; falls back to the figure's first link. */
function comAt(t, data = DATA) {
  const s = data.series;
  const i = indexAt(s.t, t);
  const j = Math.min(i + 1, s.n - 1);
  const gap = s.t[j] - s.t[i];
  const share = gap > 0 ? clamp((t - s.t[i]) / gap, 0, 1) : 0;
  const com = s.com.map((axis) => axis[i] + (axis[j] - axis[i]) * share);
  if (com.every(Number.isFinite)) return com;
  const plain = s.com.map((axis) => axis[i]);
  return plain.every(Number.isFinite) ? plain : null;
}

/** Corners of the space the whole motion fills, from link origins. */
const extent = (() => {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const { animation: a } of BEFORE ? [DATA, BEFORE] : [DATA]) {
    const scale = a.reach / 32767;
    const step = Math.max(1, Math.floor(a.n / 300));
    for (let frame = 0; frame < a.n; frame += step) {
      for (let link = 0; link < a.links; link++) {
        for (let axis = 0; axis < 3; axis++) {
          const value = a.origin[3 * frame + axis] + a.positions[3 * (frame * a.links + link) + axis] * scale;
          low[axis] = Math.min(low[axis], value);
          high[axis] = Math.max(high[axis], value);
        }
      }
    }
  }
  if (!Number.isFinite(low[0])) return { low: [-1, 0, -1], high: [1, 2, 1] };
  return { low, high };
})();

/** Size of the body itself: what a close camera must hold. */
const bodySize = (() => {
  const a = DATA.animation;
  let size = 0;
  const scale = a.reach / 32767;
  for (let frame = 0; frame < a.n; frame += Math.max(1, Math.floor(a.n / 60))) {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let link = 0; link < a.own; link++) {
      for (let axis = 0; axis < 3; axis++) {
        const value = a.positions[3 * (frame * a.links + link) + axis] * scale;
        low[axis] = Math.min(low[axis], value);
        high[axis] = Math.max(high[axis], value);
      }
    }
    size = Math.max(size, ...high.map((value, axis) => value - low[axis]));
  }
  for (const shape of a.shapes) if (shape.link < a.own) size = Math.max(size, 2 * (shape.r ?? Math.max(...shape.h)));
  return clamp(size, 0.05, 50);
})();

const camera = { yaw: 0, pitch: 0.2, distance: 4, target: [0, 1, 0], follow: true, fov: 0.6, width: 1, height: 1 };

/** Where the motion goes, as an angle about Y; null if it stays in place. */
const heading = (() => {
  const a = DATA.animation;
  if (a.n < 2) return null;
  const last = 3 * (a.n - 1);
  const [dx, dz] = [a.origin[last] - a.origin[0], a.origin[last + 2] - a.origin[2]];
  return Math.hypot(dx, dz) > 0.5 * bodySize ? Math.atan2(dx, dz) : null;
})();

/** How high the motion reaches over the floor, shapes included. */
const tall = Math.max(extent.high[1] - FLOOR + (DATA.animation.links > 1 ? 0.08 * bodySize : bodySize / 2), 0.2);
/** Up to here the camera holds everything at rest; who climbs higher takes it along. */
const isHigh = tall > Math.max(2.2 * bodySize, 2.6);
const lookHeight = FLOOR + tall / 2;

/** Whether an edit leads the body elsewhere: then the camera holds both ways, instead of going along with one. */
const partWays = (() => {
  if (!BEFORE) return false;
  const { t } = DATA.series;
  for (let i = 0; i < t.length; i += Math.max(1, Math.floor(t.length / 200))) {
    const [here, there] = [comAt(t[i]), comAt(t[i], BEFORE)];
    if (here && there && Math.hypot(here[0] - there[0], here[2] - there[2]) > 0.6 * bodySize) return true;
  }
  return false;
})();

/** Three quarters from the front, and from the side for motions that travel. */
function resetCamera() {
  camera.yaw = heading === null ? 0.55 : heading + 0.95;
  camera.pitch = partWays ? 0.45 : 0.2;
  let span = isHigh ? 1.6 * bodySize : Math.max(bodySize, tall);
  if (partWays) span = Math.max(span, 0.62 * Math.hypot(extent.high[0] - extent.low[0], extent.high[2] - extent.low[2]));
  // Room for two, and on a phone for the words over them.
  const room = BEFORE ? (innerWidth < 720 ? 1.48 : 1.3) : 1.22;
  camera.distance = (span * room) / (2 * Math.tan(camera.fov / 2));
}

function placeCamera(com) {
  const anchor = com && camera.follow ? com : [(extent.low[0] + extent.high[0]) / 2, 0, (extent.low[2] + extent.high[2]) / 2];
  camera.target = [anchor[0], isHigh && com && camera.follow ? com[1] : lookHeight, anchor[2]];
  const { yaw, pitch, distance } = camera;
  const forward = [-Math.sin(yaw) * Math.cos(pitch), -Math.sin(pitch), -Math.cos(yaw) * Math.cos(pitch)];
  const right = [Math.cos(yaw), 0, -Math.sin(yaw)];
  const up = [
    right[1] * forward[2] - right[2] * forward[1],
    right[2] * forward[0] - right[0] * forward[2],
    right[0] * forward[1] - right[1] * forward[0],
  ];
  camera.eye = camera.target.map((value, axis) => value - forward[axis] * distance);
  Object.assign(camera, { forward, right, up });
}

const dot3 = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** World to pixels: [x, y, depth, pixels a metre there]; null behind the camera. */
function project(point) {
  const d = [point[0] - camera.eye[0], point[1] - camera.eye[1], point[2] - camera.eye[2]];
  const depth = dot3(d, camera.forward);
  if (depth < 0.02) return null;
  const scale = camera.height / (2 * Math.tan(camera.fov / 2) * depth);
  return [camera.width / 2 + dot3(d, camera.right) * scale, camera.height / 2 - dot3(d, camera.up) * scale, depth, scale];
}

/** Column-major clip-from-world. */
function clipFromWorld() {
  const { right: r, up: u, forward: f, eye: e } = camera;
  const [near, far] = [0.05, camera.distance + 200];
  const b = 1 / Math.tan(camera.fov / 2);
  const a = b * (camera.height / camera.width);
  const [c, d] = [(far + near) / (near - far), (2 * far * near) / (near - far)];
  const [re, ue, fe] = [dot3(r, e), dot3(u, e), dot3(f, e)];
  return new Float32Array([
    a * r[0], b * u[0], -c * f[0], f[0],
    a * r[1], b * u[1], -c * f[1], f[1],
    a * r[2], b * u[2], -c * f[2], f[2],
    -a * re, -b * ue, c * fe + d, -fe,
  ]);
}
