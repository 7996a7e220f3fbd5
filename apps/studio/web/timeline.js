// The timeline: transport, a ruler to scrub on, phases, and contacts as bars that can be dragged.
import { store, shown, duration, setTime, on, emit, copy } from './store.js';
import { el, byId, fill, toast, atMostEvery, perFrame } from './dom.js';
import { change } from './main.js';

const ROW = 15;
const EDGE = 7;
const PHASES = { left: 'left', right: 'right', double: 'both', flight: 'flight', other: 'other' };

let canvas;
let ctx;
let rows = [];
let held = null;
let draft = null;

export function startTimeline() {
  canvas = byId('timeline');
  ctx = canvas.getContext('2d');
  byId('play').onclick = toggle;
  byId('to-start').onclick = () => setTime(interval()[0]);
  byId('to-end').onclick = () => setTime(interval()[1]);
  byId('back').onclick = () => step(-1);
  byId('forth').onclick = () => step(1);
  const speed = byId('speed');
  speed.oninput = () => { store.speed = Number(speed.value); byId('speed-shown').textContent = `${store.speed.toFixed(1)}×`; };
  byId('loop').onchange = (event) => { store.loop = event.target.checked; };
  byId('interval-in').onclick = () => setInterval_([store.time, interval()[1]]);
  byId('interval-out').onclick = () => setInterval_([interval()[0], store.time]);
  byId('interval-all').onclick = () => setInterval_(null);
  canvas.addEventListener('pointerdown', press);
  canvas.addEventListener('pointermove', move);
  for (const name of ['pointerup', 'pointercancel']) canvas.addEventListener(name, release);
  canvas.addEventListener('dblclick', remove);
  canvas.addEventListener('keydown', keys);
  const soon = perFrame(draw);
  for (const name of ['time', 'motion', 'theme']) on(name, soon);
  // A motion in the hand changes its length a little with every move.
  on('live', atMostEvery(120, draw));
  new ResizeObserver(draw).observe(canvas.parentElement);
  let last = performance.now();
  const tick = (now) => {
    requestAnimationFrame(tick);
    const passed = (now - last) / 1000;
    last = now;
    if (!store.playing || !shown()) return;
    const [from, to] = interval();
    let next = store.time + passed * store.speed;
    if (next >= to) { if (store.loop) next = from; else { next = to; play(false); } }
    setTime(next);
  };
  requestAnimationFrame(tick);
}

export const interval = () => store.interval ?? [0, duration()];

function setInterval_(span) {
  store.interval = span && span[1] - span[0] > 0.05 ? span : null;
  draw();
}

export function play(on_) {
  store.playing = on_;
  byId('play').textContent = on_ ? '❚❚' : '▶';
  byId('play').setAttribute('aria-label', on_ ? 'Pause' : 'Play');
}
export const toggle = () => play(!store.playing);

export function step(frames) {
  play(false);
  const motion = shown();
  if (!motion) return;
  const hz = motion.hz ?? 30;
  setTime(Math.round(store.time * hz + frames) / hz);
}

function keys(event) {
  if (event.key === 'ArrowLeft') step(-1);
  else if (event.key === 'ArrowRight') step(1);
  else return;
  event.preventDefault();
}

/** Contacts belong to the clip as it was read: they are shown and changed there, unless times have changed since. */
function motionOfBars() {
  const steps = store.state?.done?.steps ?? [];
  const retimed = steps.some((it) => ['cut', 'join', 'speed', 'transition', 'path', 'blend', 'adapt'].includes(it.verb));
  return { motion: retimed || store.live ? store.result ?? shown() : store.original ?? shown(), canEdit: !retimed && !store.live };
}

const LEFT = 108;
/** Where the bars of contacts begin. */
const top = () => 38 + (store.stages ? ROW + 2 : 0);
const xOf = (secs) => LEFT + (secs / duration()) * (canvas.clientWidth - LEFT - 8);
const secsOf = (x) => ((x - LEFT) / (canvas.clientWidth - LEFT - 8)) * duration();

function draw() {
  const ratio = Math.min(devicePixelRatio, 2);
  const { clientWidth: width } = canvas.parentElement;
  const motion = shown();
  const bars = motionOfBars().motion;
  const used = (bars?.effectors ?? []).filter((it) => (bars.contacts ?? []).some((contact) => contact.effector === it.name) || /ball|paw/.test(it.name));
  rows = used.slice(0, 12);
  const height = top() + 2 + Math.max(rows.length, 2) * ROW;
  canvas.style.height = `${height}px`;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(`--${name}`);
  ctx.clearRect(0, 0, width, height);
  ctx.font = '11px system-ui, sans-serif';
  if (!motion) { byId('clock').textContent = '–'; return; }
  ruler(color, width);
  const [from, to] = interval();
  ctx.fillStyle = color('interval');
  if (store.interval) { ctx.fillRect(xOf(0), 18, xOf(from) - xOf(0), height); ctx.fillRect(xOf(to), 18, xOf(duration()) - xOf(to), height); }
  ctx.fillStyle = color('muted');
  ctx.textAlign = 'left';
  ctx.fillText('phases', 6, 32);
  for (const [kind, start, end] of motion.phases ?? []) {
    ctx.fillStyle = color(`phase-${PHASES[kind]}`);
    ctx.fillRect(xOf(start), 22, Math.max(xOf(end) - xOf(start) - 1, 1), 12);
  }
  faults(color);
  if (store.stages) stages(color);
  const contacts = draft ?? bars?.contacts ?? [];
  rows.forEach((effector, row) => {
    const y = top() + row * ROW;
    ctx.fillStyle = color('muted');
    ctx.fillText(effector.name.replaceAll('_', ' '), 6, y + 11);
    ctx.fillStyle = color('row');
    ctx.fillRect(LEFT, y + 1, width - LEFT - 8, ROW - 3);
    for (const contact of contacts.filter((it) => it.effector === effector.name)) {
      ctx.fillStyle = color(effector.side === 'left' ? 'left' : effector.side === 'right' ? 'right' : 'accent');
      ctx.globalAlpha = contact.hand ? 1 : 0.72;
      ctx.fillRect(xOf(contact.start), y + 1, Math.max(xOf(contact.end) - xOf(contact.start), 2), ROW - 3);
      ctx.globalAlpha = 1;
      if (contact.hand) { ctx.strokeStyle = color('text'); ctx.strokeRect(xOf(contact.start) + 0.5, y + 1.5, xOf(contact.end) - xOf(contact.start) - 1, ROW - 4); }
    }
  });
  const x = xOf(store.time);
  ctx.strokeStyle = color('accent');
  ctx.lineWidth = 2;
  ctx.beginPath(); ctx.moveTo(x, 14); ctx.lineTo(x, height); ctx.stroke();
  ctx.lineWidth = 1;
  ctx.fillStyle = color('accent');
  ctx.beginPath(); ctx.moveTo(x - 6, 8); ctx.lineTo(x + 6, 8); ctx.lineTo(x, 16); ctx.fill();
  const hz = motion.hz ?? 0;
  byId('clock').textContent = `${store.time.toFixed(2)} s · frame ${Math.round(store.time * hz)} of ${motion.frames}`;
  canvas.setAttribute('aria-valuenow', store.time.toFixed(2));
  canvas.setAttribute('aria-valuemax', duration().toFixed(2));
}

/** Ticks where the result has something wrong. */
function faults(color) {
  const judgement = store.live ? null : store.state?.done?.judgement;
  ctx.fillStyle = color('bad');
  (judgement?.moments ?? []).forEach(({ start_secs: start, end_secs: end }, index) => {
    if (judgement.timed[index]) ctx.fillRect(xOf(start) - 1, 35, Math.max(xOf(end) - xOf(start), 2), 3);
  });
}

/** Stages of an adaptation, the flight that is meant, and when something has to be somewhere. */
function stages(color) {
  ctx.fillStyle = color('muted');
  ctx.fillText('stages', 6, 38 + 11);
  for (const { start, end, words, kind, isMeant } of store.stages.spans) {
    const [x, wide] = [xOf(start), Math.max(xOf(end) - xOf(start) - 1, 1)];
    ctx.fillStyle = kind === 'flight' ? color('phase-flight') : color(kind === 'takeoff' ? 'left' : 'right');
    ctx.globalAlpha = kind === 'flight' ? (isMeant ? 1 : 0.45) : 0.35;
    ctx.fillRect(x, 38, wide, ROW - 2);
    ctx.globalAlpha = 1;
    if (isMeant) { ctx.strokeStyle = color('text'); ctx.strokeRect(x + 0.5, 38.5, wide - 1, ROW - 3); }
    ctx.fillStyle = color('text');
    if (ctx.measureText(words).width + 8 < wide) ctx.fillText(words, x + 4, 38 + 10);
  }
  for (const { secs } of store.stages.marks) {
    const x = xOf(secs);
    ctx.fillStyle = '#8f4fd0';
    ctx.beginPath(); ctx.moveTo(x, 38); ctx.lineTo(x + 5, 38 + 6); ctx.lineTo(x, 38 + 12); ctx.lineTo(x - 5, 38 + 6); ctx.fill();
  }
}

function ruler(color, width) {
  const all = duration();
  const every = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60].find((it) => (it / all) * (width - LEFT) > 46) ?? 60;
  ctx.strokeStyle = color('line');
  ctx.fillStyle = color('muted');
  ctx.textAlign = 'center';
  for (let secs = 0; secs <= all + 1e-6; secs += every) {
    const x = xOf(secs);
    ctx.beginPath(); ctx.moveTo(x, 14); ctx.lineTo(x, 20); ctx.stroke();
    ctx.fillText(`${Number(secs.toFixed(2))}`, x, 11);
  }
}

function under(event) {
  const box = canvas.getBoundingClientRect();
  const [x, y] = [event.clientX - box.left, event.clientY - box.top];
  if (store.stages && y >= 38 && y < top()) return { x, y, flight: store.stages.spans.find((it) => it.flight !== undefined && x >= xOf(it.start) && x <= xOf(it.end))?.flight };
  const row = Math.floor((y - top()) / ROW);
  const effector = rows[row];
  if (!effector || x < LEFT) return { x, y };
  const contacts = motionOfBars().motion?.contacts ?? [];
  const index = contacts.findIndex((it) => it.effector === effector.name && x >= xOf(it.start) - 3 && x <= xOf(it.end) + 3);
  if (index < 0) return { x, y, effector };
  const { start, end } = contacts[index];
  const part = Math.abs(x - xOf(start)) < EDGE ? 'start' : Math.abs(x - xOf(end)) < EDGE ? 'end' : 'whole';
  return { x, y, effector, index, part };
}

function press(event) {
  const at = under(event);
  canvas.setPointerCapture(event.pointerId);
  if (at.effector && motionOfBars().canEdit && (at.index !== undefined || event.shiftKey)) {
    const contacts = copy(motionOfBars().motion.contacts);
    if (at.index === undefined) {
      contacts.push({ effector: at.effector.name, start: secsOf(at.x), end: secsOf(at.x) + 0.02, hand: true });
      held = { index: contacts.length - 1, part: 'end', from: secsOf(at.x) };
    } else held = { index: at.index, part: at.part, from: secsOf(at.x), before: copy(contacts[at.index]) };
    held.before ??= copy(contacts[held.index]);
    draft = contacts;
    return;
  }
  if (at.effector && at.index !== undefined) toast('Times have changed since these contacts were found. Switch the edits that change time off to correct contacts of the clip itself.');
  held = { scrub: true };
  setTime(secsOf(at.x));
  if (at.flight !== undefined) emit('stage-pick', at.flight);
}

function move(event) {
  if (!held) { const at = under(event); canvas.style.cursor = at.flight !== undefined ? 'pointer' : at.part === 'whole' ? 'grab' : at.part ? 'ew-resize' : 'default'; return; }
  const secs = secsOf(event.clientX - canvas.getBoundingClientRect().left);
  if (held.scrub) { setTime(secs); return; }
  const contact = draft[held.index];
  const by = secs - held.from;
  const clamp = (value) => Math.min(Math.max(value, 0), duration());
  if (held.part !== 'end') contact.start = clamp(held.before.start + by);
  if (held.part !== 'start') contact.end = clamp(held.before.end + by);
  contact.hand = true;
  held.moved = true;
  setTime(held.part === 'end' ? contact.end : contact.start);
}

function release(event) {
  if (held?.moved && draft) put(draft, 'contact moved');
  else if (held && !held.scrub) setTime(secsOf(event.clientX - canvas.getBoundingClientRect().left));
  held = null;
}

function remove(event) {
  const at = under(event);
  if (at.index === undefined || !motionOfBars().canEdit) return;
  put(motionOfBars().motion.contacts.filter((_, index) => index !== at.index), 'contact removed');
}

/** All contacts go into the project; those of one effector that meet become one. */
async function put(contacts, label) {
  const merged = [];
  for (const it of [...contacts].filter((it) => it.end - it.start > 0.01).sort((a, b) => a.start - b.start)) {
    const last = merged.findLast((other) => other.effector === it.effector);
    if (last && it.start <= last.end) { last.end = Math.max(last.end, it.end); last.hand ||= it.hand; } else merged.push({ ...it });
  }
  await change(label, (project) => {
    project.contacts = merged.map(({ effector, start, end, hand }) => ({ effector, start_secs: start, end_secs: end, kind: 'load', source: hand ? 'hand' : 'auto' }));
  });
  draft = null;
  draw();
}

export function forgetDraft() { if (!held) draft = null; }

export function contactTools() {
  if (!store.state?.draft.contacts.length) return null;
  return el('button.quiet', { onclick: () => change('contacts found again', (project) => { project.contacts = []; }), title: 'Drop corrections by hand' }, 'Find contacts again');
}

on('state', () => fill(byId('contact-tools'), contactTools() ?? ''));
