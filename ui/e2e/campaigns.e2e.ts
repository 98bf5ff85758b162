import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { look } from './browser';
import { admin, api, open, rowsOf, server, shop, stage } from './stage';

/** People, the day that each came, counted back from today, and where from. */
const people: [person: string, ago: number, store: string, campaign: string][] = [
  ['one', 3, 'https://www.google.com/search?q=lamps', ''],
  ['two', 2, 'https://www.facebook.com/', ''],
  ['three', 1, '', 'spring'],
  ['four', 1, 'https://blog.example.org/lamps', ''],
  ['five', 1, '', ''],
];

stage({
  fill: () =>
    api.call('/i/bulk', {
      app_key: shop.key,
      requests: people.map(([who, ago, store, campaign]) => ({
        device_id: who,
        timestamp: Date.now() - ago * 86_400_000,
        begin_session: 1,
        metrics: { _browser: 'Firefox', _store: store },
        events: [{ key: 'Buy', count: 1, sum: 10 }],
        ...(campaign === '' ? {} : { campaign_id: campaign }),
      })),
    }),
});

const visit = (page: Page, search = '') => open(page, `/campaigns${search}`, 'Campaigns');

test('visits are shown by where they came from', async () => {
  const { page } = admin;
  await visit(page);
  await expect.poll(async () => (await rowsOf(page, 'Origins')).map((row) => row[0]).sort()).toEqual(['Direct', 'Other campaigns', 'Referrals', 'Search', 'Social networks']);
  await page.getByRole('combobox', { name: 'By', exact: true }).click();
  await page.getByRole('option', { name: 'Keyword' }).click();
  await expect.poll(async () => (await rowsOf(page, 'Origins')).map((row) => row[0])).toEqual(['lamps']);
});

test('conversions are credited to what brought people', async () => {
  const { page } = admin;
  await visit(page);
  await expect.poll(async () => (await rowsOf(page, 'Attribution')).map((row) => row.slice(0, 2).join(' ')).sort()).toEqual([
    'No touch in the window 1',
    'Other campaigns 1',
    'Referrals 1',
    'Search 1',
    'Social networks 1',
  ]);
  await page.getByText('First touch', { exact: true }).click();
  await page.getByText(/^Each conversion is credited to the first touch before it within the window\. /).waitFor();
});

test('a campaign is made, its link is followed, and its figures show', async () => {
  const { page } = admin;
  await visit(page);
  await page.getByRole('button', { name: 'New campaign' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Spring sale');
  await page.getByRole('textbox', { name: 'ID in the link' }).fill('spring');
  await page.getByRole('textbox', { name: 'Target address' }).fill('https://shop.example/in');
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
  await page.getByText('The campaign is saved.').waitFor();
  const followed = await fetch(`${server.url}/campaign/spring?url=https://elsewhere.example`, {
    redirect: 'manual',
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0' },
  });
  expect(followed.status).toBe(302);
  expect(followed.headers.get('location')).toMatch(/^https:\/\/shop\.example\/in\?cly_id=spring&cly_uid=/);
  await visit(page);
  await expect.poll(async () => (await rowsOf(page, 'Campaigns'))[0]?.slice(1, 6).join(' ')).toBe('1 1 0 1 1');
  await look(page, 'campaigns');
});
