import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { look, openPage, shoot } from './browser';
import { admin, api, browser, choose, open, rowsOf, server, shop, stage } from './stage';

const day = 86_400_000;

/** What people did so many days ago: nothing but a visit, a purchase of so much with a plan, or a refund. */
const visits: [person: string, ago: number, sum?: number, plan?: string][] = [
  ['one', 9, 10, 'pro'],
  ['two', 9],
  ['three', 9, 4, 'free'],
  ['one', 8, 6, 'pro'],
  ['two', 7, 20, 'pro'],
  ['four', 5],
  ['three', 2, -4, 'free'],
  ['four', 1, 2, 'free'],
  ['five', 0, 8, 'pro'],
];

stage({
  permissions: ['clipboard-read', 'clipboard-write'],
  fill: () => {
    const now = Date.now();
    return api.call('/i/bulk', {
      app_key: shop.key,
      requests: visits.map(([who, ago, sum, plan]) => ({
        device_id: who,
        timestamp: now - ago * day,
        begin_session: 1,
        events: [{ key: 'Open' }, ...(sum === undefined ? [] : [{ key: 'Purchase', sum, segmentation: { plan } }])],
      })),
    });
  },
});

const visit = (page: Page, query = '') => open(page, `/revenue${query}`, 'Revenue');

/** The large figures, by name. */
async function figures(page: Page): Promise<Record<string, string>> {
  const names = await page.locator('.figures dt').allTextContents();
  const values = await page.locator('.figures .figure-value').allTextContents();
  return Object.fromEntries(names.map((name, i) => [name, (values[i] ?? '').trim()]));
}

test('an app says which events are purchases', async () => {
  const { page } = admin;
  await visit(page);
  await page.getByRole('heading', { name: 'Which events are purchases?' }).waitFor();
  const likely = page.getByRole('group', { name: 'Events with sums in this period' }).getByRole('button');
  await likely.first().waitFor();
  expect(await likely.allTextContents()).toEqual(['Purchase']);
  await look(page, 'revenue-none');
  await likely.first().focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Save for everyone' }).click();
  await page.getByText('46 of revenue from 6 purchases; paying users: 5.').waitFor();
  const own = await api.call<{ app: { plugins: { revenue: { iap_events: string[] } } } }>('/o/apps/details', { app_id: shop._id });
  expect(own.app.plugins.revenue.iap_events).toEqual(['Purchase']);
});

test('figures, a chart and a table say what was paid', async () => {
  const { page } = admin;
  await visit(page);
  await page.getByText('46 of revenue').waitFor();
  await expect.poll(() => figures(page)).toEqual({ 'Revenue': '46', 'Paying users': '5', 'Per user (ARPU)': '9.20', 'Per paying user (ARPPU)': '9.20', 'Purchases': '6', 'Average order': '8.33' });
  await page.getByText('including -4 of refunds').waitFor();
  await page.getByRole('img', { name: /^Revenue, Last 30 days$/ }).locator('canvas').waitFor();
  await look(page, 'revenue');
  await visit(page, '?period=7days');
  await page.getByRole('radiogroup', { name: /Revenue/ }).getByText('Table', { exact: true }).click();
  await expect.poll(async () => (await rowsOf(page, /^Revenue, /)).at(-1)?.slice(1, 7)).toEqual(['8', '1', '8', '8', '1', '8']);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: /CSV/ }).first().click();
  expect((await saved).suggestedFilename()).toMatch(/Revenue.*\.csv$/);
});

test('a breakdown, a filter and another figure are in the address', async () => {
  const { page } = admin;
  await visit(page);
  await choose(page, 'Break down by', 'plan');
  await page.getByRole('heading', { name: 'Revenue by plan', level: 2 }).last().waitFor();
  const groups = async () => (await rowsOf(page, 'Revenue by plan')).map((row) => row.slice(0, 4));
  await expect.poll(groups).toEqual([['pro', '44', '95.7%', '3'], ['free', '2', '4.3%', '2']]);
  await page.getByRole('radiogroup', { name: 'Figure' }).getByText('Paying users', { exact: true }).click();
  await page.getByRole('img', { name: /^Paying users by plan/ }).locator('canvas').waitFor();
  await look(page, 'revenue-by');
  await page.reload();
  await page.getByRole('img', { name: /^Paying users by plan/ }).locator('canvas').waitFor();
  await expect.poll(groups).toEqual([['pro', '44', '95.7%', '3'], ['free', '2', '4.3%', '2']]);
  // The name of a line filters the page, and again takes that away; the switch before it hides the line.
  const legend = page.getByRole('group', { name: 'Legend' });
  await legend.getByRole('button', { name: 'Show free', pressed: true }).click();
  await legend.getByRole('button', { name: 'Show free', pressed: false }).waitFor();
  await legend.getByRole('button', { name: 'free', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('2 of revenue from 2 purchases; paying users: 2.').waitFor();
  expect(JSON.parse(new URL(page.url()).searchParams.get('filter') ?? '')).toBe('{"sg.plan":{"$in":["free"]}}');
  await page.getByRole('button', { name: 'Remove: plan is free' }).waitFor();
  await page.getByRole('cell', { name: 'free', exact: true }).getByRole('button').click();
  await expect.poll(groups).toEqual([['pro', '44', '95.7%', '3'], ['free', '2', '4.3%', '2']]);
  await visit(page, `?filter=${encodeURIComponent('{"sg.plan":{"$in":["free"]}}')}`);
  await page.getByText('2 of revenue from 2 purchases; paying users: 2.').waitFor();
  await expect.poll(async () => (await figures(page))['Per user (ARPU)']).toBe('0.40');
  await page.getByRole('button', { name: 'About Revenue' }).click();
  const about = page.getByRole('dialog', { name: 'About Revenue' });
  expect(await about.locator('pre').textContent()).toMatch(/^GET \/o\/revenue\/report\n(?=[^]*filter=\{"sg\.plan")/);
  await look(page, 'revenue-about');
  await page.keyboard.press('Escape');
});

test('other purchase events can be looked at, and are kept by the link', async () => {
  const { page } = admin;
  await visit(page, `?events=${encodeURIComponent('["Open"]')}`);
  await page.getByText('Nobody paid in this period').waitFor();
  await page.getByText('These are not the app’s purchase events.').waitFor();
  await page.getByRole('button', { name: 'Back to the app’s events' }).click();
  await page.getByText('46 of revenue').waitFor();
});

test('lifetime value is a curve and cohorts', async () => {
  const { page } = admin;
  await visit(page);
  await page.getByRole('tab', { name: 'Lifetime value' }).focus();
  await page.keyboard.press('Enter');
  // Of one, two, three and four: 14 on the first day, 6 on the day after, 20 two days after, 2 four days after.
  await page.getByText('Day 0: 3.50 per user, 50% have paid (complete for 4 users).').waitFor();
  await page.getByText('Day 7: 9.17 per user, 100% have paid (complete for 3 users).').waitFor();
  await page.getByRole('img', { name: /^Lifetime value by age/ }).locator('canvas').waitFor();
  const rows = async () => (await rowsOf(page, 'Lifetime value by cohort')).map((row) => row.slice(1, 5)).filter(([people]) => people !== '0');
  await expect.poll(rows).toEqual([['3', '4.67', '6.67', '13.33'], ['1', '0', '0', '0'], ['1', '8* not over yet', '', '']]);
  await look(page, 'revenue-ltv');
});

test('dark, on a phone, in German', async () => {
  const storageState = await admin.context.storageState();
  const { page, context, faults } = await openPage(browser, server.url, { storageState, colorScheme: 'dark', viewport: { width: 390, height: 844 }, locale: 'de-DE' });
  for (const tab of ['', '&tab=ltv']) {
    await page.goto(`/dashboard/apps/${shop._id}/revenue?compare=previous${tab}`);
    await page.getByText(tab === '' ? '46 Umsatz aus 6 Käufen' : 'Tag 0: 3,50 pro Nutzer').waitFor();
    await shoot(page, `revenue-phone${tab.slice(5)}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), 'scrolls sideways').toBe(false);
  }
  expect(faults).toEqual([]);
  await context.close();
});
