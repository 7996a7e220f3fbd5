// One project with everything: a contact dragged, two paths, a touch-up with its own steps, a ball to hit, an adapt.
// It is saved, opened again, and replayed by the command to the bytes that the page downloads.
// node one_project.mjs NODE_MODULES BROWSER APLOMB FOLDER: one line of JSON a test, {"name", "error"}.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, done, drawn, end, launch, look, open, pull, shot, start, state, test } from './together.mjs';

const [, , modules, browserPath, aplomb, folder] = process.argv;
rmSync(folder, { recursive: true, force: true });
const work = join(folder, 'work');
mkdirSync(work, { recursive: true });
const env = { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') };
const studio = await start(aplomb, { cwd: work, env, args: ['builtin:short-jump'] });
const browser = await launch(modules, browserPath);
const context = await browser.newContext({
  viewport: { width: 1280, height: 900 }, colorScheme: 'light', deviceScaleFactor: 1, acceptDownloads: true,
});
const page = await open(context, studio.address);
const PROJECT = 'whole.aplomb.toml';
const VERBS = ['adapt', 'path', 'path', 'touchup', 'track'];

const draft = async () => (await state(page)).draft;
const edit = async (index) => (await draft()).entries[index].edit;
const click = (selector) => after(page, () => page.locator(selector).click());
const made = async () => { const { failure } = await state(page); assert.equal(failure, null, failure?.text); };

/** Drags the end of a contact bar on the timeline, by so many pixels. */
async function dragContact(by) {
  const bar = await page.evaluate(() => {
    const box = document.getElementById('timeline').getBoundingClientRect();
    const { original } = window.studio.store;
    const contact = original.contacts.find((it) => it.end - it.start > 0.1 && it.end < original.duration - 0.1);
    const isUsed = ({ name }) => original.contacts.some((one) => one.effector === name) || /ball|paw/.test(name);
    const row = original.effectors.filter(isUsed).findIndex((it) => it.name === contact.effector);
    const x = box.left + 108 + (contact.end / original.duration) * (box.width - 108 - 8);
    return { x, y: box.top + 38 + 15 * row + 7, effector: contact.effector, end: contact.end };
  });
  await page.mouse.move(bar.x - 1, bar.y);
  await page.mouse.down();
  await page.mouse.move(bar.x - 1 + by, bar.y, { steps: 3 });
  await after(page, () => page.mouse.up());
  return bar;
}

/** Adds a path and drags one of its handles. */
async function addPath(index, handle, by) {
  await click('[data-add=path]');
  await page.waitForFunction((it) => window.studio.view.handles.children.length > it, handle);
  await look(page, 'top');
  await pull(page, { index: handle }, by);
  await made();
  const { change } = await edit(index);
  assert.deepEqual(change.map((it) => it.handle), [handle]);
}

/** A name in a dialog, and its button. */
async function give(button, name) {
  await page.locator(button).click();
  await page.locator('dialog input[aria-label=Name]').fill(name);
  await page.locator('dialog button.primary').click();
  await page.locator('dialog').waitFor({ state: 'detached' });
}

/** What the page downloads as a BVH. */
async function download() {
  await page.locator('#export').click();
  const coming = page.waitForEvent('download');
  await page.locator('dialog a[download$=".bvh"]').click();
  const bytes = readFileSync(await (await coming).path());
  await page.locator('dialog button[aria-label=Close]').click();
  return bytes;
}

/** What the command makes of the saved project, without anything that the studio keeps in its cache. */
function replay(out) {
  const options = { cwd: work, env: { ...env, XDG_CACHE_HOME: join(folder, 'other-cache') }, encoding: 'utf8' };
  const run = spawnSync(aplomb, ['run', PROJECT, '-o', out, '--quiet'], options);
  assert.equal(run.status, 0, run.stderr);
  return readFileSync(join(work, out));
}

await test('one project: a contact is dragged before anything else', async () => {
  const bar = await dragContact(-9);
  const own = (await draft()).contacts.filter((it) => it.source === 'hand');
  assert.ok(own.length === 1 && own[0].effector === bar.effector && own[0].end_secs < bar.end, JSON.stringify(own));
  await made();
});

await test('one project: adapt, by the corrected contacts', async () => {
  await click('[data-add=adapt]');
  await made();
  assert.equal((await state(page)).done.steps[0].adapt.adapted.is_converged, true);
});

await test('one project: two paths keep their own handles', async () => {
  await addPath(1, 1, [0, 12]);
  const first = await edit(1);
  await addPath(2, 2, [0, -14]);
  assert.deepEqual(await edit(1), first, 'the second path changed the first');
  assert.notDeepEqual((await edit(2)).change, first.change);
});

await test('one project: a touch-up with its own steps', async () => {
  await click('[data-add=touchup]');
  await made();
  await after(page, () => page.locator('button', { hasText: 'Own steps …' }).click());
  await after(page, () => page.locator('button', { hasText: '+ Step' }).click());
  const repeat = page.locator('[data-entry="3"] input[aria-label=Repeat]').last();
  await after(page, async () => { await repeat.fill('2'); await repeat.press('Enter'); });
  await made();
  const { steps } = await edit(3);
  assert.ok(steps.length >= 2 && steps.at(-1).repeat === 2, JSON.stringify(steps));
});

await test('one project: a track with a ball that is put elsewhere', async () => {
  await click('[data-add=track]');
  const legs = page.locator('label', { hasText: 'Pelvis and legs' }).locator('select');
  await after(page, () => legs.selectOption('captured'));
  await click('[data-scene=ball]');
  const before = (await edit(4)).scene.prop[0];
  await look(page, 'top');
  await pull(page, { prop: 0 }, [12, 6]);
  await made();
  const { prop, pair } = (await edit(4)).scene;
  assert.ok(prop[0].shape.ball && prop[0].mass_kg > 0 && pair.length === 2, JSON.stringify(prop));
  assert.notDeepEqual(prop[0].at_m, before.at_m);
  assert.deepEqual((await draft()).entries.map((it) => it.edit.verb), VERBS);
  await drawn(page);
  await shot(page, join(folder, 'one-project.png'));
});

let downloaded;
await test('one project: saved, and the command replays the downloaded bytes', async () => {
  await give('#save', PROJECT);
  await page.waitForFunction((it) => window.studio.store.state.file === it, PROJECT);
  downloaded = await download();
  assert.ok(replay('again.bvh').equals(downloaded), 'the command made other bytes');
});

await test('one project: opened again it is the same, and one handle changes one edit', async () => {
  const saved = await draft();
  const { revision } = await state(page);
  await page.locator('#open').click();
  await page.locator('dialog .list button', { hasText: PROJECT }).click();
  await page.waitForFunction((it) => Number(document.documentElement.dataset.revision) > it, revision);
  await done(page);
  await made();
  assert.deepEqual(await draft(), saved);
  assert.ok((await download()).equals(downloaded), 'opened again it is another motion');
  await page.locator('[data-entry="2"] button.words').click();
  await page.waitForFunction(() => window.studio.view.handles.children.length > 2);
  await pull(page, { index: 2 }, [6, 0]);
  await made();
  const changed = await draft();
  assert.notDeepEqual(changed.entries[2], saved.entries[2]);
  changed.entries[2] = saved.entries[2];
  assert.deepEqual(changed, saved, 'another edit or a contact changed');
  await page.locator('#save').click();
  await page.waitForFunction(() => !window.studio.store.state.changed);
  assert.ok(replay('changed.bvh').equals(await download()), 'the command made other bytes of the changed project');
  assert.deepEqual(page.complaints, []);
});

await browser.close();
await end(studio);
