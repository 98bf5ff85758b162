import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { look } from './browser';
import { admin, api, onPhone, open, pickByKeys, rowsOf, shop, stage, type App } from './stage';

let kiosk: App;

stage();

const visit = (page: Page, query = '') => open(page, `/compare${query}`, 'Compare apps');

/** One session each of so many people, today. */
async function people(app: App, count: number): Promise<void> {
  const timestamp = Date.now();
  const requests = Array.from({ length: count }, (_, i) => ({ device_id: `person-${i}`, timestamp, begin_session: 1, session_duration: 60 }));
  await api.call('/i/bulk', { app_key: app.key, requests });
  const sessions = async () => (await api.call<{ sessions: { total: number } }[]>('/o/compare/apps', { apps: [app._id], period: '7days' }))[0]?.sessions.total;
  await expect.poll(sessions).toBe(count);
}

test('one app alone is compared with nothing', async () => {
  const { page } = admin;
  await visit(page);
  await page.getByText('There is only one app').waitFor();
  await look(page, 'compare-one');
});

test('apps stand side by side, and a choice is drawn and kept in the address', async () => {
  const { page } = admin;
  kiosk = await api.call<App>('/i/apps/create', { args: { name: 'Kiosk', timezone: 'Asia/Tokyo', type: 'mobile' } });
  await api.call('/i/apps/create', { args: { name: 'Silent', timezone: 'UTC', type: 'mobile' } });
  await people(shop, 2);
  await people(kiosk, 5);
  await visit(page, '?period=7days');
  const rows = async () => (await rowsOf(page, /^Compare apps, /)).map(([name = '', sessions = '', users = '', fresh = '']) => [name, sessions, users, fresh]);
  await expect.poll(rows).toEqual([['Kiosk', '5', '5', '5'], ['Corner shop', '2', '2', '2'], ['Silent', '0', '0', '0']]);
  await page.getByRole('img', { name: /^Sessions by app/ }).locator('canvas').waitFor();
  // person-0 and person-1 use both apps: five people, not seven.
  const together = page.getByRole('region', { name: 'All apps together' });
  await expect.poll(() => together.locator('dl.figures > div dd:nth-of-type(1)').allTextContents()).toEqual(['7', '5', '7', '0', '100%']);
  await together.getByText('2 use several apps').waitFor();
  await look(page, 'compare');
  await together.getByRole('button', { name: 'About All apps together' }).click();
  await page.getByText('GET /o/compare/sums').waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('checkbox', { name: 'Show Kiosk' }).focus();
  await page.keyboard.press('Space');
  await page.waitForURL(new RegExp(kiosk._id));
  await page.getByRole('radiogroup', { name: 'Figure' }).getByText('Users', { exact: true }).click();
  await page.getByRole('radiogroup').getByText('Table', { exact: true }).click();
  const days = async () => (await rowsOf(page, /^Users by app/)).map(([, ...values]) => values);
  await expect.poll(async () => (await days()).at(-1)).toEqual(['5']);
  await page.reload();
  await expect.poll(async () => (await days()).at(-1)).toEqual(['5']);
  await look(page, 'compare-table');
});

test('up to twenty events stand side by side, and the address keeps them', async () => {
  const { page } = admin;
  const keys = Array.from({ length: 22 }, (_, i) => `Event ${String(i).padStart(2, '0')}`);
  const now = Date.now();
  await api.call('/i/bulk', {
    app_key: shop.key,
    requests: [{ device_id: 'person-0', timestamp: now, events: keys.flatMap((key, i) => [{ key, count: 40 - i, sum: i, timestamp: now }, { key, count: 1, timestamp: now - 3 * 86_400_000 }]) }],
  });
  await open(page, '/compare-events?period=7days', 'Compare events');
  const rows = async () => (await rowsOf(page, /^Compare events, /)).map((row) => row.slice(0, 4));
  // The largest, until others are chosen.
  await expect.poll(rows).toEqual(keys.slice(0, 5).map((key, i) => [key, String(41 - i), '1', i === 0 ? '–' : String(i)]));
  await page.getByRole('img', { name: /^Count by event/ }).locator('canvas').waitFor();
  await look(page, 'compare-events');
  const field = page.getByRole('combobox', { name: 'Events', exact: true });
  await field.focus();
  await pickByKeys(page, 'Event 21', 'Event 21');
  await page.waitForURL(/Event.*21/);
  await page.keyboard.press('Escape');
  await expect.poll(rows).toEqual([['Event 21', '20', '1', '21']]);
  await open(page, `/compare-events?period=7days&events=${encodeURIComponent(JSON.stringify(keys.slice(2)))}`, 'Compare events');
  await expect.poll(async () => (await rows()).length).toBe(20);
  await expect.poll(async () => page.getByRole('group', { name: /Legend|series/i }).getByRole('button').count()).toBe(20);
  await look(page, 'compare-events-twenty');
  await page.getByRole('radiogroup', { name: 'Figure' }).getByText('Course', { exact: true }).click();
  await page.getByText('Each event as a share of its own total').waitFor();
  await page.reload();
  await page.getByText('Each event as a share of its own total').waitFor();
  await expect.poll(async () => (await rows()).length).toBe(20);
  await page.getByRole('radiogroup').getByText('Table', { exact: true }).click();
  await expect.poll(async () => (await rowsOf(page, /^Course by event/)).at(-1)?.slice(1, 2)).toEqual(['97.4%']);
});

test('the keyboard alone does it', async () => {
  const { page } = admin;
  await visit(page, '?period=7days');
  await page.getByRole('checkbox', { name: 'Show Kiosk' }).focus();
  await page.keyboard.press('Space');
  await page.waitForURL(/only=/);
  await page.getByRole('radiogroup', { name: 'Figure' }).getByRole('radio', { name: 'Sessions', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('img', { name: /^Users by app/ }).waitFor();
  await page.getByRole('radio', { name: 'Chart', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(async () => (await rowsOf(page, /^Users by app/)).length).toBeGreaterThan(0);
});

test('dark, on a phone, in German', async () => {
  await onPhone('/compare?period=7days', 'Apps vergleichen', 'compare-phone');
  await onPhone('/compare-events?period=7days', 'Ereignisse vergleichen', 'compare-events-phone');
});
