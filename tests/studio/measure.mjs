// How fast and how large the studio is: node measure.mjs NODE_MODULES BROWSER APLOMB FILE [EDITS.json]. Prints one line of JSON.
// A drag is timed in the page: from the message that says where the hand is to the decoded poses of the answer, ready to be drawn;
// drawing itself is left out there, and told as draw_ms.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const [, , modules, browserPath, aplomb, file, edits] = process.argv;
const { chromium } = createRequire(join(modules, 'x.js'))('playwright-core');
const args = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'];
const env = { ...process.env, XDG_CACHE_HOME: mkdtempSync(join(tmpdir(), 'aplomb-measure-')) };
const child = spawn(aplomb, ['studio', '--json', '--no-open', basename(file)], { cwd: dirname(file), env, stdio: ['ignore', 'pipe', 'inherit'] });
const address = await new Promise((resolve) => { let text = ''; child.stdout.on('data', (data) => { text += data; try { resolve(JSON.parse(text).address); } catch { /* more comes */ } }); });
const megabytes = (field) => Number(readFileSync(`/proc/${child.pid}/status`, 'utf8').match(new RegExp(`${field}:\\s+(\\d+)`))[1]) / 1024;
const browser = await chromium.launch({ executablePath: browserPath, args });
const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
page.setDefaultTimeout(600_000);
const started = Date.now();
await page.goto(address);
const done = () => page.waitForFunction(() => { const { dataset } = document.documentElement; return dataset.running === 'no' && [dataset.done, dataset.failed].includes(dataset.revision); });
await done();
const measured = { file: basename(file), open_secs: (Date.now() - started) / 1000 };
const failure = () => page.evaluate(() => window.studio.store.state.failure?.text ?? null);
if (await failure()) {
  // Headers that lie are the user's to correct.
  await page.evaluate(async () => { const { state } = window.studio.store; await fetch('/api/change', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ revision: state.revision, label: 'rate', draft: { ...state.draft, fps: 'auto' } }) }); });
  await page.waitForFunction(() => document.documentElement.dataset.ready === 'yes');
  await done();
}
measured.frames = await page.evaluate(() => window.studio.store.original.frames);
const add = async (edit) => {
  const before = Date.now();
  const revision = await page.evaluate(async (it) => { const { state } = window.studio.store; state.draft.entries.push({ on: true, edit: it }); const answer = await fetch('/api/change', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ revision: state.revision, label: 'added', draft: state.draft }) }); return (await answer.json()).revision; }, edit);
  await page.waitForFunction((it) => Number(document.documentElement.dataset.revision) >= it, revision);
  await done();
  return { verb: edit.verb, secs: (Date.now() - before) / 1000, failure: await failure() };
};
measured.edits = [await add({ verb: 'path' })];
await page.evaluate(() => document.querySelector('[data-entry="0"] .words').click());
await page.waitForFunction(() => window.studio.view.handles.children.length > 2);
measured.drag_ms = await page.evaluate(async () => {
  // Software rendering takes a tenth of a second and more a picture, on the thread that would answer: it is measured by itself.
  window.studio.view.draw = () => {};
  const socket = new WebSocket(`ws://${location.host}/api/live`);
  socket.binaryType = 'arraybuffer';
  await new Promise((resolve) => { socket.onopen = resolve; });
  const times = [];
  for (let n = 1; n <= 60; n++) {
    const before = performance.now();
    socket.send(JSON.stringify({ n, entry: 0, edit: { change: [{ handle: 2, move: [0.004 * n, 0, 0.002 * n] }] } }));
    let data;
    do { data = await new Promise((resolve) => { socket.onmessage = (event) => resolve(event.data); }); } while (typeof data === 'string');
    const length = new DataView(data).getUint32(0, true);
    const header = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
    new Float32Array(data, 4 + 4 * Math.ceil(length / 4));
    times.push([performance.now() - before, header.solve_ms, header.made_ms]);
  }
  socket.close();
  const part = (at) => { const sorted = times.slice(3).map((it) => it[at]).sort((a, b) => a - b); return { median: Number(sorted[Math.floor(sorted.length / 2)].toFixed(2)), p95: Number(sorted[Math.floor(sorted.length * 0.95)].toFixed(2)) }; };
  return { round_trip: part(0), solve: part(1), solve_and_pack: part(2) };
});
for (const edit of JSON.parse(edits ?? '[{"verb":"touchup"},{"verb":"tilt","angle_deg":2},{"verb":"plant"}]')) measured.edits.push(await add(edit));
measured.memory_mb = { now: megabytes('VmRSS'), most: megabytes('VmHWM') };
measured.draw_ms = await page.evaluate(() => Number(document.documentElement.dataset.drawMs));
if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
await browser.close();
child.kill('SIGKILL');
console.log(JSON.stringify(measured));
