import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { look, openPage, settled } from './browser';
import { admin, api, browser, focused, open, server, shop, stage } from './stage';
import { demoRequests } from './visitors';

stage({ fill: () => api.call('/i/bulk', { app_key: shop.key, requests: demoRequests({ now: Date.now(), days: 40, people: 20, seed: 3 }) }) });

const chart = (page: Page) => page.getByRole('img', { name: /^Sessions over time/ });
const keys = (page: Page) => page.getByRole('slider', { name: /Sessions over time/ });
const period = (page: Page) => new URL(page.url()).searchParams.get('period') ?? '30days';
const back = (page: Page) => page.getByRole('button', { name: /^Back to: / });

/** Where a share of the width of a chart lies, halfway up. */
async function placeIn(of: Locator, share: number): Promise<[x: number, y: number]> {
  const box = await of.boundingBox();
  if (box === null) throw new Error('there is no chart');
  return [box.x + box.width * share, box.y + box.height / 2];
}

/** How many days a period in an address has. */
function daysOf(text: string): number {
  const [from = '', to = ''] = text.split('..');
  return (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
}

async function drag(page: Page, from: number, to: number): Promise<void> {
  await page.mouse.move(...(await placeIn(chart(page), from)));
  await page.getByText('Drag to zoom, click a point for more').first().waitFor();
  await page.mouse.down();
  await page.mouse.move(...(await placeIn(chart(page), (from + to) / 2)), { steps: 4 });
  await page.mouse.move(...(await placeIn(chart(page), to)), { steps: 4 });
}

test('dragging over a chart narrows the period, and there is a way back', async () => {
  const { page } = admin;
  await open(page, '');
  await chart(page).locator('canvas').waitFor();
  await drag(page, 0.3, 0.6);
  await page.locator('.chart-range').waitFor();
  await page.keyboard.press('Escape');
  await page.mouse.up();
  expect(period(page), 'escape leaves all as it was').toBe('30days');
  await drag(page, 0.3, 0.6);
  await page.mouse.up();
  await page.waitForURL(/zoom=30days/);
  const first = period(page);
  expect(daysOf(first)).toBeGreaterThan(6);
  expect(daysOf(first)).toBeLessThan(14);
  await back(page).waitFor();
  await settled(page);
  await look(page, 'chart-zoomed');

  await drag(page, 0.5, 0.8);
  await page.mouse.up();
  await expect.poll(() => daysOf(period(page))).toBeLessThan(daysOf(first));
  await page.goBack();
  await expect.poll(() => period(page), { message: 'the browser goes back by one' }).toBe(first);
  await back(page).click();
  await expect.poll(() => period(page)).toBe('30days');
  expect(page.url()).not.toContain('zoom=');
  await expect.poll(() => back(page).count()).toBe(0);
});

test('another period leaves no way back, and a link shows it with the narrowed one', async () => {
  const { page } = admin;
  const day = (before: number) => new Date(Date.now() - before * 86_400_000).toISOString().slice(0, 10);
  await open(page, `?period=${day(9)}..${day(5)}&zoom=30days`);
  await back(page).waitFor();
  await page.keyboard.press('m');
  await page.waitForURL((url) => !url.search.includes('zoom'));
  await expect.poll(() => back(page).count()).toBe(0);
});

test('the keyboard reads a chart step by step, chooses some, and zooms', async () => {
  const { page } = admin;
  await open(page, '');
  await chart(page).locator('canvas').waitFor();
  await keys(page).focus();
  await expect.poll(() => keys(page).getAttribute('aria-valuetext')).toMatch(/Sessions \d+/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => keys(page).getAttribute('aria-valuenow')).toBe('2');
  for (let i = 0; i < 4; i++) await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(() => keys(page).getAttribute('aria-valuetext')).toMatch(/From .* to .*\./);
  await page.locator('.chart-range').waitFor();
  await look(page, 'chart-keys');
  await page.keyboard.press('Enter');
  await expect.poll(() => daysOf(period(page))).toBe(5);
  await back(page).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => period(page)).toBe('30days');
});

test('a note is pinned to the point that is clicked, and stands on other charts, too', async () => {
  const { page } = admin;
  await open(page, '');
  await chart(page).locator('canvas').waitFor();
  await page.mouse.move(...(await placeIn(chart(page), 0.5)));
  await page.getByText('Drag to zoom, click a point for more').first().waitFor();
  await page.mouse.click(...(await placeIn(chart(page), 0.5)));
  await page.getByRole('menuitem', { name: /^Zoom in: / }).waitFor();
  await look(page, 'chart-point');
  await page.getByRole('menuitem', { name: 'Add a note' }).click();
  const form = page.getByRole('dialog', { name: 'Add a note' });
  expect(await form.getByLabel('Date and time').inputValue()).toMatch(/T12:00$/);
  await form.getByRole('textbox', { name: 'Note' }).fill('Spring sale');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('listitem').filter({ hasText: 'Spring sale' }).waitFor();
  for (const path of ['/users', '/events', '/active']) {
    await open(page, path);
    await page.getByRole('listitem').filter({ hasText: 'Spring sale' }).first().waitFor();
  }
});

test('the keyboard pins a note, too', async () => {
  const { page } = admin;
  await open(page, '');
  await chart(page).locator('canvas').waitFor();
  await keys(page).focus();
  await expect.poll(() => keys(page).getAttribute('aria-valuetext')).toMatch(/Sessions/);
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Add a note' }).waitFor();
  await expect.poll(() => page.locator(':focus').getAttribute('role')).toMatch(/menu/);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator(':focus').getAttribute('role'), { message: 'escape leads back' }).toBe('slider');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.locator(':focus').innerText()).toBe('Add a note');
  await page.keyboard.press('Enter');
  await focused(page.getByRole('dialog', { name: 'Add a note' }).getByRole('textbox', { name: 'Note' }));
  await page.keyboard.type('By keys');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('listitem').filter({ hasText: 'By keys' }).waitFor();
});

test('columns are worked with as lines are, and every chart says in words what it shows', async () => {
  const { page } = admin;
  await open(page, '/compare-events?events=%5B%22Purchase%22%5D');
  await open(page, '/active?figure=weeks&period=90days');
  const columns = page.getByRole('img', { name: /^Active users over time|^Active users/ }).first();
  await columns.locator('canvas').waitFor();
  await page.mouse.move(...(await placeIn(columns, 0.6)));
  await page.getByText('Drag to zoom, click a point for more').first().waitFor();
  await page.mouse.click(...(await placeIn(columns, 0.6)));
  await page.getByRole('menuitem', { name: /^Zoom in: / }).click();
  await page.waitForURL(/zoom=90days/);
  expect(daysOf(period(page))).toBe(7);
  await open(page, '');
  await page.getByText(/^Sessions: highest \d+ \(.*\), lowest \d+ \(.*\)\.$/).waitFor();
  await open(page, '/technology');
  await page.getByText(/^Sessions, largest: .+\.$/).first().waitFor();
});

test('a period without figures leads back, too', async () => {
  const { page } = admin;
  await open(page, '/?period=2020-01-01..2020-01-01&zoom=30days');
  await page.getByText('No sessions in this period').waitFor();
  await back(page).click();
  await chart(page).locator('canvas').waitFor();
  expect(period(page)).toBe('30days');
});

test('a finger taps a point, on a phone and in German', async () => {
  const storageState = await admin.context.storageState();
  const { page, context, faults } = await openPage(browser, server.url, { storageState, colorScheme: 'dark', viewport: { width: 390, height: 844 }, locale: 'de-DE', hasTouch: true, isMobile: true });
  await page.goto(`/dashboard/apps/${shop._id}`);
  const own = page.getByRole('img', { name: /^Sitzungen im Verlauf|^Sitzungen/ }).first();
  await own.locator('canvas').waitFor();
  await settled(page);
  await own.scrollIntoViewIfNeeded();
  // The first tap reads the figures, and loads what the next one needs.
  await expect.poll(async () => {
    await page.touchscreen.tap(...(await placeIn(own, 0.5)));
    return page.getByRole('menuitem').count();
  }, { interval: 500 }).toBeGreaterThan(0);
  await page.getByRole('menuitem', { name: /^Vergrößern: / }).tap();
  await page.waitForURL(/zoom=30days/);
  await page.getByRole('button', { name: /^Zurück zu: / }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), 'scrolls sideways').toBe(false);
  expect(faults).toEqual([]);
  await context.close();
});
