// Opens the studio in a browser and works in it as a person would.
// node check.mjs NODE_MODULES BROWSER APLOMB FOLDER: one line of JSON a test, {"name", "error"}; screenshots and measurements go to FOLDER.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as together from './together.mjs';
import { after, done, drawn, end, launch, look, pull, state, test } from './together.mjs';

const [, , modules, browserPath, aplomb, folder] = process.argv;
rmSync(folder, { recursive: true, force: true });
const work = join(folder, 'work');
mkdirSync(work, { recursive: true });
const env = { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') };
const start = (port = 0) => together.start(aplomb, { cwd: work, env, args: ['--port', String(port)] });
let studio = await start();
const browser = await launch(modules, browserPath);
const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, colorScheme: 'light', deviceScaleFactor: 1 });
const open = (address = studio.address) => together.open(context, address);
const shot = (page, name, held) => together.shot(page, join(folder, `${name}.png`), held);
const zmp = async (page) => { const { changes } = (await state(page)).done; return changes.find((it) => it.measure === 'zmp.mean_m').after; };

let page;
await test('the built-in walk is shown, plays and is described', async () => {
  page = await open();
  assert.equal(new URL(page.url()).search, '', 'the token is gone from the address');
  await shot(page, '1-opened');
  assert.ok((await page.locator('#view').screenshot()).length > 8000, 'the stage is empty');
  assert.ok(await page.locator('#plots .uplot').count() >= 4);
  await page.keyboard.press('Space');
  await page.waitForFunction(() => window.studio.store.time > 0.2);
  await page.keyboard.press('Space');
  const at = await page.evaluate(() => window.studio.store.time);
  await page.keyboard.press('.');
  assert.notEqual(await page.evaluate(() => window.studio.store.time), at);
  await page.keyboard.press('?');
  await page.locator('dialog[aria-label="Keyboard and mouse"]').waitFor();
  await page.keyboard.press('Escape');
  const wide = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(wide[0] <= wide[1], `the page is ${wide[0]} px wide in a window of ${wide[1]}`);
});

await test('a handle is dragged: path, times and numbers change', async () => {
  await after(page, () => page.locator('[data-add=path]').click());
  await page.waitForFunction(() => window.studio.view.handles.children.length > 3);
  await look(page, 'top');
  const before = await state(page);
  const drags = Number(await page.evaluate(() => document.documentElement.dataset.drags ?? 0));
  await pull(page, 3, [48, 18], async () => {
    await page.waitForFunction((it) => Number(document.documentElement.dataset.drags) > it && window.studio.store.live, drags);
    await shot(page, '2-dragging', true);
  });
  const now = await state(page);
  assert.equal(now.draft.entries[0].edit.change.length, 1);
  assert.notEqual(now.done.steps[0].path.secs[0], now.done.steps[0].path.secs[1], 'times follow');
  assert.notDeepEqual(now.done.changes, before.done.changes);
  assert.equal(await page.evaluate(() => window.studio.store.live), null);
  await shot(page, '3-dragged');
});

await test('undo and redo', async () => {
  const dragged = (await state(page)).draft;
  await after(page, () => page.keyboard.press('Control+z'));
  assert.deepEqual((await state(page)).draft.entries[0].edit.change ?? [], []);
  await after(page, () => page.keyboard.press('Control+Shift+z'));
  assert.deepEqual((await state(page)).draft, dragged);
});

await test('a walk on a circle is out of balance, and touch-up makes it green', async () => {
  await after(page, () => page.locator('select[aria-label=Way]').selectOption('arc-left'));
  const bent = await zmp(page);
  await page.evaluate(() => window.studio.view.camera.preset('free'));
  await shot(page, '4-bent');
  await after(page, () => page.locator('[data-add=touchup]').click());
  const touched = await zmp(page);
  assert.ok(touched < 0.01 && touched < 0.5 * bent, `${bent} → ${touched} m`);
  const { judgement } = (await state(page)).done;
  assert.equal(await page.locator('#light').getAttribute('data-grade'), judgement.grade);
  assert.equal(judgement.grade === 'good', !judgement.moments.length, 'green only if nothing is wrong');
  assert.equal(await page.locator('#headline').innerText(), judgement.headline);
  await page.locator('#touchup-result').waitFor();
  await shot(page, '5-touched-up');
});

await test('an edit is switched off and on, tuned and moved', async () => {
  const whole = await zmp(page);
  await after(page, () => page.locator('[data-entry="1"] input[type=checkbox]').first().uncheck());
  assert.notEqual(await zmp(page), whole);
  await after(page, () => page.locator('[data-entry="1"] input[type=checkbox]').first().check());
  assert.equal(await zmp(page), whole);
  const margin = page.locator('input[aria-label=Margin]');
  await after(page, async () => { await margin.focus(); await page.keyboard.press('ArrowRight'); });
  assert.ok((await state(page)).draft.entries[1].edit.margin > 0);
});

let exported;
await test('export, save, and the command replays the same bytes', async () => {
  await page.keyboard.press('Escape');
  await page.locator('#export').click();
  await page.locator('dialog input[aria-label=Name]').fill('bent.bvh');
  await page.locator('dialog button.primary').click();
  await page.waitForFunction(() => document.documentElement.dataset.exported);
  exported = createHash('sha256').update(readFileSync(join(work, 'bent.bvh'))).digest('hex');
  assert.equal(await page.evaluate(() => document.documentElement.dataset.exported), exported);
  await page.locator('#save').click();
  await page.locator('dialog input[aria-label=Name]').fill('bent.aplomb.toml');
  await shot(page, '6-saving');
  await page.locator('dialog button.primary').click();
  await page.waitForFunction(() => window.studio.store.state.file === 'bent.aplomb.toml');
  const again = spawn(aplomb, ['run', 'bent.aplomb.toml', '-o', 'again.bvh', '--quiet'], { cwd: work, env, stdio: 'ignore' });
  await new Promise((resolve) => again.on('exit', resolve));
  assert.equal(createHash('sha256').update(readFileSync(join(work, 'again.bvh'))).digest('hex'), exported);
});

await test('what was exported is dropped onto the page and opens', async () => {
  const bytes = readFileSync(join(work, 'bent.bvh')).toString('base64');
  const moved = await page.evaluateHandle((text) => { const data = new DataTransfer(); data.items.add(new File([Uint8Array.from(atob(text), (it) => it.charCodeAt(0))], 'dropped.bvh')); return data; }, bytes);
  await after(page, () => page.dispatchEvent('body', 'drop', { dataTransfer: moved }));
  assert.equal((await state(page)).draft.clip, 'dropped.bvh');
});

await test('a contact bar is dragged and the project keeps it', async () => {
  const bar = await page.evaluate(() => {
    const box = document.getElementById('timeline').getBoundingClientRect();
    const { original } = window.studio.store;
    const contact = original.contacts.find((it) => it.end - it.start > 0.2 && it.start > 0.1);
    const used = original.effectors.filter((it) => original.contacts.some((one) => one.effector === it.name) || /ball|paw/.test(it.name));
    const x = (secs) => box.left + 108 + (secs / original.duration) * (box.width - 108 - 8);
    return { x: x(contact.end), y: box.top + 38 + 15 * used.findIndex((it) => it.name === contact.effector) + 7, effector: contact.effector, end: contact.end };
  });
  await page.mouse.move(bar.x - 1, bar.y);
  await page.mouse.down();
  await page.mouse.move(bar.x - 14, bar.y, { steps: 3 });
  await after(page, () => page.mouse.up());
  const { contacts } = (await state(page)).draft;
  const own = contacts.filter((it) => it.source === 'hand');
  assert.equal(own.length, 1);
  assert.ok(own[0].effector === bar.effector && own[0].end_secs < bar.end - 0.02, JSON.stringify(own));
  await shot(page, '7-contact-moved');
  await after(page, () => page.locator('#contact-tools button').click());
  assert.deepEqual((await state(page)).draft.contacts, []);
});

const fresh = async (what) => after(page, () => page.evaluate(async (it) => { const { revision } = window.studio.store.state; await fetch('/api/open', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ revision, what: it }) }); }, what));

await test('blend: two motions, a weight, phases on each other', async () => {
  await fresh('builtin:long-jump');
  await page.locator('[data-add=blend]').click();
  await after(page, () => page.locator('dialog .list button', { hasText: 'builtin:short-jump' }).click());
  assert.equal((await state(page)).done.steps[0].verb, 'blend');
  assert.ok(await page.locator('.phases i').count() > 5);
  const share = page.locator('input[aria-label="Share of 2"]');
  await after(page, async () => { await share.focus(); await page.keyboard.press('ArrowRight'); });
  assert.ok((await state(page)).draft.entries[0].edit.weights[1] > 0.5);
  await shot(page, '8-blend');
});

await test('track: played by a driven body', async () => {
  await fresh('builtin:wave');
  await after(page, () => page.locator('[data-add=track]').click());
  const { track } = (await state(page)).done.steps[0];
  assert.ok(track.report.mean_error_deg > 0 && track.report.mean_error_deg < 15);
  await shot(page, '9-track');
});

await test('adapt: farther by a number, stages on the timeline, a foot and a hand put elsewhere by dragging', async () => {
  await fresh('builtin:short-jump');
  await after(page, () => page.locator('[data-add=adapt]').click());
  const now = await state(page);
  assert.equal(now.failure, null);
  assert.equal(now.done.steps[0].adapt.adapted.is_converged, true);
  const stages = await page.evaluate(() => window.studio.store.stages.spans.map((it) => it.words));
  assert.deepEqual(stages, ['take-off', 'flight', 'landing']);
  await shot(page, '10-adapt');
  // In the air, and from the side: a hand up, then a foot of the landing ahead.
  await page.evaluate(() => { const { start, end } = window.studio.store.original.flights[0]; window.studio.setTime((start + end) / 2); });
  await look(page, 'right');
  await pull(page, { part: 'left_hand' }, [0, -14]);
  const [hand] = (await state(page)).draft.entries[0].edit.goals.place;
  assert.ok(hand.part === 'left_hand' && hand.up_m > 0.03 && hand.up_m < 0.5, JSON.stringify(hand));
  await look(page, 'top');
  await pull(page, { stage: 'landing', side: 'right' }, [6, 6]);
  const [print] = (await state(page)).draft.entries[0].edit.goals.footprints;
  assert.ok(print.stage === 'landing' && print.side === 'right' && Math.hypot(print.forward_m, print.left_m) > 0.01, JSON.stringify(print));
  assert.equal((await state(page)).done.steps[0].adapt.adapted.is_converged, true);
  assert.equal(await page.evaluate(() => window.studio.store.stages.marks.length), 1);
  await shot(page, '10-adapt-placed');
});

await test('a scene: partner and things are drawn', async () => {
  await fresh('sample:patty-cake-pair');
  const others = await page.evaluate(() => { const { others } = window.studio.view; return [others.partners.length, others.partners[0]?.body.shapes.length ?? 0]; });
  assert.ok(others[0] === 1 && others[1] > 5, JSON.stringify(others));
  await shot(page, '10-scene');
  await fresh('sample:drumming');
  assert.ok(await page.evaluate(() => window.studio.view.others.things.length) > 0);
  await shot(page, '10-things');
});

await test('a scene is made: a drum is added and dragged, a partner comes and goes', async () => {
  await fresh('builtin:drum');
  await after(page, () => page.locator('[data-add=track]').click());
  await after(page, () => page.locator('[data-scene=drum]').click());
  const scene = async () => (await state(page)).draft.entries[0].edit.scene;
  const before = (await scene()).prop[0];
  assert.equal((await scene()).pair.length, 2);
  assert.equal(await page.evaluate(() => window.studio.view.others.things.length), 1);
  await look(page, 'top');
  await pull(page, { prop: 0 }, [20, 0]);
  const now = (await scene()).prop[0];
  assert.ok(Math.hypot(now.at_m[0] - before.at_m[0], now.at_m[2] - before.at_m[2]) > 0.02, JSON.stringify([before, now]));
  await after(page, () => page.locator('[data-scene=partner]').click());
  assert.equal(await page.evaluate(() => window.studio.view.others.partners.length), 1);
  assert.equal((await state(page)).failure, null);
  await shot(page, '10-scene-made');
  await after(page, () => page.locator('[aria-label="Take partner out"]').click());
  assert.deepEqual([(await scene()).character ?? [], (await scene()).pair.length], [[], 2]);
});

await test('two windows: the later change is refused and kept', async () => {
  await fresh('builtin:walk');
  const other = await open(new URL('/', studio.address).href);
  await after(other, () => other.locator('[data-add=touchup]').click());
  // The first window has not heard of it yet.
  await page.waitForFunction(() => window.studio.store.state.draft.entries.length === 1);
  await page.evaluate(() => { window.studio.store.state.revision -= 1; });
  await page.locator('[data-add=track]').click();
  await page.locator('.toast.error', { hasText: 'kept as a draft' }).waitFor();
  assert.equal((await state(other)).draft.entries.length, 1);
  await after(page, () => page.locator('.toast.error button', { hasText: 'Make it now' }).click());
  assert.deepEqual((await state(page)).draft.entries.map((it) => it.edit.verb), ['touchup', 'track']);
  await other.close();
});

await test('the studio is killed and started again: the page goes on', async () => {
  const { port } = new URL(studio.address);
  const before = (await state(page)).draft;
  await end(studio);
  await page.locator('#busy.offline').waitFor();
  studio = await start(port);
  await page.waitForFunction(() => window.studio.store.online);
  await done(page);
  assert.deepEqual((await state(page)).draft, before, 'unsaved changes are there again');
});

await test('dark, and nothing complained', async () => {
  await page.locator('#theme').click();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await shot(page, '11-dark');
  assert.deepEqual(page.complaints, []);
});

writeFileSync(join(folder, 'measured.json'), JSON.stringify(await page.evaluate(() => ({ draw_ms: Number(document.documentElement.dataset.drawMs) }))));
await browser.close();
await end(studio);
