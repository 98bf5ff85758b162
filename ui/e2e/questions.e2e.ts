import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { look, openPage, shoot } from './browser';
import { admin, api, browser, choose, open, server, shop, stage } from './stage';

const people = [
  { device_id: 'one', country_code: 'DE', plan: 'pro', age: 31 },
  { device_id: 'two', country_code: 'DE', plan: 'free', age: 45 },
  { device_id: 'three', country_code: 'FR', plan: 'pro', age: 52 },
  { device_id: 'four', country_code: 'ES', plan: 'pro', age: 19 },
];

stage({
  permissions: ['clipboard-read', 'clipboard-write'],
  fill: () =>
    api.call('/i/bulk', {
      app_key: shop.key,
      requests: people.map(({ plan, age, ...who }) => ({
        ...who,
        timestamp: Date.now(),
        begin_session: 1,
        metrics: { _os: 'Android' },
        user_details: { name: `Person ${who.device_id}`, custom: { plan, age } },
        events: [{ key: 'Purchase', segmentation: { article: plan === 'pro' ? 'tea' : 'milk', price: age } }],
      })),
    }),
});

const visit = (page: Page, query = '') => open(page, `/profiles${query}`, 'Profiles');

const found = (page: Page) => page.getByRole('status');

test('people are narrowed, and counted at once', async () => {
  const { page } = admin;
  await visit(page);
  await found(page).getByText('4 profiles').waitFor();
  await page.getByRole('button', { name: 'Conditions' }).click();
  await look(page, 'profiles-conditions');
  await page.getByRole('button', { name: 'Condition', exact: true }).click();
  await choose(page, 'Country: value', 'Germany');
  await page.keyboard.press('Escape');
  await found(page).getByText('2 profiles of 4 (50%)').waitFor();
  await page.getByRole('button', { name: 'Group' }).click();
  await choose(page, 'Property', 'age').catch(() => undefined);
  await shoot(page, 'profiles-group');
});

test('the whole question is in the address', async () => {
  const { page } = admin;
  const filter = { $or: [{ cc: { $in: ['DE'] } }, { $and: [{ 'custom.plan': { $in: ['pro'] } }, { 'custom.age': { $gt: 50 } }] }] };
  await visit(page, `?filter=${encodeURIComponent(JSON.stringify(filter))}`);
  await found(page).getByText('3 profiles of 4 (75%)').waitFor();
  await look(page, 'profiles-filter');
  await page.getByRole('textbox', { name: 'age: value' }).fill('60');
  await found(page).getByText('2 profiles of 4 (50%)').waitFor();
  await page.reload();
  await found(page).getByText('2 profiles of 4 (50%)').waitFor();
  await expect.poll(() => page.getByRole('textbox', { name: 'age: value' }).inputValue()).toBe('60');
  await page.getByRole('button', { name: 'Copy link to this view' }).click();
  await page.getByText('The link to this view is copied.').waitFor();
  const shown = await api.call<{ iTotalDisplayRecords: number }>('/o', { app_id: shop._id, method: 'user_details', query: { ...filter, $or: [filter.$or[0] ?? {}] } });
  expect(shown.iTotalDisplayRecords).toBe(2);
});

test('a view is kept under a name, opened, renamed, and deleted', async () => {
  const { page } = admin;
  await page.getByRole('button', { name: 'Save this view' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Germans and more');
  await page.getByRole('switch', { name: 'Share' }).click({ force: true });
  await look(page, 'profiles-save');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The view is saved.').waitFor();
  await visit(page);
  await found(page).getByText('4 profiles').waitFor();
  await page.getByRole('link', { name: 'Germans and more' }).click();
  await found(page).getByText('2 profiles of 4 (50%)').waitFor();
  await page.getByRole('button', { name: 'Rename Germans and more' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename' });
  await expect.poll(() => dialog.getByRole('switch', { name: 'Share' }).isChecked()).toBe(true);
  await dialog.getByRole('textbox', { name: 'Name' }).fill('At home and abroad');
  await look(page, 'profiles-rename');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'At home and abroad' }).click();
  await found(page).getByText('2 profiles of 4 (50%)').waitFor();
  await page.getByRole('button', { name: 'Delete At home and abroad' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('The view is deleted.').waitFor();
  await page.getByText('Saved views appear here.').waitFor();
});

test('the old address leads to where its questions are asked now', async () => {
  const { page } = admin;
  const old = (query: string) => page.goto(`/dashboard/apps/${shop._id}/explore?${query}`);
  await old(`tab=events&period=7days&events=["Purchase"]&filter=${encodeURIComponent('{"sg.article":{"$in":["tea"]}}')}`);
  await page.getByRole('heading', { level: 1, name: 'Trends' }).waitFor();
  await page.getByText('Purchase: 3 (Count, Last 7 days)').waitFor();
  await old(`filter=${encodeURIComponent('{"$nor":[{"cc":"DE"}]}')}`);
  await page.getByRole('heading', { level: 1, name: 'Profiles' }).waitFor();
  await page.getByText('The editor cannot show all of this filter.').waitFor();
  await found(page).getByText('2 profiles of 4 (50%)').waitFor();
  await old('');
  await page.getByRole('heading', { level: 1, name: 'Trends' }).waitFor();
});

test('dark, on a phone, in German', async () => {
  const storageState = await admin.context.storageState();
  const { page, context, faults } = await openPage(browser, server.url, { storageState, colorScheme: 'dark', viewport: { width: 390, height: 844 }, locale: 'de-DE' });
  await page.goto(`/dashboard/apps/${shop._id}/profiles?filter=${encodeURIComponent('{"$and":[{"cc":{"$in":["DE"]}},{"sc":{"$gte":1,"$lte":5}}]}')}`);
  await page.getByText('von 4 (50').waitFor();
  await shoot(page, 'profiles-phone');
  expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), 'scrolls sideways').toBe(false);
  expect(faults).toEqual([]);
  await context.close();
});

test('the bell tells of finished tasks', async () => {
  const { page } = admin;
  await visit(page);
  await api.call('/o/export/requestQuery', { path: '/o/analytics/sessions', data: { app_id: shop._id, period: 'today' }, app_id: shop._id, filename: 'Sessions of today', type: 'csv' });
  await page.reload();
  await page.getByRole('button', { name: /^Tasks of the server/ }).click();
  const bell = page.getByRole('dialog', { name: 'Tasks of the server' });
  await bell.getByRole('listitem').filter({ hasText: 'Done' }).waitFor();
  await look(page, 'bell');
  await bell.getByRole('link', { name: 'All tasks' }).click();
  await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor();
});

test('a slow answer goes on as a task and is shown when it is there', async () => {
  const { page } = admin;
  await api.call('/i/configs', { configs: { api: { request_threshold: 0 } } });
  let letGo: () => void = () => undefined;
  const looked = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/o/tasks/task?**', async (route) => {
    await looked;
    await route.continue();
  });
  const note = page.getByText('continues as a background task');
  const answer = page.getByText('Purchase: 4 (Count, Last 7 days)');
  for (let price = 1; price < 15; price++) { // a read may still be faster than no waiting at all
    await page.goto(`/dashboard/apps/${shop._id}/trends?period=7days&events=["Purchase"]&filter=${encodeURIComponent(`{"sg.price":{"$gte":${price}}}`)}`);
    await note.or(answer).first().waitFor();
    if (await note.isVisible()) break;
  }
  expect(await note.isVisible()).toBe(true);
  await look(page, 'trends-task');
  letGo();
  await answer.waitFor();
  await note.waitFor({ state: 'detached' });
  await page.unroute('**/o/tasks/task?**');
  await api.call('/i/configs', { configs: { api: { request_threshold: 30 } } });
});
