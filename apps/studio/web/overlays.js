// What physics says, drawn where it happens: centre of mass, zero-moment point and support, contacts, forces, flights, momentum, trails.
import * as THREE from './vendor/three.module.js';
import { nearest } from './store.js';
import { trailOf } from './figure.js';

const RED = 0xd62f2f;
const GREEN = 0x22a565;
const FORCE_M_PER_N = 0.0012;
const MOMENTUM_M = 0.05;

export const SHOWS = [
  ['ghost', 'Original as ghost', true], ['trail', 'Trail', true], ['com', 'Centre of mass', true], ['zmp', 'ZMP and support', true],
  ['contacts', 'Contacts', true], ['force', 'Force and friction cone', false], ['flight', 'Flight parabola', true], ['momentum', 'Angular momentum', false],
];

export class Overlays {
  constructor(scene) {
    this.group = new THREE.Group();
    scene.add(this.group);
    this.show = Object.fromEntries(SHOWS.map(([name, , on]) => [name, on]));
    this.com = this.ball(0.035, 0xf2b134);
    this.shadow = this.disc(0.04, 0xf2b134);
    this.drop = this.line(0xf2b134, 2);
    this.zmp = this.disc(0.035, GREEN);
    this.polygon = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.MeshBasicMaterial({ color: GREEN, transparent: true, opacity: 0.35, side: THREE.DoubleSide, depthWrite: false }));
    this.outline = this.line(GREEN, 64);
    this.force = new THREE.ArrowHelper(new THREE.Vector3(0, 1, 0), new THREE.Vector3(), 1, 0x3f7fd6, 0.09, 0.05);
    this.cone = new THREE.Mesh(new THREE.ConeGeometry(1, 1, 32, 1, true), new THREE.MeshBasicMaterial({ color: 0x3f7fd6, transparent: true, opacity: 0.14, side: THREE.DoubleSide, depthWrite: false }));
    this.momentum = new THREE.ArrowHelper(new THREE.Vector3(0, 1, 0), new THREE.Vector3(), 1, 0x8f4fd0, 0.07, 0.04);
    this.trail = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0x2f8fb3 }));
    this.comTrail = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0xd99a1f, transparent: true, opacity: 0.8 }));
    this.parabolas = new THREE.Group();
    this.prints = new THREE.Group();
    this.group.add(this.polygon, this.force, this.cone, this.momentum, this.trail, this.comTrail, this.parabolas, this.prints);
    this.key = null;
  }

  ball(radius, color) { const it = new THREE.Mesh(new THREE.SphereGeometry(radius, 20, 14), new THREE.MeshBasicMaterial({ color, depthTest: false, transparent: true })); it.renderOrder = 5; this.group.add(it); return it; }
  disc(radius, color) { const it = new THREE.Mesh(new THREE.CircleGeometry(radius, 24).rotateX(-Math.PI / 2), new THREE.MeshBasicMaterial({ color, depthTest: false, transparent: true, side: THREE.DoubleSide })); it.renderOrder = 4; this.group.add(it); return it; }
  line(color, points) { const geometry = new THREE.BufferGeometry(); geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(3 * points), 3)); const it = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color })); it.frustumCulled = false; this.group.add(it); return it; }

  /** What does not change with time; when the motion or the picked link does. */
  prepare(motion, link) {
    const key = [motion, link];
    if (this.key && this.key[0] === motion && this.key[1] === link) return;
    this.key = key;
    const points = (mesh, values) => { mesh.geometry.dispose(); mesh.geometry = new THREE.BufferGeometry(); mesh.geometry.setAttribute('position', new THREE.BufferAttribute(values, 3)); };
    points(this.trail, trailOf(motion, Math.min(link, motion.links.length - 1)));
    const com = motion.arrays.com;
    points(this.comTrail, com ? finite(com) : new Float32Array(0));
    this.parabolas.clear();
    for (const flight of motion.flights ?? []) {
      const arc = parabola(motion, flight);
      if (arc) this.parabolas.add(new THREE.Line(new THREE.BufferGeometry().setFromPoints(arc), new THREE.LineDashedMaterial({ color: 0xb0489c, dashSize: 0.05, gapSize: 0.03 })).computeLineDistances());
    }
  }

  update(motion, secs, link, floor) {
    this.prepare(motion, link);
    const { show } = this;
    const frame = nearest(motion, secs);
    const { arrays } = motion;
    const vector = (name) => { const values = arrays[name]; if (!values) return null; const it = new THREE.Vector3(values[3 * frame], values[3 * frame + 1], values[3 * frame + 2]); return Number.isFinite(it.x) ? it : null; };
    const scalar = (name) => { const value = arrays[name]?.[frame]; return Number.isFinite(value) ? value : null; };
    const com = vector('com');
    this.trail.visible = show.trail;
    this.comTrail.visible = show.trail && show.com;
    this.com.visible = this.shadow.visible = this.drop.visible = show.com && com !== null;
    if (com) {
      this.com.position.copy(com);
      this.shadow.position.set(com.x, floor + 0.004, com.z);
      set(this.drop, [com, this.shadow.position]);
    }
    const zmp = vector('zmp');
    const outside = (scalar('zmp_distance') ?? 0) > 0.01;
    const height = (scalar('support_height') ?? floor) + 0.006;
    this.zmp.visible = show.zmp && zmp !== null;
    if (zmp) { this.zmp.position.set(zmp.x, height + 0.003, zmp.z); this.zmp.material.color.setHex(outside ? RED : GREEN); }
    const corners = polygonAt(motion, frame);
    this.polygon.visible = this.outline.visible = show.zmp && corners.length > 0;
    if (this.polygon.visible) {
      const color = outside ? RED : GREEN;
      this.polygon.material.color.setHex(color);
      this.outline.material.color.setHex(color);
      const ring = corners.map(([x, z]) => new THREE.Vector3(x, height, z));
      set(this.outline, ring.length > 1 ? [...ring, ring[0]] : ring);
      this.polygon.geometry.dispose();
      this.polygon.geometry = fan(ring);
    }
    const force = vector('force');
    const foot = vector('cop') ?? zmp;
    this.force.visible = this.cone.visible = show.force && force !== null && foot !== null && force.length() > 20;
    if (this.force.visible) {
      this.force.position.copy(foot);
      this.force.setDirection(force.clone().normalize());
      this.force.setLength(Math.max(force.length() * FORCE_M_PER_N, 0.1), 0.09, 0.05);
      const needs = scalar('friction') ?? 0;
      const radius = 0.5 * (motion.friction ?? 0.8);
      this.cone.material.color.setHex(needs > (motion.friction ?? 0.8) ? RED : 0x3f7fd6);
      this.cone.scale.set(radius, 0.5, radius);
      this.cone.rotation.set(Math.PI, 0, 0);
      this.cone.position.set(foot.x, foot.y + 0.25, foot.z);
    }
    const momentum = vector('momentum');
    this.momentum.visible = show.momentum && momentum !== null && com !== null && momentum.length() > 0.05;
    if (this.momentum.visible) { this.momentum.position.copy(com); this.momentum.setDirection(momentum.clone().normalize()); this.momentum.setLength(momentum.length() * MOMENTUM_M + 0.06, 0.06, 0.035); }
    this.parabolas.visible = show.flight;
    this.contacts(motion, secs, show.contacts, height);
  }

  /** A ring under every foot point that is down now: the corners of the support polygon are theirs. */
  contacts(motion, secs, visible, height) {
    const down = visible ? (motion.contacts ?? []).filter((it) => it.start <= secs && secs <= it.end) : [];
    const corners = visible && down.length ? polygonAt(motion, nearest(motion, secs)) : [];
    while (this.prints.children.length < corners.length) this.prints.add(new THREE.Mesh(new THREE.RingGeometry(0.012, 0.02, 20).rotateX(-Math.PI / 2), new THREE.MeshBasicMaterial({ color: 0x1d7fbf, side: THREE.DoubleSide })));
    this.prints.children.forEach((ring, index) => { ring.visible = index < corners.length; if (ring.visible) ring.position.set(corners[index][0], height + 0.002, corners[index][1]); });
  }
}

function finite(values) {
  const kept = [];
  for (let at = 0; at < values.length; at += 3) if (Number.isFinite(values[at])) kept.push(values[at], values[at + 1], values[at + 2]);
  return new Float32Array(kept);
}

function set(line, points) {
  const { position } = line.geometry.attributes;
  const count = Math.min(points.length, position.count);
  points.slice(0, count).forEach((point, index) => position.setXYZ(index, point.x, point.y, point.z));
  position.needsUpdate = true;
  line.geometry.setDrawRange(0, count);
}

export function polygonAt(motion, frame) {
  const { polygon_start: starts, polygon } = motion.arrays;
  if (!starts) return [];
  const corners = [];
  for (let corner = starts[frame]; corner < starts[frame + 1]; corner++) corners.push([polygon[2 * corner], polygon[2 * corner + 1]]);
  return corners;
}

function fan(ring) {
  const geometry = new THREE.BufferGeometry().setFromPoints(ring);
  const index = [];
  for (let corner = 1; corner + 1 < ring.length; corner++) index.push(0, corner, corner + 1);
  geometry.setIndex(index);
  return geometry;
}

/** The parabola with 9.81 m/s² through the ends of a flight. */
function parabola(motion, flight) {
  const { com } = motion.arrays;
  if (!com) return null;
  const at = (secs) => { const frame = nearest(motion, secs); return { secs: motion.arrays.t[frame], point: new THREE.Vector3(com[3 * frame], com[3 * frame + 1], com[3 * frame + 2]) }; };
  const [a, b] = [at(flight.start), at(flight.end)];
  const length = b.secs - a.secs;
  if (!(length > 0.05) || !Number.isFinite(a.point.x + b.point.x)) return null;
  return Array.from({ length: 25 }, (_, step) => {
    const t = (step / 24) * length;
    const point = a.point.clone().lerp(b.point, step / 24);
    point.y += 0.5 * 9.81 * t * (length - t);
    return point;
  });
}
