// Who and what else is in a scene: partners as bodies, things as what they are.
import * as THREE from './vendor/three.module.js';
import { Figure } from './figure.js';
import { frameAt } from './store.js';

export class Others {
  constructor(scene, material) {
    this.group = new THREE.Group();
    scene.add(this.group);
    this.material = material;
    this.thingMaterial = new THREE.MeshLambertMaterial({ color: 0x9a7b4f });
    this.motion = null;
    this.partners = [];
    this.things = [];
  }

  /** Builds everybody anew when the motion is another one. */
  build(motion) {
    if (this.motion === motion) return;
    this.motion = motion;
    this.partners.forEach(({ body }) => body.mesh?.dispose());
    this.things.forEach(({ mesh }) => mesh.geometry.dispose());
    this.group.clear();
    this.partners = (motion.partners ?? []).map(({ figure, links, array }) => {
      const body = new Figure({ material: this.material, colors: this.colors, shadow: true });
      this.group.add(body.group);
      return { body, motion: { figure, links, arrays: { t: motion.arrays.t, poses: motion.arrays[array] } } };
    });
    this.things = (motion.things ?? []).map(({ form, array }) => {
      const mesh = new THREE.Mesh(geometry(form), this.thingMaterial);
      mesh.castShadow = true;
      mesh.receiveShadow = true;
      this.group.add(mesh);
      return { mesh, poses: motion.arrays[array] };
    });
  }

  paint(colors) {
    this.colors = colors;
    this.partners.forEach(({ body }) => body.paint(colors));
  }

  pose(motion, secs) {
    this.build(motion);
    for (const { body, motion: own } of this.partners) body.pose(own, secs);
    const { frame } = frameAt(motion, secs);
    for (const { mesh, poses } of this.things) {
      const at = poses.length > 7 ? Math.min(7 * frame, poses.length - 7) : 0;
      mesh.position.set(poses[at], poses[at + 1], poses[at + 2]);
      mesh.quaternion.set(poses[at + 3], poses[at + 4], poses[at + 5], poses[at + 6]);
    }
  }
}

/** About its middle; what is long is long along y. */
function geometry(form) {
  if (form.kind === 'ball') return new THREE.SphereGeometry(form.radius_m, 24, 16);
  if (form.kind === 'box') return new THREE.BoxGeometry(...form.half_m.map((half) => 2 * half));
  if (form.kind === 'cylinder') return new THREE.CylinderGeometry(form.radius_m, form.radius_m, form.height_m, 28);
  return new THREE.CapsuleGeometry(form.radius_m, Math.max(form.length_m - 2 * form.radius_m, 1e-3), 6, 16);
}
