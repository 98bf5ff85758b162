import { expect, test } from 'vitest';
import { shoot } from './browser';
import { admin, api, open, shop, stage, type App } from './stage';

const day = 86_400_000;
const now = Date.now();
const events = 2999;
let fresh: App;

// As many sessions as in the period before; events of which one was dropped; and an app on its first day.
stage({
  fill: async () => {
    const sessions = [0, 1, 2].flatMap((n) => [5, 35].map((ago) => ({ device_id: `a${n}`, begin_session: 1, timestamp: now - ago * day + n })));
    const counted = Array.from({ length: events }, (_, n) => ({ device_id: `a${n % 3}`, timestamp: now - day + n, events: [{ key: 'seen', count: 1 }] }));
    const requests = [...sessions, ...counted, { device_id: 'a1', events: '[{"key":' }];
    for (let i = 0; i < requests.length; i += 1000) await api.call('/i/bulk', { app_key: shop.key, requests: requests.slice(i, i + 1000) });
    fresh = await api.call<App>('/i/apps/create', { args: { name: 'First day', timezone: 'UTC', type: 'web' } });
    await api.call('/i/bulk', { app_key: fresh.key, requests: [0, 1].map((n) => ({ device_id: `b${n}`, begin_session: 1 })) });
  },
});

const note = (metric: string) => admin.page.getByRole('main').getByRole('group', { name: 'Figures' }).getByRole('button', { name: new RegExp(`^${metric}`) }).locator('.figure-change');

test('no change is neither good nor bad', async () => {
  const { page } = admin;
  await open(page, '?compare=previous', 'Overview');
  await expect.poll(() => note('Sessions').textContent()).toBe('0%');
  const rgb = await note('Sessions').evaluate((part) => (getComputedStyle(part).color.match(/\d+/g) ?? []).map(Number));
  expect(Math.max(...rgb) - Math.min(...rgb), `grey: ${rgb.join(' ')}`).toBeLessThan(40);
  await shoot(page, 'no-change');
});

test('what came from nothing is new, and nothing from nothing is no change', async () => {
  const { page } = admin;
  await page.goto(`/dashboard/apps/${fresh._id}`);
  await expect.poll(() => note('Sessions').textContent()).toBe('new');
  await expect.poll(() => note('Time spent').textContent()).toBe('–');
  await shoot(page, 'first-day');
});

test('what is not all received is never written as all', async () => {
  const { page } = admin;
  await open(page, '/ingestion', 'Received data');
  await page.getByText('>\u00a099.9% accepted').waitFor();
  const shares = (await page.getByRole('table').getByRole('row').allTextContents()).filter((text) => text.startsWith('Events'));
  expect(shares.map((text) => text.replace(/.*?([<>]\u00a0[\d.]+%)$/, '$1')).sort()).toEqual(['<\u00a00.1%', '>\u00a099.9%']);
});
