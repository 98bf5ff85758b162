import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { look, openPage, settled, shoot } from './browser';
import { admin, api, browser, open, rowsOf, server, shop, stage } from './stage';

/** More requests than are kept, in two bulks. */
const bulk = 600;
const hostile = `"><img src=x onerror="window.hit=1">'--%_`;
const formula = '=HYPERLINK("http://example.test")';

stage({
  fill: async () => {
    await api.call('/i/apps/update/plugins', { app_id: shop._id, args: { logger: { state: 'on' } } });
    for (const round of [0, 1]) {
      const requests = Array.from({ length: bulk }, (_, i) => ({ device_id: `d${round}-${i}`, begin_session: 1, metrics: { _os: 'Haiku' } }));
      await api.call('/i/bulk', { app_key: shop.key, requests });
    }
    await api.call('/i', { app_key: shop.key, device_id: hostile, events: [{ key: hostile, segmentation: { [hostile]: formula } }] });
    await api.call('/i', { app_key: shop.key, device_id: formula, events: '[{"key":' });
    await api.call('/i/bulk', { app_key: shop.key, requests: [{ device_id: '00000000-0000-0000-0000-000000000000' }] });
  },
});

const devices = async () => (await rowsOf(admin.page, 'Request log')).map((cells) => cells[3]);

test('the newest requests are kept, and paged by the server', async () => {
  const { page } = admin;
  await open(page, '/requests', 'Request log');
  await page.getByText('1,000 rows').waitFor();
  await page.getByText('1 of 40').waitFor();
  expect((await devices()).slice(1, 4)).toEqual([formula, hostile, 'd1-599']);
  await look(page, 'requests');
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByText('2 of 40').waitFor();
  await expect.poll(async () => (await devices())[0]).toBe('d1-577');
  await open(page, '/requests?page=40', 'Request log');
  await expect.poll(async () => (await devices()).at(-1)).toBe('d0-203');
});

test('the log is searched, narrowed and sorted in its address', async () => {
  const { page } = admin;
  await open(page, '/requests', 'Request log');
  await page.getByRole('searchbox', { name: 'Search: Request log' }).fill('D1-59');
  await expect.poll(devices).toEqual(['d1-599', 'd1-598', 'd1-597', 'd1-596', 'd1-595', 'd1-594', 'd1-593', 'd1-592', 'd1-591', 'd1-590', 'd1-59']);
  await page.getByRole('button', { name: 'Device ID' }).click();
  await expect.poll(async () => (await devices())[0]).toBe('d1-59');
  await page.reload();
  await settled(page);
  await expect.poll(async () => (await devices()).slice(0, 2)).toEqual(['d1-59', 'd1-590']);

  await open(page, '/requests', 'Request log');
  await page.getByRole('combobox', { name: 'Content' }).click();
  await page.getByRole('option', { name: 'events', exact: true }).click();
  await expect.poll(devices).toEqual([formula, hostile]);
  await page.getByRole('combobox', { name: 'Outcome' }).click();
  await page.getByRole('option', { name: 'Problems' }).click();
  await expect.poll(devices).toEqual([formula]);
  await page.reload();
  await settled(page);
  await expect.poll(devices).toEqual([formula]);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Method' }).check();
  await page.keyboard.press('Escape');
  await page.getByRole('columnheader', { name: 'Method' }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('1,000 rows').waitFor();
  await open(page, '/requests?only={"kind":"crash"}', 'Request log');
  await page.getByText('No matching requests').waitFor();
});

test('what a request said stays text, whatever it is', async () => {
  const { page } = admin;
  await open(page, `/requests?q=${encodeURIComponent('onerror=')}`, 'Request log');
  await expect.poll(devices).toEqual([hostile]);
  await page.getByRole('row').filter({ hasText: hostile }).getByRole('button').click();
  const detail = page.getByRole('dialog');
  await detail.getByRole('group', { name: 'Parameters' }).getByText(hostile, { exact: true }).first().waitFor();
  await detail.getByRole('region', { name: 'events', exact: true }).getByText(formula.replaceAll('"', '\\"')).waitFor();
  await detail.getByRole('group', { name: 'Header' }).getByText('user-agent').waitFor();
  await look(page, 'requests-hostile');
  expect(await page.evaluate(() => 'hit' in window)).toBe(false);
});

test('why a request was refused is told, also to who follows its address, until it is kept no more', async () => {
  const { page } = admin;
  await open(page, '/requests?only={"outcome":"refused"}', 'Request log');
  await expect.poll(async () => (await rowsOf(page, 'Request log')).map((cells) => cells[2])).toEqual(['ignored device']);
  await page.getByRole('table', { name: 'Request log' }).getByRole('button').last().click();
  await page.getByRole('dialog').getByText('The ID does not identify a device').waitFor();
  const { href } = new URL(page.url());
  const storageState = await admin.context.storageState();
  for (const [name, options] of Object.entries({ phone: { viewport: { width: 390, height: 844 }, locale: 'de-DE' }, dark: { colorScheme: 'dark' } } as const)) {
    const other = await openPage(browser, server.url, { storageState, ...options });
    await other.page.goto(href);
    await other.page.getByRole('alert').waitFor();
    await shoot(other.page, `requests-refused-${name}`);
    await other.page.getByRole('dialog').getByRole('button').first().click();
    await other.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await other.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), `${name} fits`).toBe(true);
    await shoot(other.page, `requests-${name}`);
    expect(other.faults).toEqual([]);
    await other.context.close();
  }
  await open(page, '/requests?open=0123456789abcdef01234567', 'Request log');
  await page.getByRole('dialog').getByText('This request is no longer stored').waitFor();
});

test('the log is saved whole as it is narrowed', async () => {
  const { page } = admin;
  await open(page, '/requests?only={"kind":"begin_session"}&q=d0-', 'Request log');
  await page.getByText(/^\d+ rows$/).waitFor();
  const count = Number((await page.getByText(/^\d+ rows$/).textContent())?.split(' ')[0]);
  await page.getByRole('button', { name: 'Download: Request log' }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'JSON' }).click()]);
  const saved = JSON.parse(readFileSync(await download.path(), 'utf8')) as { d: { id: string } }[];
  expect([saved.length, saved.every((r) => r.d.id.startsWith('d0-'))]).toEqual([count, true]);
});
