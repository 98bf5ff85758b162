import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { look } from './browser';
import { admin, api, focused, onPhone, open, pickByKeys, rowsOf, shop, stage, type App } from './stage';

stage({
  fill: () =>
    api.call('/i/bulk', {
      app_key: shop.key,
      requests: ['one', 'two', 'three'].map((device_id) => ({ device_id, begin_session: 1, country_code: 'DE', metrics: { _os: 'iOS' } })),
    }),
});

const visit = (page: Page) => open(page, '/online', 'Online users');

test('who is online, and how many were at most', async () => {
  const { page } = admin;
  await visit(page);
  await page.getByText('3 of them in a first session').waitFor();
  await page.getByText(/^At most 3 at once/).waitFor();
  await page.getByRole('img', { name: /^Online over time/ }).locator('canvas').waitFor();
  await expect.poll(async () => (await rowsOf(page, 'Recently active users')).length).toBe(3);
  await page.getByRole('radiogroup', { name: 'Time' }).getByText('24 hours').click();
  await expect.poll(() => page.url()).toContain('figure=hours');
  await look(page, 'online');
});

test('an alert is made', async () => {
  const { page } = admin;
  await page.getByRole('button', { name: 'New alert' }).click();
  const form = page.getByRole('dialog', { name: 'New alert' });
  await form.getByLabel('Name').fill('Peak');
  await form.getByLabel('Users online').fill('5');
  await look(page, 'online-alert');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await rowsOf(page, 'Alerts')).map((row) => row.slice(0, 2))).toEqual([['Peak', 'More than 5 for 5 min']]);
});

test('several apps together, by keyboard', async () => {
  const { page } = admin;
  const other = await api.call<App>('/i/apps/create', { args: { name: 'Cafe', timezone: 'Europe/Berlin', type: 'web' } });
  await api.call('/i/bulk', {
    app_key: other.key,
    requests: ['one', 'five'].map((device_id) => ({ device_id, begin_session: 1, metrics: { _os: 'iOS' } })),
  });
  await visit(page);
  await page.getByRole('combobox', { name: 'Together with' }).focus();
  await pickByKeys(page, 'Cafe', 'Cafe');
  // One is in both, and counts once now; minutes are sums.
  await page.getByText('1 of them in several apps').waitFor();
  await page.getByText(/^At most 5 at once/).waitFor();
  await page.getByText('≤ 5').waitFor(); // of all time
  await expect.poll(() => page.url()).toContain(other._id);
  expect(await page.getByText('Recently active users').count()).toBe(0);
  expect(await page.getByText('New alert').count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.getByRole('radio', { name: '30 days' }).focus();
  await page.keyboard.press('Space');
  await expect.poll(() => page.url()).toContain('figure=days');
  await look(page, 'online-apps');
  await page.reload();
  await page.getByText('1 of them in several apps').waitFor();
});

test('an alert is changed, by keyboard', async () => {
  const { page } = admin;
  await visit(page);
  const make = page.getByRole('button', { name: 'New alert' });
  await make.focus();
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog', { name: 'New alert' });
  await focused(form.getByLabel('Name'));
  await page.keyboard.type('Quiet');
  await page.keyboard.press('Tab');
  await pickByKeys(page, 'Fewer users than');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await rowsOf(page, 'Alerts')).map((row) => row.slice(0, 2))).toContainEqual(['Quiet', 'Fewer than 2 for 5 min']);
  await focused(make);
  const on = page.getByRole('switch', { name: 'Alert Quiet' });
  await on.focus();
  await page.keyboard.press('Space');
  await expect.poll(() => on.isChecked()).toBe(false);
});

test('dark, on a phone, in German', () => onPhone('/online', 'Online-Nutzer', 'online-phone'));
