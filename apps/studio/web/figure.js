// A body: the report's own shapes (capsules, boxes, ellipsoids) on links that move.
import * as THREE from './vendor/three.module.js';
import { frameAt } from './store.js';

const UP = new THREE.Vector3(0, 1, 0);

export class Figure {
  constructor(style) {
    this.group = new THREE.Group();
    this.style = style;
    this.links = [];
    this.key = '';
  }

  /** Builds the meshes; only when the figure is another one. */
  build(motion) {
    if (motion.figure === this.source) return;
    this.source = motion.figure;
    const key = JSON.stringify([motion.figure, motion.links]);
    if (key === this.key) return;
    this.key = key;
    this.group.traverse((child) => child.geometry?.dispose());
    this.group.clear();
    this.links = motion.links.map(() => { const link = new THREE.Group(); this.group.add(link); return link; });
    for (const shape of motion.figure.shapes) {
      const mesh = new THREE.Mesh(geometry(shape), this.style.material(shape.side));
      mesh.castShadow = this.style.shadow;
      mesh.receiveShadow = this.style.shadow;
      mesh.userData.link = shape.link;
      if (shape.kind === 'capsule') {
        const [a, b] = [new THREE.Vector3(...shape.a), new THREE.Vector3(...shape.b)];
        mesh.position.copy(a).add(b).multiplyScalar(0.5);
        const along = b.sub(a);
        if (along.length() > 1e-6) mesh.quaternion.setFromUnitVectors(UP, along.normalize());
      } else {
        mesh.position.set(...shape.c);
        mesh.quaternion.set(...shape.q);
      }
      this.links[shape.link]?.add(mesh);
    }
  }

  /** Puts the links where they are at a time. */
  pose(motion, secs) {
    this.build(motion);
    const { frame, next, share } = frameAt(motion, secs);
    const { poses } = motion.arrays;
    const wide = 7 * motion.links.length;
    const other = new THREE.Quaternion();
    this.links.forEach((link, index) => {
      const [a, b] = [frame * wide + 7 * index, next * wide + 7 * index];
      const mix = (part) => poses[a + part] + share * (poses[b + part] - poses[a + part]);
      link.position.set(mix(0), mix(1), mix(2));
      link.quaternion.set(poses[a + 3], poses[a + 4], poses[a + 5], poses[a + 6]);
      if (share > 0) link.quaternion.slerp(other.set(poses[b + 3], poses[b + 4], poses[b + 5], poses[b + 6]), share);
    });
  }
}

function geometry(shape) {
  if (shape.kind === 'capsule') {
    const length = Math.hypot(...shape.a.map((from, axis) => shape.b[axis] - from));
    return new THREE.CapsuleGeometry(Math.max(shape.r, 0.004), length, 6, 18);
  }
  const [x, y, z] = shape.h;
  if (shape.kind === 'box') return new THREE.BoxGeometry(2 * x, 2 * y, 2 * z);
  return new THREE.SphereGeometry(1, 24, 16).scale(x, y, z);
}

/** Where a link is at every frame, as x, y, z after another. */
export function trailOf(motion, link) {
  const wide = 7 * motion.links.length;
  const points = new Float32Array(3 * motion.frames);
  for (let frame = 0; frame < motion.frames; frame++) points.set(motion.arrays.poses.subarray(frame * wide + 7 * link, frame * wide + 7 * link + 3), 3 * frame);
  return points;
}
