// The camera: Maya's habits (Alt and a button), Blender's (middle button), and a plain drag on empty ground; view presets and framing.
import * as THREE from './vendor/three.module.js';

export class Camera {
  constructor(element) {
    this.camera = new THREE.PerspectiveCamera(38, 1, 0.02, 400);
    this.target = new THREE.Vector3(0, 0.9, 0);
    this.yaw = 0.7;
    this.pitch = 0.28;
    this.distance = 5;
    this.element = element;
    this.action = null;
    element.addEventListener('pointerdown', (event) => this.begin(event));
    element.addEventListener('pointermove', (event) => this.move(event));
    for (const name of ['pointerup', 'pointercancel']) element.addEventListener(name, (event) => this.end(event));
    element.addEventListener('wheel', (event) => { event.preventDefault(); this.zoom(Math.exp(event.deltaY * 0.001)); }, { passive: false });
    element.addEventListener('contextmenu', (event) => event.preventDefault());
    this.update();
  }

  /** Whether this press is the camera's, whatever lies under it. */
  static claims(event) { return event.altKey || event.button === 1 || event.button === 2; }

  begin(event) {
    if (this.action || event.defaultPrevented) return;
    const { button, altKey, shiftKey, ctrlKey } = event;
    if (altKey) this.action = ['orbit', 'pan', 'zoom'][button] ?? 'orbit';
    else if (button === 1) this.action = shiftKey ? 'pan' : ctrlKey ? 'zoom' : 'orbit';
    else if (button === 2) this.action = 'pan';
    else if (button === 0) this.action = shiftKey ? 'pan' : 'orbit';
    if (!this.action) return;
    event.preventDefault();
    this.element.focus({ preventScroll: true });
    this.element.setPointerCapture(event.pointerId);
    this.last = [event.clientX, event.clientY];
  }

  move(event) {
    if (!this.action) return;
    const [dx, dy] = [event.clientX - this.last[0], event.clientY - this.last[1]];
    this.last = [event.clientX, event.clientY];
    if (this.action === 'orbit') { this.yaw -= 0.006 * dx; this.pitch = Math.min(Math.max(this.pitch + 0.006 * dy, -1.5), 1.55); }
    if (this.action === 'zoom') this.distance *= Math.exp(0.006 * (dy - dx));
    if (this.action === 'pan') {
      const reach = 2 * this.distance * Math.tan((this.camera.fov * Math.PI) / 360) / this.element.clientHeight;
      const right = new THREE.Vector3().setFromMatrixColumn(this.camera.matrix, 0);
      const up = new THREE.Vector3().setFromMatrixColumn(this.camera.matrix, 1);
      this.target.addScaledVector(right, -dx * reach).addScaledVector(up, dy * reach);
    }
    this.update();
  }

  end(event) {
    if (!this.action) return;
    this.action = null;
    if (this.element.hasPointerCapture(event.pointerId)) this.element.releasePointerCapture(event.pointerId);
  }

  zoom(times) { this.distance = Math.min(Math.max(this.distance * times, 0.3), 150); this.update(); }

  /** front, back, left, right, top, or free. */
  preset(name) {
    const views = { front: [0, 0.08], back: [Math.PI, 0.08], right: [Math.PI / 2, 0.08], left: [-Math.PI / 2, 0.08], top: [0, 1.55], free: [0.7, 0.28] };
    [this.yaw, this.pitch] = views[name] ?? views.free;
    this.update();
  }

  /** Looks at a box so that all of it is seen. */
  frame(box) {
    if (box.isEmpty()) return;
    box.getCenter(this.target);
    const radius = Math.max(0.5 * box.getSize(new THREE.Vector3()).length(), 0.4);
    const half = (this.camera.fov * Math.PI) / 360;
    const fit = Math.min(half, Math.atan(Math.tan(half) * this.camera.aspect));
    // A sphere around a walk is mostly air.
    this.distance = Math.min((0.9 * radius) / Math.sin(fit), 150);
    this.update();
  }

  resize(width, height) { this.camera.aspect = width / Math.max(height, 1); this.camera.updateProjectionMatrix(); this.update(); }

  update() {
    const { yaw, pitch, distance, target, camera } = this;
    camera.position.set(target.x + distance * Math.sin(yaw) * Math.cos(pitch), target.y + distance * Math.sin(pitch), target.z + distance * Math.cos(yaw) * Math.cos(pitch));
    camera.lookAt(target);
    camera.updateMatrixWorld();
    this.onchange?.();
  }
}
