// The edit stack: what is done to the clip, in order; each edit can be switched off, moved, tuned and taken out.
import { store, on, emit, copy } from './store.js';
import { el, byId, fill, cm } from './dom.js';
import { change } from './main.js';
import { pathTool } from './tools/path.js';
import { touchupTool } from './tools/touchup.js';
import { blendTool } from './tools/blend.js';
import { trackTool } from './tools/track.js';
import { adaptTool } from './tools/adapt.js';
import { simpleTool, SIMPLE } from './tools/simple.js';

/** Verb → what a new one is, and what it says on its button. */
const NEW = {
  path: ['Path', 'Drag handles of the way, follow a curve, change jumps', { verb: 'path' }],
  touchup: ['Touch-up', 'Balance, flights and feet made physically right', { verb: 'touchup' }],
  blend: ['Blend', 'The motion between motions', null],
  track: ['Track', 'Played by a simulated body', { verb: 'track' }],
  adapt: ['Adapt', 'A jump or run adapted to goals with full dynamics', { verb: 'adapt', goals: { jump_length_m: 0.2 } }],
};
const TOOLS = { path: pathTool, touchup: touchupTool, blend: blendTool, track: trackTool, adapt: adaptTool };
let tool = null;

export function startStack() { on('state', show); on('choose', show); }

export function choose(index) {
  store.chosen = index;
  emit('choose');
}

export const chosenEntry = () => store.state?.draft.entries[store.chosen] ?? null;

/** Changes the parameters of one edit. */
export const tune = (index, label, mutate) => change(label, (project) => mutate(project.entries[index].edit));

export function add(edit) {
  if (edit === null) { TOOLS.blend.create((made) => add(made)); return; }
  change(`${edit.verb} added`, (project) => { project.entries.push({ on: true, edit: copy(edit) }); store.chosen = project.entries.length - 1; });
}

function show() {
  const { state } = store;
  if (!state) return;
  if (store.chosen !== null && store.chosen >= state.draft.entries.length) store.chosen = state.draft.entries.length ? state.draft.entries.length - 1 : null;
  const chosen = chosenEntry();
  // A panel that is in use stays while its edit is the same one; its figures follow.
  if (tool && tool.index === store.chosen && tool.verb === chosen?.edit.verb && chosen.on) {
    const { panel } = tool;
    guardedTool(() => tool.update(chosen.edit, record(store.chosen)), panel);
    refresh();
    return;
  }
  tool?.close?.();
  tool = null;
  if (chosen?.on) {
    const { verb } = chosen.edit;
    guardedTool(() => { tool = (TOOLS[verb] ?? simpleTool)(store.chosen, chosen.edit, record(store.chosen)); });
    if (tool) Object.assign(tool, { index: store.chosen, verb });
  }
  refresh();
}

/** A fault in one tool must not take the page with it. */
function guardedTool(action, panel) {
  try { action(); } catch (error) {
    console.error(error);
    if (panel) fill(panel, el('p.fault', {}, `This tool failed: ${error.message}. The edit itself is as the project has it.`));
  }
}

function refresh() {
  const { state } = store;
  // Whoever tunes with the keyboard goes on where they were.
  const focused = byId('stack').contains(document.activeElement) ? document.activeElement.getAttribute('aria-label') : null;
  const { entries } = state.draft;
  fill(byId('stack'),
    el('h2', {}, 'Edits'),
    state.failure ? el('p.fault', { role: 'alert' }, state.failure.text) : null,
    entries.length ? entries.map(entry) : el('p.empty', {}, 'Nothing is changed yet. Add an edit: a path to drag, a touch-up for balance, a blend …'),
    el('div.buttons', { id: 'add' }, Object.entries(NEW).map(([verb, [words, about, edit]]) => el('button', { title: about, 'data-add': verb, onclick: () => add(edit) }, `+ ${words}`))),
    el('details', {}, el('summary.muted', {}, 'More edits'), el('div.buttons', {}, Object.entries(SIMPLE).map(([verb, { words, about, start }]) => el('button', { title: about, 'data-add': verb, onclick: () => add(start()) }, `+ ${words}`)))),
    state.outside.length ? el('p.muted', {}, `Reads outside its folder: ${state.outside.join(', ')}`) : null,
    state.unknown.length ? el('p.muted', {}, `Kept for others: ${state.unknown.join(', ')}`) : null,
  );
  if (focused) byId('stack').querySelector(`[aria-label="${CSS.escape(focused)}"]`)?.focus();
}

export const record = (index) => {
  const number = store.state.numbers[index];
  return number === null || number === undefined ? null : store.state.done?.steps[number] ?? null;
};

function entry({ on: isOn, edit }, index) {
  const { state } = store;
  const step = record(index);
  const isChosen = store.chosen === index;
  const box = el('input', { type: 'checkbox', 'aria-label': `Edit ${index + 1} on or off` });
  box.checked = isOn;
  box.onchange = () => change(`${edit.verb} ${box.checked ? 'on' : 'off'}`, (project) => { project.entries[index].on = box.checked; });
  const move = (by) => change(`${edit.verb} moved`, (project) => { const [it] = project.entries.splice(index, 1); project.entries.splice(index + by, 0, it); if (isChosen) store.chosen = index + by; });
  const figures = step?.stage ? `ZMP outside ${cm(step.stage.zmp_mean_m)} · slide ${cm(step.stage.skate_mean_m)} · score ${step.stage.score_all?.toFixed(0) ?? '–'}` : null;
  return el(`div.entry${isChosen ? '.chosen' : ''}${isOn ? '' : '.off'}`, { 'data-entry': String(index) },
    el('div.head', {},
      box,
      el('button.words', { onclick: () => choose(isChosen ? null : index), 'aria-expanded': String(isChosen) }, el('b', {}, edit.verb), state.words[index]),
      el('span.moves', {},
        el('button.quiet', { title: 'Earlier', 'aria-label': 'Earlier', disabled: index === 0, onclick: () => move(-1) }, '↑'),
        el('button.quiet', { title: 'Later', 'aria-label': 'Later', disabled: index + 1 === state.draft.entries.length, onclick: () => move(1) }, '↓'),
        el('button.quiet', { title: 'Take out', 'aria-label': 'Take out', onclick: () => change(`${edit.verb} taken out`, (project) => { project.entries.splice(index, 1); if (isChosen) store.chosen = null; }) }, '×'))),
    isOn && figures ? el('div.figures', {}, figures) : null,
    isOn ? (step?.warnings ?? []).slice(0, 3).map((text) => el('p.warn.figures', {}, `⚠ ${text}`)) : null,
    isChosen && tool ? el('div.tool', {}, tool.panel) : null);
}
