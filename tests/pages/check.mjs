// Opens Aplomb's pages in a browser and uses them as a person would.
// node check.mjs NODE_MODULES BROWSER FOLDER: one line of JSON a test, {"name", "error"}; the error is null where it passed.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , modules, browserPath, folder] = process.argv;
const { chromium } = createRequire(join(modules, 'x.js'))('playwright-core');
// WebGL through SwiftShader: machines that run checks have no graphics card. It is slow, so tests wait for flags and never for time.
const args = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist',
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
const browser = await chromium.launch({ executablePath: browserPath, args });
const LAPTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

async function open(name, viewport, colorScheme, hash = '') {
  const page = await browser.newPage({ viewport, colorScheme, hasTouch: viewport === PHONE, deviceScaleFactor: 1 });
  page.complaints = [];
  // Chromium tells of its own slow read-backs; that is no fault of the page.
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type()) && !/GPU stall/.test(message.text())) page.complaints.push(message.text()); });
  page.on('pageerror', (error) => page.complaints.push(error.message));
  page.on('request', (request) => { if (!/^(file|data):/.test(request.url())) page.complaints.push(`asks for ${request.url()}`); });
  await page.goto(pathToFileURL(join(folder, name)).href + hash);
  if (!['index.html', 'receipts.html'].includes(name)) {
    await page.waitForFunction(() => document.documentElement.dataset.ready === 'yes' && Number(document.documentElement.dataset.drawn) > 0);
  }
  return page;
}

async function test(name, body) {
  let error = null;
  try { await body(); } catch (thrown) { error = String(thrown.message ?? thrown).slice(0, 600); }
  console.log(JSON.stringify({ name, error }));
}

const time = (page) => page.evaluate(() => clock.t);
const settled = async (page) => {
  const drawn = await page.evaluate(() => { redraw(); return Number(document.documentElement.dataset.drawn); });
  await page.waitForFunction((before) => Number(document.documentElement.dataset.drawn) > before, drawn);
};

async function looksRight(page) {
  const wide = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(wide[0] <= wide[1], `the page is ${wide[0]} px wide in a window of ${wide[1]}`);
  assert.deepEqual(page.complaints, []);
}

for (const [name, viewport, scheme] of [
  ['walk.html', LAPTOP, 'dark'], ['long-jump.html', PHONE, 'light'], ['quadruped-walk.html', PHONE, 'dark'], ['ball.html', LAPTOP, 'light'],
]) {
  await test(`${name} ${viewport.width} px ${scheme}`, async () => {
    const page = await open(name, viewport, scheme);
    await settled(page);
    await looksRight(page);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.painter), 'webgl');
    assert.equal(await page.evaluate(() => theme.isDark()), scheme === 'dark');
    // A figure on a ground with a grid makes a picture that does not compress to nothing.
    assert.ok((await page.locator('#scene').screenshot()).length > 8000, 'the stage is empty');
    const plots = await page.locator('#plots figure').count();
    assert.ok(plots >= 4, `${plots} plots`);
    await page.close();
  });
}

await test('without WebGL', async () => {
  const page = await open('walk.html', LAPTOP, 'light', '#canvas2d');
  await settled(page);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.painter), 'canvas');
  assert.ok((await page.locator('#scene').screenshot()).length > 8000, 'the stage is empty');
  await looksRight(page);
  await page.close();
});

await test('keys, buttons, plots and tables share one time', async () => {
  const page = await open('long-jump.html', LAPTOP, 'light');
  const frame = await page.evaluate(() => FRAME_SECS);
  await page.keyboard.press('ArrowRight');
  assert.ok(Math.abs(await time(page) - frame) < 1e-6, 'an arrow is one frame');
  await page.keyboard.press('End');
  assert.equal(await time(page), await page.evaluate(() => END));
  await page.keyboard.press('Home');
  await page.locator('#play').click();
  await page.waitForFunction(() => clock.t > 0.05);
  await page.keyboard.press('Tab');
  await page.locator('#play').click();
  assert.equal(await page.evaluate(() => clock.playing), false);

  const plot = page.locator('#plot-height .canvas-box');
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  const middle = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.5, middle);
  await page.waitForFunction(() => !document.getElementById('tip').hidden);
  assert.match(await page.locator('#tip').innerText(), /s · frame \d+[\s\S]*\d m/);
  const before = await time(page);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.7, middle, { steps: 3 });
  await page.mouse.up();
  const scrubbed = await time(page);
  assert.ok(scrubbed > 1.5 && scrubbed < 2.6 && scrubbed !== before, `scrubbed to ${scrubbed} s`);
  await settled(page);
  assert.ok((await page.locator('#clock').innerText()).startsWith(scrubbed.toFixed(2)), 'the clock follows');

  await page.keyboard.down('Shift');
  await page.mouse.move(box.x + box.width * 0.4, middle);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, middle, { steps: 3 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  const span = await page.evaluate(() => clock.to - clock.from);
  assert.ok(span > 0.3 && span < 1.2, `zoomed to ${span} s`);
  await page.keyboard.press('0');
  assert.equal(await page.evaluate(() => clock.to - clock.from), await page.evaluate(() => END - START));

  const row = page.locator('#panel-flights tr.jump').first();
  const secs = Number(await row.getAttribute('data-secs'));
  await row.click();
  assert.equal(await time(page), secs);
  await page.locator('#tab-contacts').click();
  assert.ok(await page.locator('#panel-contacts tr.jump').first().isVisible());
  await looksRight(page);
  await page.close();
});

await test('turning, zooming and colours', async () => {
  const page = await open('walk.html', LAPTOP, 'light');
  const at = () => page.evaluate(() => [camera.yaw, camera.distance]);
  const first = await at();
  const box = await page.locator('#scene').boundingBox();
  await page.mouse.move(box.x + 200, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 300, box.y + 200, { steps: 2 });
  await page.mouse.up();
  await page.mouse.wheel(0, 100);
  await page.waitForFunction((distance) => camera.distance > distance, first[1]);
  assert.notEqual((await at())[0], first[0]);
  await page.keyboard.press('r');
  assert.deepEqual(await at(), first);
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.locator('#theme').click();
  assert.notEqual(await background(), light);
  await settled(page);
  await looksRight(page);
  await page.close();
});

await test('the front page leads to reports', async () => {
  const page = await open('index.html', PHONE, 'dark');
  await looksRight(page);
  const images = page.locator('.picture img.for-dark');
  assert.ok(await images.first().evaluate(async (image) => { await image.decode(); return image.naturalWidth > 0; }), 'a picture is shown');
  await page.locator('.card h3 a').first().click();
  await page.waitForFunction(() => document.documentElement.dataset.ready === 'yes');
  await looksRight(page);
  await page.close();
});

for (const [viewport, scheme, hash] of [[LAPTOP, 'light', ''], [LAPTOP, 'dark', '#canvas2d'], [PHONE, 'light', '#canvas2d'], [PHONE, 'dark', '']]) {
  await test(`receipt ${viewport.width} px ${scheme}${hash}`, async () => {
    const page = await open('long-jump-touchup.html', viewport, scheme, hash);
    await settled(page);
    await looksRight(page);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.painter), hash ? 'canvas' : 'webgl');
    assert.equal(await page.evaluate(() => theme.isDark()), scheme === 'dark');
    for (const id of ['contacts', 'zmp', 'height', 'change', 'drift', 'load', 'momentum', 'friction', 'speed']) {
      assert.equal(await page.locator(`#plot-${id}`).count(), 1, `plot of ${id}`);
    }
    assert.ok(await page.locator('#convergence canvas').count() >= 1, 'a curve of convergence');
    assert.ok(await page.locator('.measures tbody tr.better').count() >= 1, 'something is better');
    await page.close();
  });
}

await test('a receipt shows both, before, after and side by side', async () => {
  const page = await open('walk-touchup.html', LAPTOP, 'light');
  const picture = async () => { await settled(page); return (await page.locator('#scene').screenshot()).toString('base64'); };
  await page.evaluate(() => setTime(1));
  const seen = new Map([['both', await picture()]]);
  for (const name of ['before', 'after', 'side']) {
    await page.locator(`[data-which="${name}"]`).click();
    assert.equal(await page.locator('[data-which][aria-checked="true"]').getAttribute('data-which'), name);
    const now = await picture();
    for (const [other, earlier] of seen) assert.notEqual(now, earlier, `${name} looks like ${other}`);
    seen.set(name, now);
  }
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.locator('[data-which][aria-checked="true"]').getAttribute('data-which'), 'both', 'arrows go round the choices');
  await page.keyboard.press('3');
  assert.equal(await page.locator('[data-which][aria-checked="true"]').getAttribute('data-which'), 'after', 'digits choose');
  await looksRight(page);
  await page.close();
});

await test('a receipt is scrubbed, hovered and copied', async () => {
  const page = await open('walk-touchup.html', LAPTOP, 'light');
  const plot = page.locator('#plot-zmp .canvas-box');
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  await page.mouse.move(box.x + box.width * 0.5, box.y + box.height / 2);
  await page.waitForFunction(() => !document.getElementById('tip').hidden);
  assert.match(await page.locator('#tip').innerText(), /before[\s\S]*\d (mm|cm)[\s\S]*after[\s\S]*\d (mm|cm)/);
  const earlier = await time(page);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.7, box.y + box.height / 2, { steps: 3 });
  await page.mouse.up();
  assert.ok(await time(page) > earlier + 0.5, 'dragging on a plot moves through time');
  await page.locator('#play').click();
  await page.waitForFunction((from) => clock.t !== from, await time(page));
  await page.locator('#play').click();

  const joint = page.locator('.joint[data-link]').first();
  await joint.click();
  assert.equal(await joint.getAttribute('aria-pressed'), 'true');
  const [secs, end] = [Number(await joint.getAttribute('data-secs')), await page.evaluate(() => END)];
  assert.ok(Math.abs(await time(page) - Math.min(secs, end)) < 1e-4, 'a joint leads to its moment');
  await joint.click();
  assert.equal(await joint.getAttribute('aria-pressed'), 'false');

  await page.locator('#copy').click();
  await page.waitForFunction(() => /Copied|Selected/.test(document.getElementById('copy').textContent));
  await looksRight(page);
  await page.close();
});

await test('an edit of time shows the same moment of both', async () => {
  const page = await open('long-jump-speed.html', LAPTOP, 'light');
  const apexes = await page.evaluate(() => [BEFORE, DATA].map(({ series }) => series.t[series.com[1].indexOf(series.com[1].reduce((most, y) => Math.max(most, y)))]));
  assert.ok(Math.abs(apexes[0] - apexes[1]) < 0.03, `highest at ${apexes} s`);
  await looksRight(page);
  await page.close();
});

await test('an edit of the way is seen as a whole', async () => {
  const page = await open('walk-arc.html', LAPTOP, 'light');
  assert.equal(await page.locator('#follow').getAttribute('aria-pressed'), 'false');
  // Both bodies are in sight at the end, where they are farthest apart.
  await page.keyboard.press('End');
  await settled(page);
  const seen = await page.evaluate(() => [BEFORE, DATA].map((data) => project(comAt(END, data))).every(([x, y]) => x > 0 && x < camera.width && y > 0 && y < camera.height));
  assert.ok(seen, 'a body is out of sight');
  await looksRight(page);
  await page.close();
});

await test('cards of edits lead to receipts', async () => {
  const page = await open('receipts.html', PHONE, 'light');
  await looksRight(page);
  assert.match(await page.locator('.comparison').first().innerText(), /before[\s\S]*after[\s\S]*→/);
  await page.locator('.card h3 a').first().click();
  await page.waitForFunction(() => document.documentElement.dataset.ready === 'yes');
  assert.ok(await page.locator('[data-which="both"]').isVisible());
  await looksRight(page);
  await page.close();
});

await browser.close();
