import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { look } from './browser';
import { admin, api, open, rowsOf, shop, stage } from './stage';

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
  await expect.poll(async () => (await rowsOf(page, 'Recently active people')).length).toBe(3);
  await page.getByRole('radiogroup', { name: 'Time' }).getByText('24 hours').click();
  await expect.poll(() => page.url()).toContain('figure=hours');
  await look(page, 'online');
});

test('an alert is made', async () => {
  const { page } = admin;
  await page.getByRole('button', { name: 'New alert' }).click();
  const form = page.getByRole('dialog', { name: 'New alert' });
  await form.getByLabel('Name').fill('Peak');
  await form.getByLabel('People online').fill('5');
  await look(page, 'online-alert');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await rowsOf(page, 'Alerts')).map((row) => row.slice(0, 2))).toEqual([['Peak', 'More than 5 for 5 min']]);
});
