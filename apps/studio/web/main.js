// Starts the page, keeps it in step with the server, and knows the keys.
import { store, on, emit, copy, shown, setTime, duration } from './store.js';
import { ask, connect, motion } from './wire.js';
import { byId, el, fill, toast, check } from './dom.js';
import { View } from './view.js';
import { SHOWS } from './overlays.js';
import { startTimeline, toggle, step, interval, forgetDraft } from './timeline.js';
import { startPlots } from './plots.js';
import { startStack } from './stack.js';
import { startNumbers } from './numbers.js';
import { openDialog, save, exportDialog, startDrop } from './files.js';
import { startTour, showHelp } from './tour.js';

export let view;

/** Runs something that may be refused, and says why. */
export async function guarded(action) {
  try { return await action(); } catch (error) {
    toast(error.message, 'error');
    return undefined;
  }
}

/** Makes a change of the project. One that came too late is kept, and can be made again. */
export async function change(label, mutate) {
  const draft = copy(store.state.draft);
  mutate(draft);
  try {
    await ask('/api/change', { revision: store.state.revision, label, draft });
  } catch (error) {
    if (error.status === 409) {
      store.kept = { label, mutate };
      toast(`Somebody changed the project in another window, so “${label}” was not made. It is kept as a draft.`, 'error', ['Make it now', async () => { await refresh(); await change(label, mutate); }]);
    } else toast(error.message, 'error');
  }
  await refresh();
}

let asking = null;
let again = false;

/** Asks for the state, and for motions that are new; one at a time. */
export async function refresh() {
  if (asking) { again = true; return asking; }
  asking = load().catch((error) => cover(el('div', {}, el('b', {}, 'The studio does not answer.'), el('p', {}, error.message)))).finally(() => { asking = null; });
  await asking;
  if (again) { again = false; await refresh(); }
  return undefined;
}

let loaded = 0;
let clipKey = '';
async function load() {
  store.verbs ??= await ask('/api/verbs');
  const state = await ask('/api/state');
  store.state = state;
  const done = state.done?.revision ?? 0;
  if (!done) { store.original = store.result = store.live = null; loaded = 0; clipKey = ''; }
  if (done && done !== loaded) {
    const key = JSON.stringify([state.draft.clip, state.draft.fps, state.draft.contacts]);
    const isNewClip = !store.original || key !== clipKey;
    const [original, result] = await Promise.all([isNewClip ? motion('original') : store.original, motion('result')]);
    // A newer one came meanwhile: it will be asked for.
    Object.assign(store, { original, result });
    if (result.revision >= state.revision) store.live = null;
    loaded = result.revision;
    clipKey = key;
    forgetDraft();
    setTime(store.time);
    emit('motion');
    if (isNewClip && store.framed !== state.draft.clip) { store.framed = state.draft.clip; view.frameAll(); }
  }
  emit('state', state);
  bar(state);
  covered(state);
  Object.assign(document.documentElement.dataset, { revision: state.revision, done: String(done), running: state.running ? 'yes' : 'no', failed: String(state.failure?.revision ?? 0), ready: done ? 'yes' : 'no' });
}

function bar(state) {
  byId('undo').disabled = !state.undo;
  byId('undo').title = state.undo ? `Undo: ${state.undo} (Ctrl-Z)` : 'Nothing to undo';
  byId('redo').disabled = !state.redo;
  byId('redo').title = state.redo ? `Redo: ${state.redo} (Ctrl-Shift-Z)` : 'Nothing to redo';
  fill(byId('name'), el('b', {}, state.draft.clip), ` · ${state.file ?? 'not saved'}${state.changed ? ' •' : ''}`);
  document.title = `${state.changed ? '• ' : ''}${state.file ?? state.draft.clip} – Aplomb studio`;
  byId('stop').hidden = !state.running;
  if (!state.running) busy('');
  if (state.recovered && !store.told) { store.told = true; toast('Changes that were not saved last time are here again.', 'note', ['Drop them', () => undo()]); }
}

function busy(text) { const box = byId('busy'); box.textContent = text; box.classList.toggle('offline', !store.online); }

function cover(content) { const box = byId('cover'); box.hidden = !content; if (content) fill(box, content); }

/** Empty, loading and failed states of the viewport. */
function covered(state) {
  if (shown()) { cover(null); return; }
  if (!state.failure) { cover(el('p', {}, `Reading ${state.draft.clip} …`)); return; }
  const rate = state.failure.remedy === 'choose-rate';
  cover(el('div', {}, el('b', {}, 'This clip cannot be shown.'), el('p.fault', {}, state.failure.text),
    el('div.buttons', {}, rate ? el('button.primary', { onclick: () => change('rate by gravity', (project) => { project.fps = 'auto'; }) }, 'Use the rate that gravity shows') : null,
      rate ? el('button', { onclick: () => change('rate of the header', (project) => { project.fps = 'header'; }) }, 'Keep the header’s rate') : null,
      el('button', { onclick: openDialog }, 'Open something else'))));
}

const undo = () => guarded(async () => { await ask('/api/undo', { revision: store.state.revision }); await refresh(); });
const redo = () => guarded(async () => { await ask('/api/redo', { revision: store.state.revision }); await refresh(); });

function keys(event) {
  const { key, ctrlKey, metaKey, shiftKey, target } = event;
  const isField = target.matches?.('input:not([type=checkbox]):not([type=range]), select, textarea');
  const command = ctrlKey || metaKey;
  const act = (action) => { event.preventDefault(); action(); };
  if (command && key.toLowerCase() === 'z') { if (!isField) act(shiftKey ? redo : undo); return; }
  if (command && key.toLowerCase() === 'y') { act(redo); return; }
  if (command && key.toLowerCase() === 's') { act(save); return; }
  if (command || event.altKey || isField || document.querySelector('dialog[open]')) return;
  const table = {
    ' ': toggle, ',': () => step(-1), '.': () => step(1), Home: () => setTime(interval()[0]), End: () => setTime(interval()[1]),
    i: () => byId('interval-in').click(), u: () => byId('interval-out').click(), l: () => byId('loop').click(), o: openDialog, e: exportDialog,
    1: () => view.camera.preset('front'), 3: () => view.camera.preset('right'), 7: () => view.camera.preset('top'), a: () => view.frameAll(), f: () => view.frameBody(), '?': showHelp,
  };
  // Space on a button presses it.
  if (key === ' ' && target.matches?.('button, summary, input')) return;
  if (table[key]) act(table[key]);
}

function start() {
  const theme = localStorage.getItem('theme');
  if (theme) document.documentElement.dataset.theme = theme;
  try { view = new View(byId('view')); } catch (error) {
    cover(el('div', {}, el('b', {}, 'This browser cannot draw in three dimensions.'), el('p', {}, `WebGL 2 is needed: ${error.message}`)));
    return;
  }
  window.studio = { store, view, setTime };
  startTimeline();
  startPlots();
  startStack();
  startNumbers();
  startDrop();
  fill(byId('shows'), SHOWS.map(([name, words, isOn]) => check(words, isOn, (value) => { view.overlays.show[name] = value; view.ask(); })));
  document.querySelectorAll('[data-view]').forEach((button) => { button.onclick = () => view.camera.preset(button.dataset.view); });
  byId('frame-all').onclick = () => view.frameAll();
  byId('frame-body').onclick = () => view.frameBody();
  byId('open').onclick = openDialog;
  byId('save').onclick = save;
  byId('export').onclick = exportDialog;
  byId('undo').onclick = undo;
  byId('redo').onclick = redo;
  byId('help').onclick = showHelp;
  byId('stop').onclick = () => guarded(() => ask('/api/stop', {}));
  byId('theme').onclick = () => {
    const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    document.documentElement.dataset.theme = dark ? 'light' : 'dark';
    localStorage.setItem('theme', document.documentElement.dataset.theme);
    view.theme();
    emit('theme');
  };
  addEventListener('keydown', keys);
  on('progress', ({ text, share }) => busy(`${text}${share === null || share === undefined ? ' …' : ` · ${Math.round(100 * share)} %`}`));
  on('refused', ({ error }) => toast(error, 'error'));
  on('closing', () => busy('the studio was ended'));
  on('online', (isOnline) => { store.online = isOnline; if (isOnline) refresh(); else busy('not connected – is the studio still running?'); });
  addEventListener('beforeunload', (event) => { if (store.state?.changed && store.state.file) event.preventDefault(); });
  connect();
}

/** The server tells of every change, ours too. */
on('stale', () => refresh());

start();
refresh().then(() => { if (!localStorage.getItem('toured') && store.state?.draft.clip.startsWith('builtin:') && !store.state.draft.entries.length && !navigator.webdriver) startTour(); });
