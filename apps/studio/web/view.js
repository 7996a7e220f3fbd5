// The viewport. Everything that draws with Three.js is behind this: show motions, mark a time, take handles.
import * as THREE from './vendor/three.module.js';
import { Camera } from './camera.js';
import { Figure, coarsen } from './figure.js';
import { Overlays } from './overlays.js';
import { Others } from './others.js';
import { Quality, isSoftware } from './quality.js';
import { store, shown, on, emit } from './store.js';

const COLORS = { light: { left: 0x3c86c4, right: 0xd8743f, middle: 0xa8adb5, ground: 0xf1f3f5, fog: 0xe6eaee, grid: 0xb4bcc6, strong: 0x7f8996 },
  dark: { left: 0x4f9ad8, right: 0xe58a52, middle: 0xb9bec6, ground: 0x262b31, fog: 0x1b1f24, grid: 0x4a535d, strong: 0x6b7580 } };

/** Lines a metre apart, in pieces of a metre: software renderers drop long lines that pass behind the camera. */
function grid(half, strong, weak) {
  const [points, shades] = [[], []];
  for (let line = -half; line <= half; line++) {
    const shade = new THREE.Color(line % 5 ? weak : strong).toArray();
    for (let at = -half; at < half; at++) { points.push(line, 0, at, line, 0, at + 1, at, 0, line, at + 1, 0, line); shades.push(...shade, ...shade, ...shade, ...shade); }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
  geometry.setAttribute('color', new THREE.Float32BufferAttribute(shades, 3));
  return new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.75 }));
}

export class View {
  constructor(canvas) {
    this.canvas = canvas;
    // Without a graphics card every sample of a pixel is computed, and every light of a surface: plain surfaces and one sample do.
    const software = isSoftware();
    this.software = software;
    this.reach = software ? 14 : 30;
    if (software) coarsen();
    this.Surface = software ? THREE.MeshLambertMaterial : THREE.MeshStandardMaterial;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !software });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.scene = new THREE.Scene();
    this.camera = new Camera(canvas);
    this.camera.onchange = () => { this.quality?.move(); this.ask(); };
    this.light();
    this.skin = this.surface();
    this.ghostMaterial = new THREE.MeshBasicMaterial({ color: 0x8792a0, transparent: true, opacity: 0.22, depthWrite: false });
    this.body = new Figure({ material: this.skin, shadow: true });
    this.ghost = new Figure({ material: this.ghostMaterial });
    this.scene.add(this.body.group, this.ghost.group);
    this.others = new Others(this.scene, this.skin);
    this.overlays = new Overlays(this.scene);
    this.handles = new THREE.Group();
    this.path = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0xe0a020 }));
    this.oldPath = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0x8792a0, transparent: true, opacity: 0.7 }));
    this.drawn = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0xd62f2f }));
    for (const line of [this.path, this.oldPath, this.drawn]) { line.frustumCulled = false; this.scene.add(line); }
    this.scene.add(this.handles);
    this.ray = new THREE.Raycaster();
    this.floor = 0;
    this.wanted = true;
    this.frames = 0;
    this.drawMs = 0;
    /** Moves of a hand that are on their way to the screen, and the last that got there: when, and what each part took, ms. */
    this.moves = [];
    this.timings = [];
    this.quality = new Quality(this.renderer, { apply: (level) => this.refine(level), redraw: () => this.ask(), holds: () => Boolean(this.grabbed) || store.playing, coarse: software });
    this.theme();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.theme());
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    canvas.addEventListener('pointerdown', (event) => this.press(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.drag(event));
    for (const name of ['pointerup', 'pointercancel']) canvas.addEventListener(name, (event) => this.release(event));
    on('time', () => { this.quality.move(); this.ask(); });
    // The answer to a hand is drawn at once: to wait for the screen's next turn would cost up to a frame.
    on('live', () => { this.quality.move(); if (this.quality.open) this.ask(); else { this.wanted = false; this.draw(); } });
    on('motion', () => { this.floor = store.original?.floor ?? 0; this.ask(); });
    this.resize();
    const loop = () => { requestAnimationFrame(loop); if (this.wanted) { this.wanted = false; this.draw(); } };
    loop();
  }

  light() {
    this.sky = new THREE.HemisphereLight(0xffffff, 0x8a8f98, 1.25);
    this.sun = new THREE.DirectionalLight(0xffffff, 2.1);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    Object.assign(this.sun.shadow.camera, { left: -2.5, right: 2.5, top: 2.5, bottom: -2.5, near: 0.5, far: 12 });
    this.sun.shadow.radius = 3;
    // Most of a picture is ground: it has one colour, and only a patch around the body looks for shadows.
    const behind = { polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 8 };
    this.ground = new THREE.Mesh(new THREE.PlaneGeometry(200, 200).rotateX(-Math.PI / 2), new THREE.MeshBasicMaterial(behind));
    this.shade = new THREE.Mesh(new THREE.PlaneGeometry(5, 5).rotateX(-Math.PI / 2), new THREE.ShadowMaterial({ ...behind, polygonOffsetFactor: 1, polygonOffsetUnits: 4, opacity: 0.3, depthWrite: false }));
    this.shade.receiveShadow = true;
    this.scene.add(this.sky, this.sun, this.sun.target, this.ground, this.shade);
  }

  surface() { return new this.Surface(this.Surface === THREE.MeshStandardMaterial ? { roughness: 0.62, metalness: 0.02 } : {}); }

  refine({ ratio, shadow, ghost = true }) {
    this.hasGhost = ghost;
    // What rests and was drawn with one sample a pixel gets four pixels for one instead.
    const finest = this.software && ratio > 1 ? 2 : devicePixelRatio * Math.min(ratio, 1);
    this.renderer.setPixelRatio(Math.min(finest, ratio));
    this.sun.castShadow = shadow;
    this.shade.visible = shadow;
  }

  theme() {
    const forced = document.documentElement.dataset.theme;
    const dark = forced ? forced === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    const colors = dark ? COLORS.dark : COLORS.light;
    this.scene.background = new THREE.Color(colors.fog);
    this.scene.fog = new THREE.Fog(colors.fog, 14, 60);
    this.ground.material.color.setHex(colors.ground);
    if (this.grid) this.scene.remove(this.grid);
    this.grid = grid(this.reach, colors.strong, colors.grid);
    this.scene.add(this.grid);
    this.body.paint(colors);
    this.others.paint(colors);
    this.ask();
  }

  ask() { this.wanted = true; }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    this.camera.resize(width, height);
    this.ask();
  }

  draw() {
    const started = performance.now();
    const motion = shown();
    this.body.group.visible = motion !== null;
    if (motion) {
      this.body.pose(motion, store.time);
      const root = this.body.links[0]?.position ?? new THREE.Vector3();
      this.sun.target.position.set(root.x, this.floor, root.z);
      this.sun.position.set(root.x + 2.2, this.floor + 5.5, root.z + 2.6);
      const isEdited = store.original && (store.live || store.state?.done?.steps.length);
      this.ghost.group.visible = this.hasGhost && this.overlays.show.ghost && Boolean(isEdited);
      if (this.ghost.group.visible) this.ghost.pose(store.original, store.time);
      // A motion in the hand brings no scene of its own: partners and things stay those of the last result.
      this.others.pose(store.result ?? store.original ?? motion, store.time);
      this.overlays.update(motion, store.time, store.link, this.floor);
    }
    const posed = performance.now();
    this.ground.position.y = this.floor - 0.002;
    this.shade.position.set(this.sun.target.position.x, this.floor - 0.001, this.sun.target.position.z);
    this.grid.position.y = this.floor + 0.003;
    const size = 0.0075 * this.camera.distance;
    for (const handle of this.handles.children) handle.scale.setScalar(Math.min(Math.max(size, 0.025), 0.12) * (handle.userData.grabbed ? 1.35 : 1) * (handle.userData.handle?.small ? 0.7 : 1));
    this.renderer.render(this.scene, this.camera.camera);
    this.frames += 1;
    document.documentElement.dataset.drawn = String(this.frames);
    const moves = this.moves.splice(0);
    this.quality.drawn(posed, (ms) => {
      this.drawMs = this.drawMs ? 0.8 * this.drawMs + 0.2 * ms : ms;
      document.documentElement.dataset.drawMs = this.drawMs.toFixed(1);
      for (const { moved, sent, answered } of moves) this.timings.push({ sent: sent - moved, answered: answered - moved, posed: posed - moved, drawn: posed + ms - moved });
      this.timings.splice(0, this.timings.length - 256);
    });
  }

  /** Everything the motion passes through. */
  frameAll() {
    const motion = shown();
    if (!motion) return;
    const box = new THREE.Box3();
    const wide = 7 * motion.links.length;
    const step = Math.max(1, Math.floor(motion.frames / 200));
    for (let frame = 0; frame < motion.frames; frame += step) {
      for (let link = 0; link < motion.links.length; link++) {
        const at = frame * wide + 7 * link;
        box.expandByPoint(new THREE.Vector3(motion.arrays.poses[at], motion.arrays.poses[at + 1], motion.arrays.poses[at + 2]));
      }
    }
    // Links are thicker than their joints.
    this.camera.frame(box.expandByScalar(0.15));
  }

  /** The body as it stands now. */
  frameBody() {
    const box = new THREE.Box3();
    this.body.links.forEach((link) => box.expandByPoint(link.position));
    this.camera.frame(box.expandByScalar(0.25));
  }

  /** Handles: `[{ position, color, ring, kind }]`; none with null. */
  setHandles(handles) {
    while (this.handles.children.length > (handles?.length ?? 0)) this.handles.remove(this.handles.children.at(-1));
    (handles ?? []).forEach((it, index) => {
      let mesh = this.handles.children[index];
      if (!mesh) {
        mesh = new THREE.Mesh(new THREE.SphereGeometry(1, 20, 14), new THREE.MeshBasicMaterial({ depthTest: false, transparent: true }));
        mesh.renderOrder = 10;
        this.handles.add(mesh);
      }
      mesh.position.set(...it.position);
      mesh.material.color.setHex(it.color);
      mesh.material.opacity = it.opacity ?? 0.95;
      Object.assign(mesh.userData, { handle: it, index });
    });
    this.ask();
  }

  setPaths(path, original) {
    const put = (line, values) => { line.geometry.dispose(); line.geometry = new THREE.BufferGeometry(); if (values) line.geometry.setAttribute('position', new THREE.BufferAttribute(values, 3)); line.visible = Boolean(values); };
    put(this.path, path);
    put(this.oldPath, original);
    this.ask();
  }

  setDrawn(points) {
    this.drawn.geometry.dispose();
    this.drawn.geometry = new THREE.BufferGeometry().setFromPoints((points ?? []).map(([x, z]) => new THREE.Vector3(x, this.floor + 0.01, z)));
    this.drawn.visible = Boolean(points?.length);
    this.ask();
  }

  aim(event) {
    const box = this.canvas.getBoundingClientRect();
    const point = new THREE.Vector2((2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height);
    this.ray.setFromCamera(point, this.camera.camera);
    return this.ray;
  }

  /** Where a point of the world is on the screen, CSS pixels of the canvas. */
  toScreen([x, y, z]) {
    const point = new THREE.Vector3(x, y, z).project(this.camera.camera);
    const box = this.canvas.getBoundingClientRect();
    return [box.left + ((point.x + 1) / 2) * box.width, box.top + ((1 - point.y) / 2) * box.height];
  }

  /** Where the pointer meets a level plane. */
  onPlane(event, height) {
    const at = new THREE.Vector3();
    return this.aim(event).ray.intersectPlane(new THREE.Plane(new THREE.Vector3(0, 1, 0), -height), at) ? at : null;
  }

  /** Where the pointer meets the plane through a point that the camera looks at straight. */
  facing(event, through) {
    const at = new THREE.Vector3();
    const normal = this.camera.camera.getWorldDirection(new THREE.Vector3());
    return this.aim(event).ray.intersectPlane(new THREE.Plane().setFromNormalAndCoplanarPoint(normal, through), at) ? at : null;
  }

  press(event) {
    if (Camera.claims(event) || event.button !== 0) return;
    if (this.drawing) { event.preventDefault(); event.stopPropagation(); this.canvas.setPointerCapture(event.pointerId); this.stroke = []; this.drag(event); return; }
    const found = this.aim(event).intersectObjects(this.handles.children)[0];
    if (found) {
      event.preventDefault();
      event.stopPropagation();
      this.canvas.setPointerCapture(event.pointerId);
      const { position } = found.object;
      const free = found.object.userData.handle.kind === 'free';
      const from = free ? this.facing(event, position) : this.onPlane(event, position.y);
      this.grabbed = { mesh: found.object, start: position.clone(), from, y: event.clientY, up: event.shiftKey };
      found.object.userData.grabbed = true;
      emit('handle-grab', found.object.userData.handle);
      return;
    }
    this.pressed = [event.clientX, event.clientY];
  }

  drag(event) {
    if (this.stroke) {
      const at = this.onPlane(event, this.floor);
      const last = this.stroke.at(-1);
      if (at && (!last || Math.hypot(at.x - last[0], at.z - last[1]) > 0.04)) { this.stroke.push([at.x, at.z]); this.setDrawn(this.stroke); }
      return;
    }
    const { grabbed } = this;
    if (!grabbed) { this.canvas.style.cursor = this.handles.children.length && this.aim(event).intersectObjects(this.handles.children).length ? 'grab' : ''; return; }
    const to = grabbed.start.clone();
    const { handle } = grabbed.mesh.userData;
    const reach = (2 * this.camera.distance * Math.tan((this.camera.camera.fov * Math.PI) / 360)) / this.canvas.clientHeight;
    if (handle.kind === 'free') {
      const now = this.facing(event, grabbed.start);
      if (!now || !grabbed.from) return;
      to.add(now).sub(grabbed.from);
    } else if (handle.kind === 'height' || event.shiftKey) to.y += (grabbed.y - event.clientY) * reach;
    else {
      const now = this.onPlane(event, grabbed.start.y);
      if (!now || !grabbed.from) return;
      to.add(now).sub(grabbed.from);
      to.y = grabbed.start.y;
    }
    grabbed.mesh.position.copy(to);
    emit('handle-move', handle, [to.x, to.y, to.z], event.timeStamp);
    // Where the body follows the hand, its picture is on the way, and one of the handle alone would only hold it up.
    clearTimeout(this.late);
    if (handle.live) this.late = setTimeout(() => this.ask(), 50); else this.ask();
  }

  release(event) {
    if (this.stroke) { const stroke = this.stroke; this.stroke = null; emit('stroke', stroke); return; }
    if (this.grabbed) {
      const { mesh } = this.grabbed;
      mesh.userData.grabbed = false;
      this.grabbed = null;
      emit('handle-drop', mesh.userData.handle, mesh.position.toArray());
      return;
    }
    if (this.pressed && Math.hypot(event.clientX - this.pressed[0], event.clientY - this.pressed[1]) < 4) {
      const link = this.body.hit(this.aim(event));
      if (link !== null) { store.link = link; emit('link'); this.ask(); }
    }
    this.pressed = null;
  }
}
