// The scene of a tracked motion: things to hit and others to meet. They are put somewhere by dragging their marks, or by numbers.
import { store, shown, frameAt } from '../store.js';
import { el, choice, number } from '../dom.js';
import { chooseMotion } from '../files.js';

const THING = 0x9a7b4f;
const PARTNER = 0x2f8fb3;
const HANDS = ['right_hand', 'left_hand'];
const BODIES = [['none', 'their own'], ['adult', 'adult'], ['child', 'child'], ['alien', 'alien']];
const round = (value) => Number(value.toFixed(3));

/** New things, as large as people meet them. */
const NEW = {
  drum: { words: 'Drum', shape: { cylinder: { radius_m: 0.3, height_m: 0.3 } } },
  table: { words: 'Table', shape: { box: { half_m: [0.5, 0.02, 0.35] } } },
  ball: { words: 'Ball', shape: { ball: { radius_m: 0.12 } }, mass_kg: 0.5 },
};
/** Sizes of a shape: what it is called, its value, and how it is set. */
const SIZES = {
  ball: (it) => [['Radius', it.radius_m, (value) => { it.radius_m = value; }]],
  cylinder: (it) => [['Radius', it.radius_m, (value) => { it.radius_m = value; }], ['Height', it.height_m, (value) => { it.height_m = value; }]],
  box: (it) => ['Width', 'Height', 'Depth'].map((words, axis) => [words, 2 * it.half_m[axis], (value) => { it.half_m[axis] = value / 2; }]),
  staff: (it) => [['Length', it.length_m, (value) => { it.length_m = value; }], ['Radius', it.radius_m, (value) => { it.radius_m = value; }]],
};

/** Parts of the panel that are open stay so when it is built anew. */
const opened = new Set();
function part(name, summary, ...content) {
  const box = el('details', { open: opened.has(name), ontoggle: () => { if (box.open) opened.add(name); else opened.delete(name); } }, el('summary', {}, ...summary), ...content);
  return box;
}

/** A name that nobody has yet. */
function fresh(scene, wanted) {
  const taken = new Set(['actor', ...(scene.prop ?? []).map((it) => it.name), ...(scene.character ?? []).map((it) => it.name)]);
  for (let count = 1; ; count++) { const name = count === 1 ? wanted : `${wanted}${count}`; if (!taken.has(name)) return name; }
}

/** Where a part is now; its hips, if it has no such part. */
function placeOf(role) {
  const motion = shown();
  const link = Math.max(motion.roles?.indexOf(role) ?? 0, 0);
  const at = frameAt(motion, store.time).frame * 7 * motion.links.length + 7 * link;
  return Array.from(motion.arrays.poses.subarray(at, at + 3));
}

/** Between the hands, and which way that is from the hips. */
function ahead() {
  const [right, left, hips] = [...HANDS, 'hips'].map(placeOf);
  const middle = right.map((value, axis) => (value + left[axis]) / 2);
  const way = [middle[0] - hips[0], middle[2] - hips[2]];
  const length = Math.hypot(...way);
  return { middle, hips, way: length > 0.05 ? way.map((it) => it / length) : [0, 1] };
}

/** Drops what is not there any more out of pairs. */
const without = (scene, name) => { for (const list of ['pair', 'clap']) if (scene[list]) scene[list] = scene[list].filter((it) => ![it.a, it.b].some((part) => part.split('.')[0] === name)); };

export function addThing(scene, kind) {
  const { middle } = ahead();
  const { shape, mass_kg } = NEW[kind];
  const name = fresh(scene, kind);
  // Its top a little below the hands.
  const top = shape.cylinder ? shape.cylinder.height_m / 2 : shape.box ? shape.box.half_m[1] : shape.ball.radius_m;
  (scene.prop ??= []).push({ name, shape: structuredClone(shape), at_m: [middle[0], middle[1] - top - 0.05, middle[2]].map(round), ...(mass_kg ? { mass_kg } : {}) });
  (scene.pair ??= []).push(...HANDS.map((hand) => ({ a: `actor.${hand}`, b: name })));
}

export function addPartner(scene) {
  const { hips, way } = ahead();
  const name = fresh(scene, 'partner');
  (scene.character ??= []).push({ name, at_m: [hips[0] + way[0], hips[2] + way[1]].map(round), turn_deg: 180 });
  (scene.pair ??= []).push(...HANDS.flatMap((own) => HANDS.map((other) => ({ a: `actor.${own}`, b: `${name}.${other}` }))));
}

/** Marks of everything that has a place of its own. */
export function marks(scene, floor) {
  const things = (scene?.prop ?? []).map((it, prop) => ({ prop, position: it.at_m ?? [0, 0, 0], color: THING, opacity: it.held_by ? 0 : 0.95 })).filter((it) => it.opacity);
  const others = (scene?.character ?? []).map((it, partner) => ({ partner, position: it.at_m && [it.at_m[0], floor + 0.03, it.at_m[1]], color: PARTNER })).filter((it) => it.position);
  return [...things, ...others];
}

/** A mark was put elsewhere. */
export function moved(scene, { prop, partner }, to) {
  if (prop !== undefined) scene.prop[prop].at_m = to.map(round);
  else scene.character[partner].at_m = [to[0], to[2]].map(round);
}

/** The part of the panel that shows a scene; `commit(label, scene => …)` changes it. */
export function scenePanel(scene, commit) {
  const field = (label, value, set, options = {}) => number(label, { value: value === null || value === undefined ? null : round(value), step: 0.01, unit: 'm', ...options, onchange: (next) => { if (next !== null || options.optional) commit(`${label.toLowerCase()} changed`, () => set(next)); } });
  const away = (name, take) => el('button.quiet', { 'aria-label': `Take ${name} out`, title: 'Take out', onclick: () => commit(`${name} taken out`, (it) => { take(it); without(it, name); }) }, '×');
  const thing = (it, at) => {
    const [kind, size] = Object.entries(it.shape)[0];
    return part(it.name, [`${it.name} (${kind}) `, away(it.name, (all) => all.prop.splice(at, 1))],
      SIZES[kind](size).map(([words, value, set]) => field(`${words} of ${it.name}`, value, set, { min: 0.01 })),
      field(`Mass of ${it.name}`, it.mass_kg, (next) => { if (next === null) delete it.mass_kg; else it.mass_kg = next; }, { unit: 'kg', step: 0.1, min: 0.01, optional: true }),
      el('p.muted', {}, it.held_by ? `held by ${it.held_by.replace('actor.', '').replace('_', ' ')}` : it.mass_kg === undefined || it.mass_kg === null ? 'Without a mass it stands still.' : 'It moves and falls.'));
  };
  const other = (it, at) => {
    const character = typeof it.character === 'string' ? it.character : it.character ? 'own' : 'none';
    return part(it.name, [`${it.name} `, away(it.name, (all) => all.character.splice(at, 1))],
      choice(`Body of ${it.name}`, character === 'own' ? [...BODIES, ['own', 'as in the project']] : BODIES, character, (value) => commit('partner changed', () => { if (value === 'none') delete it.character; else if (value !== 'own') it.character = value; })),
      el('div.row', {}, `Motion: ${it.clip ?? 'the same'} `, el('button', { onclick: () => chooseMotion(`Motion of ${it.name}`, (path) => commit('partner changed', () => { it.clip = path; })) }, 'Choose …')),
      field(`Turn of ${it.name}`, it.turn_deg, (next) => { it.turn_deg = next; }, { unit: '°', step: 15 }));
  };
  const pair = (it, at) => el('div.row', {}, `${it.a.replace('actor.', '').replaceAll('_', ' ')} – ${it.b.replaceAll('_', ' ')}`, el('button.quiet', { 'aria-label': `${it.a} goes through ${it.b}`, title: 'They go through each other', onclick: () => commit('contact taken out', (all) => { all.pair.splice(at, 1); }) }, '×'));
  const kept = [['clap', 'claps'], ['task', 'tasks'], ['reach', 'reaches']].filter(([list]) => scene?.[list]?.length).map(([list, words]) => `${scene[list].length} ${words}`);
  return el('section.scene', { 'aria-label': 'Scene' },
    el('h3', {}, 'Scene'),
    (scene?.prop ?? []).map(thing),
    (scene?.character ?? []).map(other),
    scene?.pair?.length ? part('pairs', [`What touches what (${scene.pair.length})`], scene.pair.map(pair)) : null,
    kept.length ? el('p.muted', {}, `With ${kept.join(', ')}, as the project file has them.`) : null,
    el('div.buttons', {}, Object.entries(NEW).map(([kind, { words }]) => el('button', { 'data-scene': kind, onclick: () => commit(`${kind} added`, (it) => addThing(it, kind)) }, `+ ${words}`)), el('button', { 'data-scene': 'partner', onclick: () => commit('partner added', addPartner) }, '+ Partner')),
    el('p.muted', {}, 'Brown and blue marks are things and partners: drag them on the ground, Shift-drag for height.'));
}
