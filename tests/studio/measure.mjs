// How fast and how large the studio is: node measure.mjs NODE_MODULES BROWSER APLOMB FILE [EDITS.json]. Prints one line of JSON.
// A drag is measured three times: `solve` and `made` by the server, `answered` by a client outside a browser, from its message to the whole
// answer, and `at_the_page` with a hand that moves a handle in a browser, each from the moment of the pointer's event: until the answer is
// there (`answered`), until its poses are on the bodies of the scene (`posed`), and until the picture is finished (`drawn`, by a fence).
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { client, drawn, end, handle, launch, look, open, start } from './together.mjs';

const [, , modules, browserPath, aplomb, file, edits] = process.argv;
const env = { ...process.env, XDG_CACHE_HOME: mkdtempSync(join(tmpdir(), 'aplomb-measure-')) };
const studio = await start(aplomb, { cwd: dirname(file), env, args: [basename(file)] });
const megabytes = (field) => Math.round(Number(readFileSync(`/proc/${studio.child.pid}/status`, 'utf8').match(new RegExp(`${field}:\\s+(\\d+)`))[1]) / 1024);
/** Least, median and 95 % of numbers. */
const spread = (values) => { const sorted = [...values].sort((a, b) => a - b); return { least: round(sorted[0]), median: round(sorted[sorted.length >> 1]), p95: round(sorted[Math.floor(sorted.length * 0.95)]) }; };
const round = (value) => Number(value?.toFixed(1));

const started = Date.now();
const talk = await client(studio, modules);
let state = await talk.settled();
// Headers that lie are the user's to correct.
if (state.failure) state = await talk.change('rate', (draft) => { draft.fps = 'auto'; });
const measured = { file: basename(file), open_secs: (Date.now() - started) / 1000, edits: [] };
const add = async (edit) => {
  const before = Date.now();
  state = await talk.add(edit);
  measured.edits.push({ verb: edit.verb, secs: (Date.now() - before) / 1000, failure: state.failure?.text });
};
await add({ verb: 'path' });
const entry = state.draft.entries.length - 1;
measured.frames = state.done.steps.at(-1).frames;

const line = await talk.line();
await line.drag({ n: 1, entry, edit: {}, grab: true });
const times = [];
for (let n = 2; n <= 64; n++) {
  const before = performance.now();
  const { solve_ms: solve, made_ms: made, bytes } = await line.drag({ n, entry, edit: { change: [{ handle: 2, move: [0.004 * n, 0, 0.002 * n] }] } });
  times.push({ solve, made, answered: performance.now() - before, bytes });
}
line.close();
const part = (of, name) => spread(of.slice(3).map((it) => it[name]));
measured.drag_ms = { solve: part(times, 'solve'), made: part(times, 'made'), answered: part(times, 'answered') };
measured.answer_bytes = times.at(-1).bytes;

const browser = await launch(modules, browserPath);
const page = await open(await browser.newContext({ viewport: { width: 1280, height: 720 }, deviceScaleFactor: 1 }), studio.address);
await page.evaluate((it) => document.querySelector(`[data-entry="${it}"] .words`).click(), entry);
await page.waitForFunction(() => window.studio.view.handles.children.length > 3);
await look(page, 'top');
const [x, y] = await handle(page, 3);
await page.mouse.move(x, y);
await page.mouse.down();
// A hand that goes to and fro at the pace of a screen; the first moves are for the viewport to find out how quickly it can draw.
for (let step = 1; step <= 180; step++) { await page.mouse.move(x + 40 * Math.sin(step / 14), y + 20 * Math.sin(step / 9)); await new Promise((resolve) => setTimeout(resolve, 16)); }
const { timings, level } = await page.evaluate(() => ({ timings: window.studio.view.timings.slice(60), level: window.studio.view.quality.level }));
measured.at_the_page_ms = { moves: timings.length, coarseness: level, answered: spread(timings.map((it) => it.answered)), posed: spread(timings.map((it) => it.posed)), drawn: spread(timings.map((it) => it.drawn)), drawing: spread(timings.map((it) => it.drawn - it.posed)) };
await page.mouse.up();
for (const edit of JSON.parse(edits ?? '[{"verb":"touchup"},{"verb":"tilt","angle_deg":2},{"verb":"plant"}]')) await add(edit);
await page.waitForFunction((it) => document.documentElement.dataset.done === String(it) && document.documentElement.dataset.coarse === '0', state.revision);
await drawn(page);
measured.memory_mb = { now: megabytes('VmRSS'), most: megabytes('VmHWM') };
// What rests, at its finest.
const fine = [];
for (let picture = 0; picture < 5; picture++) fine.push(await page.evaluate(() => new Promise((resolve) => { const { view } = window.studio; const begun = performance.now(); view.draw(); view.quality.drawn(begun, resolve); })));
measured.fine_picture_ms = spread(fine);
if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
await browser.close();
await end(studio);
console.log(JSON.stringify(measured));
