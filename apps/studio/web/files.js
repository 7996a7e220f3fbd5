// Opening, saving, exporting, dropping.
import { store } from './store.js';
import { el, byId, dialog, toast } from './dom.js';
import { ask, upload } from './wire.js';
import { guarded, refresh } from './main.js';

/** A list to choose a motion from: files of the folder and built-in clips. `pick` gets its path. */
export async function chooseMotion(title, pick, { projects = false } = {}) {
  const { files } = await ask('/api/files');
  const { box, close } = dialog(title);
  const button = (path, about) => el('button', { onclick: () => { close(); pick(path); } }, el('b', {}, path), el('span', {}, about));
  const motions = files.filter((it) => it.kind === 'motion');
  const size = (bytes) => (bytes > 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.ceil(bytes / 1e3)} kB`);
  const filter = el('input', { type: 'text', placeholder: 'Find …', 'aria-label': 'Find' });
  const list = el('div.list', {});
  const fill = () => {
    const has = (text) => text.toLowerCase().includes(filter.value.toLowerCase());
    const part = (heading, items) => (items.length ? [el('h3', {}, heading), ...items] : []);
    list.replaceChildren(
      ...(projects ? part('Projects', files.filter((it) => it.kind === 'project' && has(it.path)).map((it) => button(it.path, size(it.bytes)))) : []),
      ...part(`Motions in ${store.state.folder}`, motions.filter((it) => has(it.path)).map((it) => button(it.path, size(it.bytes)))),
      ...part('Built-in clips', store.state.builtins.filter(([name, about]) => has(name + about)).map(([name, about]) => button(`builtin:${name}`, about))),
      ...(projects ? part('Samples', store.state.samples.filter(([name, about]) => has(name + about)).map(([name, about]) => button(`sample:${name}`, about))) : []),
    );
  };
  filter.oninput = fill;
  fill();
  box.append(filter, list);
  filter.focus();
}

export function openDialog() {
  chooseMotion('Open', open, { projects: true }).catch((error) => toast(error.message, 'error'));
}

export async function open(what) {
  const go = () => guarded(async () => { store.chosen = null; store.time = 0; store.fresh = true; await ask('/api/open', { revision: store.state.revision, what }); await refresh(); });
  if (store.state.changed && store.state.draft.entries.length) toast('This project has changes that are not saved.', 'error', ['Open anyway', go], ['Save first', saveDialog]);
  else await go();
}

const stem = () => (store.state.file ?? store.state.draft.clip.replace('builtin:', '')).split('/').pop().replace(/\.aplomb\.toml$|\.[a-z]+$/i, '');

export async function save() {
  if (!store.state.file) { saveDialog(); return; }
  await guarded(async () => { const { file } = await ask('/api/save', {}); toast(`Saved ${file}`); await refresh(); });
}

/** Asks for a name; a file that is there is replaced only when somebody says so. */
function nameDialog(title, name, about, act) {
  const input = el('input', { type: 'text', 'aria-label': 'Name' });
  input.value = name;
  const problem = el('p.fault');
  const { box, close } = dialog(title);
  const go = async (force) => {
    try { await act(input.value.trim(), force); close(); } catch (error) {
      problem.textContent = error.message;
      if (error.status === 412) problem.append(' ', el('button', { onclick: () => go(true) }, 'Replace it'));
    }
  };
  box.append(about, input, problem, el('div.buttons', {}, el('button.primary', { onclick: () => go(false) }, title)));
  input.addEventListener('keydown', (event) => { if (event.key === 'Enter') go(false); });
  input.select();
}

export function saveDialog() {
  nameDialog('Save project', `${stem()}.aplomb.toml`, el('p', {}, `Into ${store.state.folder}. \`aplomb run\` replays the file to the same result.`), async (name, force) => {
    const { file } = await ask('/api/save', { name, force });
    toast(`Saved ${file}`);
    await refresh();
  });
}

export function exportDialog() {
  const base = `${stem()}${store.state.draft.entries.length ? '-edited' : ''}`;
  const verdict = store.state.done?.verdict;
  const isHarmed = verdict?.result === 'harmed';
  // What is worse than before is given out only by a person's own choice.
  const accept = el('input', { type: 'checkbox', id: 'accept-harm', onchange: () => { downloads.hidden = isHarmed && !accept.checked; } });
  const harm = isHarmed ? el('div', {}, el('p.fault', {}, verdict.sentence), el('label', {}, accept, ' Write it all the same')) : null;
  const downloads = el('p', {}, 'Or download it: ', ...store.state.writes.flatMap((ending) => [el('a', { href: `/api/download/${encodeURIComponent(base)}.${ending}${isHarmed ? '?accept_harm=true' : ''}`, download: `${base}.${ending}` }, ending.toUpperCase()), ' ']));
  const receipt = el('p', {}, 'What was done, as a page: ', el('a', { href: `/api/download/${encodeURIComponent(base)}.html`, download: `${base}.html` }, 'receipt page'));
  downloads.hidden = isHarmed;
  nameDialog('Export', `${base}.bvh`, el('div', {}, harm, el('p', {}, `Writes into ${store.state.folder}; the ending says the format: ${store.state.writes.map((it) => `.${it}`).join(', ')}.`), downloads, receipt), async (name, force) => {
    const { file, bytes, sha256, notes } = await ask('/api/export', { name, force, accept_harm: accept.checked });
    document.documentElement.dataset.exported = sha256;
    toast(`Wrote ${file} (${Math.ceil(bytes / 1000)} kB)${notes.length ? `: ${notes[0]}` : ''}`, 'note');
  });
}

export function startDrop() {
  const cover = byId('drop');
  addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    cover.querySelector('p').textContent = `Drop motions (${(store.state?.reads ?? ['bvh']).map((it) => `.${it}`).join(', ')}) or a project here`;
    cover.hidden = false;
  });
  addEventListener('dragleave', (event) => { if (!event.relatedTarget) cover.hidden = true; });
  addEventListener('drop', async (event) => {
    cover.hidden = true;
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    await guarded(async () => {
      const names = [];
      for (const file of event.dataTransfer.files) names.push(await upload(file));
      const opened = names.find((name) => /\.aplomb\.toml$/i.test(name)) ?? names.find((name) => !/\.asf$/i.test(name));
      if (opened) await open(opened); else toast('Drop the .amc that belongs to it, too.');
    });
  });
}
