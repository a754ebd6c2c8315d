// Opens the page of a sample in Chromium, and finds places on it.
import assert from 'node:assert/strict';
import {after, before} from 'node:test';
import {pathToFileURL} from 'node:url';
import {chromium} from 'playwright-core';

export const wide = {width: 1400, height: 900}, narrow = {width: 420, height: 900};
let browser;

before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync'],
  });
});
after(() => browser?.close());

// Opens a sample and hands its page on; complaints, dialogs and requests fail the test.
export async function open(sample, options, use) {
  const page = await browser.newPage({viewport: wide, ...options});
  const url = pathToFileURL(`samples/${sample}.html`).href;
  const faults = [];
  page.on('console', message => faults.push(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', error => faults.push(`error: ${error.message}`));
  page.on('dialog', dialog => faults.push(`dialog: ${dialog.message()}`));
  page.on('request', request => {
    if (request.url() !== url) faults.push(`request: ${request.url()}`);
  });
  try {
    await page.goto(url);
    await page.waitForFunction(() => window.tropicReport);
    await use(page);
    assert.deepEqual(faults, []);
  } finally {
    await page.close();
  }
}

// Where a tile and a part (0 to 1) of a superstep are on the screen.
export async function place(page, tile, superstep, part) {
  const box = await page.locator('#flame-canvas').boundingBox();
  const {x0, x1, y0, y1} = await page.evaluate(
      ([t, s]) => window.tropicReport.flame.boxOf(t, s), [tile, superstep]);
  return {x: box.x + x0 + (x1 - x0) * part, y: box.y + (y0 + y1) / 2};
}

export async function settle(page) {
  await page.waitForTimeout(450); // an animation, and the drawing in full after it
}

export async function zoomTo(page, tile, superstep) {
  await page.locator('#flame-superstep').fill(String(superstep));
  await page.locator('#flame-superstep').press('Tab');
  await page.locator('#flame-tile').fill(String(tile));
  await page.locator('#flame-tile').press('Tab');
  await page.locator('#flame-canvas').focus();
  await page.keyboard.press('Enter');
  await settle(page);
  await page.keyboard.press('Shift+Enter');
  await settle(page);
}

export const view = page => page.evaluate(() => window.tropicReport.flame.view.bounds());

// The colour of a point of the canvas.
export async function colorAt(page, {x, y}) {
  return page.evaluate(([cx, cy]) => {
    const canvas = document.getElementById('flame-canvas');
    const box = canvas.getBoundingClientRect(), ratio = canvas.width / box.width;
    const point = new OffscreenCanvas(1, 1).getContext('2d');
    point.drawImage(canvas, Math.floor((cx - box.left) * ratio), Math.floor((cy - box.top) * ratio), 1, 1, 0, 0, 1, 1);
    const [r, g, b] = point.getImageData(0, 0, 1, 1).data;
    return '#' + [r, g, b].map(channel => channel.toString(16).padStart(2, '0')).join('');
  }, [x, y]);
}

export const variable = (page, name) => page.evaluate(
    n => getComputedStyle(document.documentElement).getPropertyValue(`--${n}`).trim(), name);
