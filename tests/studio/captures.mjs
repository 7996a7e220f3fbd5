// Every tool at the page, on captures of 300 to 5,000 frames; the command replays what was saved to the same bytes.
// node captures.mjs NODE_MODULES BROWSER APLOMB DATA FOLDER: one line of JSON a tool, {"name", "error"}; screenshots go to FOLDER.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, done, end, launch, look, open, pull, shot, start, state, test } from './together.mjs';

const [, , modules, browserPath, aplomb, data, folder] = process.argv;
rmSync(folder, { recursive: true, force: true });
const work = join(folder, 'work');
mkdirSync(work, { recursive: true });
const all = readdirSync(data, { recursive: true });
for (const name of ['83_37', '02_01', '02_02', '79_18', '13_11', '39_11']) copyFileSync(join(data, all.find((path) => path.endsWith(`${name}.bvh`))), join(work, `${name}.bvh`));
// More than five thousand frames: the page has no button that joins clips, a project file does it.
writeFileSync(join(work, 'long.aplomb.toml'), `schema = 1\nclip = "39_11.bvh"\n\n[[edit]]\nverb = "join"\nclips = [${Array(5).fill('"39_11.bvh"').join(', ')}]\n`);
const env = { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') };
const studio = await start(aplomb, { cwd: work, env, args: ['83_37.bvh'] });
const browser = await launch(modules, browserPath);
const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, colorScheme: 'light', deviceScaleFactor: 1 });
const page = await open(context, studio.address);
const secs = {};

/** Opens something from the list of the folder. */
async function choose(what) {
  if (what === (await state(page)).draft.clip) return;
  const { revision } = await state(page);
  await page.locator('#open').click();
  await page.locator('dialog .list button', { hasText: what }).first().click();
  const anyway = page.locator('.toast.error button', { hasText: 'Open anyway' });
  await Promise.race([anyway.waitFor().then(() => anyway.click()).catch(() => {}), page.waitForFunction((it) => Number(document.documentElement.dataset.revision) > it, revision)]);
  await page.waitForFunction((it) => Number(document.documentElement.dataset.revision) > it, revision);
  await done(page);
}

/** A name in a dialog, and its button. */
async function give(button, name) {
  await page.locator(button).click();
  await page.locator('dialog input[aria-label=Name]').fill(name);
  await page.locator('dialog button.primary').click();
  await page.locator('dialog').waitFor({ state: 'detached' });
}

async function tool(name, clip, least, work_) {
  await test(`${name} on ${clip}`, async () => {
    await choose(clip);
    const started = Date.now();
    await work_();
    secs[name] = (Date.now() - started) / 1000;
    const now = await state(page);
    assert.equal(now.failure, null);
    const { frames } = now.done.steps.at(-1);
    assert.ok(frames >= least, `${frames} frames`);
    await shot(page, join(folder, `${name}.png`));
    await give('#export', `${name}.bvh`);
    if ((await state(page)).file) { await page.locator('#save').click(); await page.waitForFunction(() => !window.studio.store.state.changed); } else await give('#save', `${name}.aplomb.toml`);
    const again = spawnSync(aplomb, ['run', `${name}.aplomb.toml`, '-o', `${name}-again.bvh`, '--quiet'], { cwd: work, env: { ...env, XDG_CACHE_HOME: join(folder, 'other-cache') }, encoding: 'utf8' });
    assert.equal(again.status, 0, again.stderr);
    assert.ok(readFileSync(join(work, `${name}.bvh`)).equals(readFileSync(join(work, `${name}-again.bvh`))), 'the command made other bytes');
  });
}
const press = (verb) => after(page, () => page.locator(`[data-add=${verb}]`).click());
const dragged = async (index) => { await page.waitForFunction((it) => window.studio.view.handles.children.length > it, index); await look(page, 'top'); await pull(page, index, [26, 14]); assert.equal((await state(page)).draft.entries.find((it) => it.edit.verb === 'path').edit.change.length, 1); };

await tool('path', '83_37.bvh', 900, async () => { await press('path'); await dragged(3); });
await tool('touchup', '02_01.bvh', 300, () => press('touchup'));
await tool('blend', '02_02.bvh', 200, async () => {
  await page.locator('[data-add=blend]').click();
  await after(page, () => page.locator('dialog .list button', { hasText: '02_01.bvh' }).click());
});
await tool('track', '79_18.bvh', 800, () => press('track'));
await tool('adapt', '13_11.bvh', 400, async () => {
  await press('adapt');
  await look(page, 'top');
  await pull(page, { stage: 'landing', side: 'both' }, [0, 10]);
  assert.equal((await state(page)).done.steps[0].adapt.adapted.is_converged, true);
});
await tool('long', 'long.aplomb.toml', 5000, async () => {
  await press('path');
  await dragged(4);
  await press('touchup');
  await page.locator('summary', { hasText: 'More edits' }).click();
  await press('plant');
});
await test('nothing complained', async () => assert.deepEqual(page.complaints, []));
writeFileSync(join(folder, 'measured.json'), JSON.stringify(secs));
await browser.close();
await end(studio);
