// What the scripts here share: a studio that runs, somebody who speaks to it without a browser, and a person at its page.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** WebGL by SwiftShader, and the page itself without it, as browsers do where there is no graphics card. */
const ARGS = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist',
  '--disable-gpu-compositing', '--disable-gpu-rasterization', '--disable-accelerated-2d-canvas',
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
/** Loaded machines draw a frame a second: tests wait for flags and never for time. */
const PATIENCE = 120_000;

const playwright = (modules) => createRequire(join(modules, 'x.js'));

export const launch = (modules, executablePath) => playwright(modules)('playwright-core').chromium.launch({ executablePath, args: ARGS });

/** A studio that runs; `address` is what it printed. */
export function start(aplomb, { cwd, env, args = [] }) {
  const child = spawn(aplomb, ['studio', '--json', '--no-open', ...args], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (data) => { text += data; try { resolve({ child, address: JSON.parse(text).address }); } catch { /* more comes */ } });
    child.on('exit', (code) => reject(new Error(`the studio ended with ${code}`)));
  });
}
export const end = (studio) => new Promise((resolve) => { studio.child.on('exit', resolve); studio.child.kill('SIGKILL'); });

/** Somebody who speaks to a studio without a browser. */
export async function client(studio, modules) {
  const { origin } = new URL(studio.address);
  const cookie = (await fetch(studio.address, { redirect: 'manual' })).headers.get('set-cookie').split(';')[0];
  const headers = { cookie, origin };
  const call = async (path, body) => {
    const answer = await fetch(origin + path, body === undefined ? { headers } : { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const settled = async () => {
    for (;;) {
      const state = await call('/api/state');
      if (!state.running && [state.done?.revision, state.failure?.revision].includes(state.revision)) return state;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  };
  /** Changes the project, and waits for what comes of it. */
  const change = async (label, mutate) => { const { revision, draft } = await settled(); mutate(draft); await call('/api/change', { revision, label, draft }); return settled(); };
  const add = (edit) => change('added', (draft) => { draft.entries.push({ on: true, edit }); });
  /** The line that drags go over; `drag` gives the header of the answer and its size. */
  const line = async () => {
    const socket = new (playwright(modules)('playwright-core/lib/utilsBundle').ws)(`${origin.replace('http', 'ws')}/api/live`, { headers });
    await new Promise((resolve, reject) => { socket.on('open', resolve); socket.on('error', reject); });
    const drag = (message) => new Promise((resolve) => {
      const heard = (data, isBinary) => { if (!isBinary) return; socket.off('message', heard); resolve({ ...JSON.parse(data.subarray(4, 4 + data.readUInt32LE(0)).toString()), bytes: data.length }); };
      socket.on('message', heard);
      socket.send(JSON.stringify(message));
    });
    return { drag, close: () => socket.close() };
  };
  return { call, settled, change, add, line };
}

/** A page of a studio, with what it complains of. */
export async function open(context, address) {
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.complaints = [];
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type()) && !/GPU stall|WebSocket connection|ERR_CONNECTION|status of 409/.test(message.text())) page.complaints.push(message.text()); });
  page.on('pageerror', (error) => page.complaints.push(error.message));
  await page.goto(address);
  await done(page);
  return page;
}

/** The edits of the newest revision are made and shown. */
export const done = (page) => page.waitForFunction(() => { const { dataset } = document.documentElement; return dataset.ready === 'yes' && dataset.running === 'no' && [dataset.done, dataset.failed].includes(dataset.revision); });
export const state = (page) => page.evaluate(() => window.studio.store.state);
export const drawn = async (page) => { const before = await page.evaluate(() => { window.studio.view.ask(); return Number(document.documentElement.dataset.drawn); }); await page.waitForFunction((it) => Number(document.documentElement.dataset.drawn) > it, before); };
/** Does something that changes the project, and waits for what comes of it. */
export const after = async (page, action) => {
  const { revision } = await state(page);
  await action();
  await page.waitForFunction((it) => Number(document.documentElement.dataset.revision) > it, revision);
  await done(page);
};
/** A picture of what rests, which is drawn finely; `held` is in somebody's hand. */
export const shot = async (page, path, held = false) => { if (!held) await page.waitForFunction(() => document.documentElement.dataset.coarse === '0'); await drawn(page); await page.screenshot({ path }); };

/** Where a handle is on the screen, by what it says of itself or by its number. */
export const handle = (page, wanted) => page.evaluate((it) => {
  const { view } = window.studio;
  const found = typeof it === 'number' ? view.handles.children[it] : view.handles.children.find(({ userData }) => Object.entries(it).every(([key, value]) => userData.handle[key] === value));
  if (!found) throw new Error(`there is no handle ${JSON.stringify(it)}`);
  return view.toScreen(found.position.toArray());
}, wanted);

/** Looks from somewhere at everything. */
export const look = async (page, from) => { await page.evaluate((it) => { window.studio.view.camera.preset(it); window.studio.view.frameAll(); }, from); await drawn(page); };

/** Takes a handle and puts it elsewhere, by so many pixels. */
export async function pull(page, wanted, [x, y], whileHeld = async () => {}) {
  const at = await handle(page, wanted);
  await page.mouse.move(...at);
  await page.mouse.down();
  await page.mouse.move(at[0] + x, at[1] + y, { steps: 6 });
  await whileHeld();
  await after(page, () => page.mouse.up());
}

/** Runs one test, and writes its line. */
export async function test(name, body) {
  let error = null;
  try { await body(); } catch (thrown) { error = String(thrown.message ?? thrown).slice(0, 900); }
  console.log(JSON.stringify({ name, error }));
}
