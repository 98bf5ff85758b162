import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { look } from './browser';
import { admin, api, onPhone, open, pickByKeys, rowsOf, shop, stage, type App } from './stage';

const day = 86_400_000;

/** On which days, counted back from today, people were there, and with which system. */
const visits: [person: string, os: string, ...days: number[]][] = [
  ['one', 'iOS', 20, 6, 2, 1, 0],
  ['two', 'iOS', 20, 1],
  ['three', 'Android', 10, 2, 0],
  ['four', 'Android', 45, 3],
];

stage({
  fill: () => {
    const now = Date.now();
    return api.call('/i/bulk', {
      app_key: shop.key,
      requests: visits
        .flatMap(([who, os, ...days]) => days.map((ago) => ({ who, os, ago })))
        .sort((a, b) => b.ago - a.ago)
        .map(({ who, os, ago }) => ({ device_id: who, timestamp: now - ago * day, begin_session: 1, metrics: { _os: os }, events: ago === 0 ? [{ key: 'Buy' }] : [] })),
    });
  },
});

const visit = (page: Page, query = '') => open(page, `/active${query}`, 'Active users');

test('an app without visits shows what will be there', async () => {
  const { page } = admin;
  await visit(page, '?period=2020-01-01..2020-01-10');
  await page.getByText('Nobody was active in this period').waitFor();
  await look(page, 'active-none');
});

test('figures, course, stickiness and people', async () => {
  const { page } = admin;
  await visit(page, '?period=7days');
  // Today, not over: one and three; in 7 days all four; in 30 days all four.
  await page.getByText('2 on the day, 4 in 7 days, 4 in 30 days.').waitFor();
  // Six days that are over: 1, 0, 0, 1, 2, 2 people by day (6, 5, 4, 3, 2, 1 days ago).
  await page.getByText('average of 6 days').first().waitFor();
  await page.getByRole('img', { name: /^Active users, .*Last 7 days$/ }).locator('canvas').waitFor();
  await page.getByRole('img', { name: /^Stickiness, .*Last 7 days$/ }).locator('canvas').waitFor();
  await expect.poll(async () => (await rowsOf(page, 'User list')).map((row) => row[0]).sort()).toEqual(['one', 'three']);
  await page.getByRole('radiogroup', { name: 'Days counted' }).getByText('30 days').click();
  await expect.poll(async () => (await rowsOf(page, 'User list')).length).toBe(4);
  await look(page, 'active');
});

test('calendar weeks and months, a breakdown and a filter', async () => {
  const { page } = admin;
  await page.getByText('Calendar months').click();
  await page.getByText('The last month is not over yet.').waitFor();
  await expect.poll(() => page.url()).toContain('figure=months');
  await page.getByRole('combobox', { name: 'Break down by', exact: true }).click();
  await page.getByRole('option', { name: 'Platform', exact: true }).click();
  await page.getByText('Active users by Platform').waitFor();
  await look(page, 'active-by');
  await visit(page, `?period=7days&filter=${encodeURIComponent('{"up.p":{"$in":["iOS"]}}')}`);
  await page.getByText('1 on the day, 2 in 7 days, 2 in 30 days.').waitFor();
  await visit(page, `?period=7days&events=${encodeURIComponent('["Buy"]')}`);
  await page.getByText('2 on the day, 2 in 7 days, 2 in 30 days.').waitFor();
  await page.getByRole('button', { name: 'About Active users' }).click();
  await page.getByText('GET /o/active_users/report').waitFor();
});

test('the people of several apps', async () => {
  const { page } = admin;
  const other = await api.call<App>('/i/apps/create', { args: { name: 'Cafe', timezone: 'Europe/Berlin', type: 'web' } });
  const now = Date.now();
  await api.call('/i/bulk', {
    app_key: other.key,
    requests: ['one', 'five'].map((device_id) => ({ device_id, timestamp: now, begin_session: 1, metrics: { _os: 'iOS' } })),
  });
  await visit(page, '?period=7days');
  const choice = page.getByRole('combobox', { name: 'Together with' });
  await choice.focus();
  await pickByKeys(page, 'Cafe', 'Cafe');
  // One and three, and five of the other app; one is there, too, and counts once.
  await page.getByText('3 on the day, 5 in 7 days, 5 in 30 days.').waitFor();
  await expect.poll(() => page.url()).toContain(other._id);
  expect(await page.getByRole('combobox', { name: 'Break down by', exact: true }).count()).toBe(0);
  expect(await page.getByText('User list').count()).toBe(0);
  await page.keyboard.press('Escape');
  await look(page, 'active-apps');
  await page.reload();
  await page.getByText('3 on the day, 5 in 7 days, 5 in 30 days.').waitFor();
});

test('the keyboard alone does it', async () => {
  const { page } = admin;
  await visit(page, '?period=7days');
  await page.getByRole('combobox', { name: 'Active with' }).focus();
  await pickByKeys(page, 'Buy', 'Buy');
  await page.keyboard.press('Escape');
  await page.getByText('2 on the day, 2 in 7 days, 2 in 30 days.').waitFor();
  await page.getByRole('combobox', { name: 'Break down by', exact: true }).focus();
  await pickByKeys(page, 'Platform', 'Platform');
  await page.getByText('Active users by Platform').waitFor();
  await page.getByRole('radiogroup', { name: 'Weeks and months' }).getByRole('radio', { name: 'Rolling' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => page.url()).toContain('figure=weeks');
  await page.getByRole('radiogroup', { name: 'Days counted' }).getByRole('radio', { name: 'Last day' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(async () => (await rowsOf(page, 'User list')).map((row) => row[0]).sort()).toEqual(['one', 'three']);
});

test('dark, on a phone, in German', () => onPhone('/active?period=7days&compare=previous&segment=up.p', 'Aktive Nutzer', 'active-phone'));
