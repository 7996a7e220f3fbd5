// A body: the report's own shapes (capsules, boxes, ellipsoids) on links that move. All of them are one mesh, so that a body is drawn by one
// command: without a graphics card commands cost more than triangles.
import * as THREE from './vendor/three.module.js';
import { frameAt } from './store.js';

const UP = new THREE.Vector3(0, 1, 0);

export class Figure {
  /** `material` of the whole body; `colors` by side, if the sides differ. */
  constructor({ material, colors = null, shadow = false }) {
    Object.assign(this, { material, colors, shadow });
    this.group = new THREE.Group();
    /** Where links are: `{ position, quaternion }`. */
    this.links = [];
    /** What hangs on them: `{ link, side, at, matrix }`. */
    this.shapes = [];
    this.mesh = null;
    this.key = '';
  }

  /** Builds the mesh; only when the figure is another one. */
  build(motion) {
    if (motion.figure === this.source) return;
    this.source = motion.figure;
    const key = JSON.stringify([motion.figure, motion.links]);
    if (key === this.key) return;
    this.key = key;
    this.mesh?.dispose();
    this.group.clear();
    this.links = motion.links.map(() => ({ position: new THREE.Vector3(), quaternion: new THREE.Quaternion(), matrix: new THREE.Matrix4() }));
    const shapes = motion.figure.shapes.filter((shape) => this.links[shape.link]);
    const geometries = shapes.map(geometry);
    const count = (of) => Math.max(geometries.reduce((sum, it) => sum + of(it), 0), 3);
    this.mesh = new THREE.BatchedMesh(Math.max(shapes.length, 1), count((it) => it.attributes.position.count), count((it) => it.index.count), this.material);
    Object.assign(this.mesh, { castShadow: this.shadow, receiveShadow: this.shadow, frustumCulled: false, perObjectFrustumCulled: false, sortObjects: false });
    this.shapes = shapes.map((shape, at) => ({ link: shape.link, side: shape.side, at: this.mesh.addInstance(this.mesh.addGeometry(geometries[at])), matrix: placed(shape) }));
    geometries.forEach((it) => it.dispose());
    this.group.add(this.mesh);
    this.paint();
  }

  /** Colours by side, as they are now. */
  paint(colors = this.colors) {
    this.colors = colors;
    if (!colors || !this.mesh) return;
    const color = new THREE.Color();
    for (const { at, side } of this.shapes) this.mesh.setColorAt(at, color.setHex(colors[side] ?? colors.middle));
  }

  /** Puts the links where they are at a time. */
  pose(motion, secs) {
    this.build(motion);
    const { frame, next, share } = frameAt(motion, secs);
    const { poses } = motion.arrays;
    const wide = 7 * motion.links.length;
    this.links.forEach((link, index) => {
      const [a, b] = [frame * wide + 7 * index, next * wide + 7 * index];
      const mix = (part) => poses[a + part] + share * (poses[b + part] - poses[a + part]);
      link.position.set(mix(0), mix(1), mix(2));
      link.quaternion.set(poses[a + 3], poses[a + 4], poses[a + 5], poses[a + 6]);
      if (share > 0) link.quaternion.slerp(OTHER.set(poses[b + 3], poses[b + 4], poses[b + 5], poses[b + 6]), share);
      link.matrix.compose(link.position, link.quaternion, ONE);
    });
    for (const { link, at, matrix } of this.shapes) this.mesh.setMatrixAt(at, MATRIX.multiplyMatrices(this.links[link].matrix, matrix));
  }

  /** The link that a ray meets first. */
  hit(ray) {
    if (!this.mesh || !this.group.visible) return null;
    // Its box and sphere are those of a pose before.
    this.mesh.computeBoundingSphere();
    this.mesh.computeBoundingBox();
    const found = ray.intersectObject(this.mesh)[0];
    return this.shapes.find((it) => it.at === found?.batchId)?.link ?? null;
  }
}

const ONE = new THREE.Vector3(1, 1, 1);
const OTHER = new THREE.Quaternion();
const MATRIX = new THREE.Matrix4();

/** Where a shape is on its link. */
function placed(shape) {
  if (shape.kind !== 'capsule') return new THREE.Matrix4().compose(new THREE.Vector3(...shape.c), new THREE.Quaternion(...shape.q), ONE);
  const [a, b] = [new THREE.Vector3(...shape.a), new THREE.Vector3(...shape.b)];
  const along = b.clone().sub(a);
  const turn = new THREE.Quaternion();
  if (along.length() > 1e-6) turn.setFromUnitVectors(UP, along.normalize());
  return new THREE.Matrix4().compose(a.add(b).multiplyScalar(0.5), turn, ONE);
}

/** How round shapes are: without a graphics card a triangle takes a microsecond, and a body has ten thousand of the fine ones. */
const detail = { caps: 6, around: 18 };
export const coarsen = () => Object.assign(detail, { caps: 3, around: 10 });

function geometry(shape) {
  const { caps, around } = detail;
  if (shape.kind === 'capsule') {
    const length = Math.hypot(...shape.a.map((from, axis) => shape.b[axis] - from));
    return new THREE.CapsuleGeometry(Math.max(shape.r, 0.004), length, caps, around);
  }
  const [x, y, z] = shape.h;
  if (shape.kind === 'box') return new THREE.BoxGeometry(2 * x, 2 * y, 2 * z);
  return new THREE.SphereGeometry(1, around + 4, caps + 6).scale(x, y, z);
}

/** Where a link is at every frame, as x, y, z after another. */
export function trailOf(motion, link) {
  const wide = 7 * motion.links.length;
  const points = new Float32Array(3 * motion.frames);
  for (let frame = 0; frame < motion.frames; frame++) points.set(motion.arrays.poses.subarray(frame * wide + 7 * link, frame * wide + 7 * link + 3), 3 * frame);
  return points;
}
