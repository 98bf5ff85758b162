import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { look, openPage, shoot } from './browser';
import { admin, api, browser, open, server, shop, stage, type App } from './stage';

let other: App;

stage({
  fill: async () => {
    other = await api.call<App>('/i/apps/create', { args: { name: 'Another app', timezone: 'UTC' } });
  },
});

async function send(app: App, device: string, params: Record<string, string | number | object>): Promise<void> {
  await api.call('/i', { app_key: app.key, device_id: device, timestamp: Date.now(), ...params });
}

const phone = { _os: 'Android', _os_version: '14', _device: 'Pixel 9', _app_version: '3.4' };
const rows = (page: Page) => page.getByRole('list', { name: 'Incoming data' }).getByRole('listitem');
/** A tile with its figure. */
const tile = (page: Page, name: string) => page.locator('.live-tile').filter({ hasText: name }).locator('.figure-value');

test('what arrives appears by itself, that of other apps does not', async () => {
  const { page } = admin;
  await open(page, '/live', 'Live');
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
  await page.getByText('No data received within a day').waitFor();
  await look(page, 'live-empty');
  await send(other, 'x', { events: [{ key: 'Not for the shop' }] });
  await send(shop, 'one', {
    begin_session: 1,
    metrics: phone,
    country_code: 'DE',
    city: 'Köln',
    events: [{ key: 'Purchase', count: 2, sum: 19.5, segmentation: { plan: '<b>pro</b>', size: 3 } }],
  });
  await rows(page).filter({ hasText: 'Purchase ×2 plan: <b>pro</b> · size: 3' }).waitFor();
  const text = (await rows(page).first().textContent()) ?? '';
  for (const part of ['New user', 'Session begins', 'Germany · Köln · Pixel 9 · Android · v3.4', 'User 1']) expect(text).toContain(part);
  await send(shop, 'one', { events: [{ key: '[CLY]_view', segmentation: { name: 'Checkout', visit: 1 } }], session_duration: 45 });
  await rows(page).filter({ hasText: 'View: Checkout' }).waitFor();
  await expect.poll(() => rows(page).count()).toBe(2);
  await expect.poll(() => page.getByText('Not for the shop').count()).toBe(0);
  await page.waitForFunction(() => [...document.querySelectorAll('.live-tile .figure-value')].map((v) => v.textContent).join() === '1,1,1,3,1');
});

test('the feed can be paused, searched and followed to a person', async () => {
  const { page } = admin;
  await page.getByRole('button', { name: 'Pause' }).click();
  for (const device of ['two', 'three']) await send(shop, device, { begin_session: 1, metrics: { _os: 'iOS' }, country_code: 'FR' });
  await page.getByText('Paused, 2 requests waiting').waitFor();
  await expect.poll(() => rows(page).count()).toBe(2);
  await page.getByRole('button', { name: 'Resume' }).click();
  await rows(page).nth(3).waitFor();
  await expect.poll(() => rows(page).first().textContent()).toContain('User 3');
  await look(page, 'live');
  await page.getByRole('searchbox', { name: 'Search incoming data' }).fill('france user');
  await page.waitForURL(/q=france/);
  await expect.poll(() => rows(page).count()).toBe(2);
  await page.getByRole('link', { name: 'User 3' }).click();
  await page.getByText('Number 3').waitFor();
});

test('the overview tells who is online', async () => {
  const { page } = admin;
  await open(page, '', 'Overview');
  await page.getByRole('region', { name: 'Right now' }).getByText('Live', { exact: true }).waitFor();
  await expect.poll(() => tile(page, 'Online now').textContent()).toBe('3');
  await send(shop, 'four', { begin_session: 1 });
  await page.waitForFunction(() => document.querySelector('.live-tile .figure-value')?.textContent === '4');
  await look(page, 'overview-live');
});

test('the feed begins with what was there before', async () => {
  const { page } = admin;
  await open(page, '/live', 'Live');
  await rows(page).filter({ hasText: 'Purchase ×2' }).waitFor();
  await expect.poll(() => rows(page).count()).toBe(5);
  await expect.poll(() => rows(page).first().textContent()).toContain('User 4');
  await page.getByText('0 requests since you opened this page').waitFor();
});

test('a lost connection is told, and comes back by itself', async () => {
  const { page, context } = admin;
  await open(page, '/live', 'Live');
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
  await context.setOffline(true);
  await page.evaluate(() => window.dispatchEvent(new Event('online'))); // the browser looks again, and finds nothing
  await page.getByRole('status').getByText('Reconnecting').waitFor();
  await shoot(page, 'live-reconnecting');
  await context.setOffline(false);
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
  await send(shop, 'five', { events: [{ key: 'Back again' }] });
  await rows(page).filter({ hasText: 'Back again' }).waitFor();
  const lost = admin.faults.splice(0);
  expect(lost.every((text) => text.includes('ERR_INTERNET_DISCONNECTED')), lost.join('\n')).toBe(true);
});

test('dark, on a phone, in German', async () => {
  const storageState = await admin.context.storageState();
  const { page, context, faults } = await openPage(browser, server.url, {
    storageState,
    colorScheme: 'dark',
    viewport: { width: 390, height: 844 },
    locale: 'de-DE',
  });
  await open(page, '/live', 'Live');
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
  await send(shop, 'six', { begin_session: 1, metrics: phone, events: [{ key: 'A very long name of an event that somebody made up without a thought for small screens', segmentation: { url: `https://example.test/${'x'.repeat(90)}` } }] });
  await page.getByText('A very long name').waitFor();
  await shoot(page, 'live-phone');
  expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), 'scrolls sideways').toBe(false);
  await page.goto(`/dashboard/apps/${shop._id}`);
  await page.getByText('Gerade online').waitFor();
  await page.locator('canvas').waitFor();
  await shoot(page, 'overview-live-phone');
  expect(faults).toEqual([]);
  await context.close();
});

test('a session that is revoked ends the stream and leads to signing in', async () => {
  const { page } = admin;
  await open(page, '/live', 'Live');
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
  const token = await page.evaluate(() => window.countlyGlobal?.csrf_token ?? '');
  await page.request.post('/logout', { form: { _csrf: token } });
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(page.url()).toContain('next=');
  expect(admin.faults.splice(0).every((text) => text.includes('400'))).toBe(true);
});
