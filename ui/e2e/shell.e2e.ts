import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { linkTo, look, openPage, settled, shoot, type Watched } from './browser';
import { admin, api, browser, focused, open, server, shop, stage } from './stage';
import { demoRequests } from './visitors';

stage({ fill: () => api.call('/i/bulk', { app_key: shop.key, requests: demoRequests({ now: Date.now(), days: 40, people: 20, seed: 7 }) }) });

/** Another window of the administrator; what happens in it on purpose is no fault. */
async function another(options: Parameters<typeof openPage>[2] = {}): Promise<Watched> {
  return openPage(browser, server.url, { storageState: await admin.context.storageState(), ...options });
}

/** Cuts a page off from its server; returns how to reconnect it. */
async function cut(page: Page): Promise<() => Promise<void>> {
  await page.route('**/*', (route) => route.abort('connectionrefused'));
  return () => page.unroute('**/*');
}

const away = /The server does not respond\. Next try at/;

test('while the server is away one banner says so, and the page keeps what it shows', async () => {
  const { page, context } = await another();
  await open(page, '/technology?period=7days');
  const before = await page.getByRole('table').first().innerText();
  const reconnect = await cut(page);
  await (await linkTo(page, 'Languages')).click();
  const banner = page.locator('.banner');
  await banner.getByText(away).waitFor();
  expect(await page.getByText(away).count()).toBe(1);
  expect(await page.locator('body').innerText()).not.toMatch(/TypeError|Failed to fetch/);
  await page.goBack();
  await expect.poll(() => page.getByRole('table').first().innerText()).toBe(before);
  await look(page, 'server-away');
  await reconnect();
  const gone = page.getByText(away).waitFor({ state: 'detached' });
  await Promise.race([banner.getByRole('button', { name: 'Try now' }).click().catch(() => undefined), gone]); // the page's own next try may come first
  await gone;
  await (await linkTo(page, 'Languages')).click();
  await page.getByRole('heading', { level: 1, name: 'Languages' }).waitFor();
  await page.getByRole('table').first().waitFor();
  await context.close();
});

test('a page whose files cannot be had is tried again, and then offers to reload', async () => {
  const { page, context } = await another();
  await open(page, '');
  let asked = 0;
  await page.route('**/assets/ConsentPage*', (route) => (++asked <= 1 ? route.abort('connectionrefused') : route.continue()));
  await (await linkTo(page, 'Consent')).click();
  await page.getByRole('heading', { level: 1, name: 'Consent' }).waitFor();
  expect(asked).toBeGreaterThan(1);

  await page.route('**/assets/ExportPage*', (route) => route.abort('connectionrefused'));
  await (await linkTo(page, 'Export')).click();
  await page.getByRole('heading', { level: 1, name: 'This part could not be loaded' }).waitFor();
  await look(page, 'part-not-loaded');
  expect(await page.getByRole('button', { name: 'Reload' }).count()).toBe(1);
  await page.unroute('**/assets/ExportPage*');
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('heading', { level: 1, name: 'Export' }).waitFor();
  await context.close();
});

test('a newer dashboard is offered quietly', async () => {
  const { page, context, faults } = await another();
  await page.route(/\/o\/(analytics|batch)/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), 'x-quipu-dashboard': 'another' } });
  });
  await open(page, '/languages');
  await page.getByRole('status').getByText('A new version is available.').waitFor();
  await shoot(page, 'new-version');
  await page.getByRole('button', { name: 'Reload' }).click(); // an answer of the present version would take the banner away
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await open(page, '/languages');
  expect(await page.getByText('A new version is available.').count()).toBe(0);
  expect(faults).toEqual([]);
  await context.close();
});

test('after a navigation the focus is at the heading, and the title is said', async () => {
  const { page } = admin;
  await open(page, '');
  for (const name of ['Languages', 'Live', 'Members', 'Overview']) {
    await (await linkTo(page, name)).click();
    const heading = page.getByRole('heading', { level: 1, name });
    await heading.waitFor();
    await expect.poll(() => heading.evaluate((h) => h === document.activeElement), { message: name }).toBe(true);
    await expect.poll(() => page.getByRole('status').allInnerTexts()).toContain(name);
    expect(await page.title()).toBe(`${name} · Quipu`);
  }
});

const period = (page: Page) => page.getByRole('button', { name: /^Period/ });

test('going back undoes a change of the period, and the period lasts from page to page', async () => {
  const { page } = admin;
  await open(page, '/languages');
  await page.keyboard.press('w');
  await page.waitForURL(/period=7days/);
  await page.keyboard.press('q');
  await page.waitForURL(/period=90days/);
  await page.goBack();
  await expect.poll(() => period(page).innerText()).toContain('Last 7 days');
  expect(new URL(page.url()).pathname).toContain('/languages');
  await (await linkTo(page, 'Members')).click();
  await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
  await (await linkTo(page, 'Sessions')).click();
  await expect.poll(() => period(page).innerText()).toContain('Last 7 days');

  await page.keyboard.press('m');
  await expect.poll(() => period(page).innerText()).toContain('Last 30 days');
  await page.keyboard.press('ArrowLeft');
  await page.waitForURL(/period=\d{4}/);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => period(page).innerText()).toContain('Last 30 days');
});

test('deleting asks and gives the focus back, and tokens of browsers are not listed', async () => {
  const { page } = admin;
  await open(page, '/manage/tokens');
  await page.getByText('No data.').or(page.getByRole('table')).first().waitFor();
  expect(await page.getByText('LoggedInAuth').count()).toBe(0);
  const add = page.getByRole('button', { name: 'New token' });
  await add.click();
  await page.getByLabel('Purpose').fill('Nightly report');
  await page.getByRole('dialog').getByRole('button').last().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await focused(add);
  const remove = page.getByRole('button', { name: 'Delete Nightly report' });
  await remove.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('“Nightly report” is deleted.').waitFor();
  await look(page, 'confirm-delete');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await focused(remove);
  await remove.click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await remove.waitFor({ state: 'detached' });
  await focused(page.locator('#main'));
});

test('the palette knows other words', async () => {
  const { page } = admin;
  await open(page, '');
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: /^Find a page/ });
  for (const [text, want] of [['logout', 'Sign out'], ['browsers', 'Browsers'], ['operating systems', 'Devices and systems'], ['gdpr', 'Consent'], ['dau', 'Active users'], ['new app', 'Add an app'], ['german', 'Deutsch'], ['dsgvo', 'Consent']] as const) {
    await field.fill(text);
    await expect.poll(() => page.getByRole('option').first().innerText(), { message: text }).toContain(want);
  }
  await page.keyboard.press('Escape');
});

test('a table on a phone says that columns are out of view, and offers to choose', async () => {
  const { page, context, faults } = await another({ viewport: { width: 390, height: 844 } });
  await open(page, '/languages');
  const table = page.getByRole('table').first();
  await table.waitFor();
  const offer = page.getByRole('button', { name: /^More columns to the right/ }).first();
  await offer.click();
  const boxes = page.getByRole('dialog').getByRole('checkbox');
  await boxes.first().waitFor();
  await boxes.last().uncheck();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^1 column hidden/ }).first().waitFor();
  await look(page, 'phone-columns');
  expect(faults).toEqual([]);
  await context.close();
});

test('an address that is none is a page, and the page of a forgotten password says what to do', async () => {
  const { page, context } = await another({ storageState: { cookies: [], origins: [] } });
  expect((await page.goto('/nope'))?.status()).toBe(404);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await page.goto('/forgot');
  await page.getByText('quipu admin create').waitFor();
  expect(await page.locator('form').count()).toBe(0);
  await look(page, 'forgot');
  await context.close();
});

test('live does not jump while its figures come', async () => {
  const { page, context, faults } = await another();
  await page.addInitScript(() => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) if (!entry.hadRecentInput) sum += entry.value;
      document.documentElement.dataset.shift = String(sum);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const session = await context.newCDPSession(page);
  await session.send('Network.emulateNetworkConditions', { offline: false, latency: 200, downloadThroughput: -1, uploadThroughput: -1 });
  await open(page, '/live');
  await page.locator('canvas').waitFor();
  await settled(page);
  expect(Number(await page.locator('html').getAttribute('data-shift') ?? '0')).toBeLessThan(0.02);
  expect(faults).toEqual([]);
  await context.close();
});

test('the country of a new app follows its zone, until one is chosen', async () => {
  const { page, context, faults } = await another({ timezoneId: 'America/Sao_Paulo' });
  await page.goto('/dashboard/apps/new');
  const country = page.getByRole('combobox', { name: 'Country' });
  await expect.poll(() => country.inputValue()).toBe('Brazil');
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  const choose = async (text: string) => {
    await zone.fill(text);
    await page.getByRole('option', { name: new RegExp(text) }).click();
  };
  await choose('Asia/Tokyo');
  await expect.poll(() => country.inputValue()).toBe('Japan');
  await country.fill('Portugal');
  await page.getByRole('option', { name: 'Portugal' }).click();
  await choose('Europe/Vienna');
  expect(await country.inputValue()).toBe('Portugal');
  expect(faults).toEqual([]);
  await context.close();
});
