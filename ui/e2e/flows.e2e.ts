import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { barriers, look, openPage, shoot, turn } from './browser';
import { admin, api, browser, choose, open, rowsOf, server, shop, stage, type App } from './stage';

const ways: [person: string, plan: string, ...did: string[]][] = [
  ['one', 'pro', 'Product', 'Cart', 'Purchase'],
  ['two', 'pro', 'Product', 'Cart', 'Purchase'],
  ['three', 'free', 'Product', 'Cart'],
  ['four', 'free', 'Product'],
  ['five', 'free', 'Search'],
  ['six', 'free'],
];

const minute = 60_000;

stage({
  fill: () => {
    const begun = Date.now() - 30 * minute;
    const view = (name: string, timestamp: number) => ({ key: '[CLY]_view', timestamp, segmentation: { name, visit: 1 } });
    return api.call('/i/bulk', {
      app_key: shop.key,
      requests: ways.map(([who, plan, ...did]) => ({
        device_id: who,
        timestamp: begun,
        begin_session: 1,
        events: [...did.map((key, i) => ({ key, timestamp: begun + (i + 1) * minute, segmentation: { plan } })), view('/home', begun + 10 * minute), ...(who === 'one' ? [view('/help', begun + 11 * minute)] : [])],
      })),
    });
  },
});

const visit = (page: Page, query = '') => open(page, `/flows${query}`, 'Flows');

/** The nodes of the picture, by what they say. */
const nodes = (page: Page) => page.getByRole('list', { name: 'Paths by step' }).getByRole('button').evaluateAll((all) => all.map((node) => node.querySelector('.visually-hidden')?.textContent));

const node = (page: Page, name: string) => page.getByRole('list', { name: 'Paths by step' }).getByRole('button', { name });

/** What the address holds of the flow; the router writes texts as JSON. */
function chosen(page: Page): unknown {
  const text: unknown = JSON.parse(new URL(page.url()).searchParams.get('only') ?? '""');
  return typeof text === 'string' ? JSON.parse(text) : text;
}

test('the page shows at once where people go from the beginning of their sessions', async () => {
  const { page } = admin;
  await visit(page);
  await page.getByText('6 paths of 6 users start with “Session starts”. Most often “Product” comes next (66.7%). 16.7% end right there.').waitFor();
  expect(await nodes(page)).toEqual([
    'Chosen step: Session starts. 6 paths, 6 users, 100% of all paths. 1 end here (16.7%).',
    '1 step later: Product. 4 paths, 4 users, 66.7% of all paths. 1 end here (25%).',
    '1 step later: Search. 1 path, 1 user, 16.7% of all paths. 1 end here (100%).',
    '2 steps later: Cart. 3 paths, 3 users, 50% of all paths. 1 end here (33.3%).',
    '3 steps later: Purchase. 2 paths, 2 users, 33.3% of all paths. 2 end here (100%).',
  ]);
  const high = async (name: string) => (await node(page, name).locator('.flow-bar').boundingBox())?.height ?? 0;
  expect(await high('1 step later: Product') / (await high('1 step later: Search'))).toBeCloseTo(4, 0);
  await look(page, 'flows');
});

test('the picture is walked with the mouse, and each walk can be undone', async () => {
  const { page } = admin;
  await node(page, '1 step later: Product').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start from here' }).waitFor();
  await look(page, 'flows-menu');
  await page.getByRole('dialog').getByRole('button', { name: 'Start from here' }).click();
  await page.getByText('4 paths of 4 users start with “Product”.').waitFor();
  expect(chosen(page)).toEqual({ at: 'Product' });
  await node(page, '1 step later: Cart').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave this step out' }).click();
  await node(page, '1 step later: Purchase. 2 paths').waitFor();
  await node(page, '1 step later: Purchase. 2 paths').click();
  await page.getByRole('dialog').getByRole('button', { name: 'What leads up to it' }).click();
  await page.getByText('2 paths of 2 users lead up to “Purchase”. Most often “Product” comes right before (100%).').waitFor();
  await node(page, '2 steps before: Session starts. 2 paths, 2 users, 100% of all paths. 2 begin here (100%).').waitFor();
  await page.reload();
  await page.getByText('2 paths of 2 users lead up to “Purchase”.').waitFor();
  await page.goBack();
  await page.getByText('2 paths of 2 users').waitFor({ state: 'detached' });
  await page.goBack();
  await node(page, '1 step later: Cart').waitFor();
});

test('a flow is put together: start, end, split, filter, table, file and definition', async () => {
  const { page } = admin;
  await visit(page);
  await choose(page, 'End', 'Purchase');
  await page.getByText('2 paths of 2 users start with “Session starts”. They end with “Purchase”; others do not count.').waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByText('6 paths of 6 users').waitFor();
  await choose(page, 'Split steps by', 'plan');
  await node(page, '1 step later: Product: free. 2 paths').waitFor();
  await node(page, '1 step later: Product: pro. 2 paths').waitFor();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('button', { name: 'Condition', exact: true }).click();
  await page.getByRole('combobox', { name: 'plan: value' }).or(page.getByRole('textbox', { name: 'plan: value' })).first().fill('pro');
  await page.keyboard.press('Enter');
  await page.getByText('No paths in this period').waitFor();
  await choose(page, 'Start', 'Product');
  await page.getByText('2 paths of 2 users start with “Product”. Most often “Cart: pro” comes next (100%).').waitFor();
  await look(page, 'flows-built');
  await page.getByRole('radiogroup', { name: /^Show as/ }).getByText('Table', { exact: true }).click();
  expect(await rowsOf(page, 'Flows: Product')).toEqual([
    ['Chosen step', 'Product: pro', '2', '2', '100.0%', '0', '0.0%', 'Cart: pro (2)'],
    ['1 step later', 'Cart: pro', '2', '2', '100.0%', '0', '0.0%', 'Purchase: pro (2)'],
    ['2 steps later', 'Purchase: pro', '2', '2', '100.0%', '2', '100.0%', '–'],
  ]);
  await look(page, 'flows-table');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download CSV: Flows: Product' }).click()]);
  expect(readFileSync(await file.path(), 'utf8').trim().split(/\r?\n/)).toHaveLength(4);
  await page.getByRole('button', { name: 'About Flows: Product' }).click();
  const query = (await page.getByRole('dialog').locator('pre').textContent()) ?? '';
  expect(query).toContain('GET /o/flows/paths');
  expect(query).toContain('user_segmentation={"sg.plan":{"$in":["pro"]}}');
  expect(query).toContain('options={"nodes":6,"after":4,"expand":"sg.plan"}');
  await look(page, 'flows-about');
  await page.keyboard.press('Escape');
});

test('a flow is saved, opened and deleted', async () => {
  const { page } = admin;
  await visit(page, `?only=${JSON.stringify({ at: 'Product', bound: '3600', steps: '2' })}&events=["Cart"]`);
  await page.getByText('4 paths of 4 users start with “Product”. Most often “Purchase” comes next (50%).').waitFor();
  await page.getByRole('button', { name: 'Save flow' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('After a product');
  await look(page, 'flows-save');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The flow is saved.').waitFor();
  await visit(page);
  expect((await rowsOf(page, 'Saved flows')).map((row) => row.slice(0, 2))).toEqual([['After a product', 'Product → …']]);
  await page.getByRole('link', { name: 'After a product' }).click();
  await page.getByText('4 paths of 4 users start with “Product”. Most often “Purchase” comes next (50%).').waitFor();
  expect(chosen(page)).toEqual({ at: 'Product', bound: '3600', steps: '2' });
  await page.getByRole('button', { name: 'Delete After a product' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('The flow is deleted.').waitFor();
  await page.getByText('Saved flows appear here.').waitFor();
});

test('the keyboard alone is enough', async () => {
  const { page } = admin;
  await visit(page);
  await node(page, 'Chosen step: Session starts').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Start from here' }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Start from here');
  await page.keyboard.press('Enter');
  await page.getByText('4 paths of 4 users start with “Product”.').waitFor();
  const views = page.getByRole('radiogroup', { name: 'Steps are' }).getByRole('radio', { name: 'Views' });
  await page.getByRole('radiogroup', { name: 'Steps are' }).getByRole('radio', { name: 'Events' }).focus();
  await page.keyboard.press('ArrowRight');
  expect(await views.isChecked()).toBe(true);
  await page.getByText('6 paths of 6 users start with “Session starts”. Most often “/home” comes next (100%).').waitFor();
  await node(page, '2 steps later: /help. 1 path').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'What leads up to it' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('1 path of 1 user leads up to “/help”. Most often “/home” comes right before (100%).').waitFor();
  await look(page, 'flows-views');
});

test('without paths, the page says what will be there', async () => {
  const { page } = admin;
  const empty = await api.call<App>('/i/apps/create', { args: { name: 'Empty', timezone: 'UTC', type: 'web' } });
  await page.goto(`/dashboard/apps/${empty._id}/flows`);
  await page.getByText('No paths in this period').waitFor();
  await look(page, 'flows-empty');
});

test('dark, on a phone, in German; and from right to left', async () => {
  const storageState = await admin.context.storageState();
  const { page, context, faults } = await openPage(browser, server.url, { storageState, colorScheme: 'dark', viewport: { width: 390, height: 844 }, locale: 'de-DE' });
  await page.goto(`/dashboard/apps/${shop._id}/flows`);
  await page.getByText('6 Wege (6 Nutzer) beginnen mit').waitFor();
  await shoot(page, 'flows-phone');
  expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), 'scrolls sideways').toBe(false);
  expect(await barriers(page)).toEqual([]);
  await page.getByRole('list', { name: 'Wege nach Schritt' }).getByRole('button', { name: '3 Schritte danach: Purchase' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Was hierher führt' }).click();
  await page.getByText('2 Wege (2 Nutzer) führen zu „Purchase“.').waitFor();
  await context.close();
  const turned = await openPage(browser, server.url, { storageState });
  await turn(turned.page);
  await turned.page.goto(`/dashboard/apps/${shop._id}/flows`);
  await turned.page.getByText('6 paths of 6 users').waitFor();
  await shoot(turned.page, 'flows-rtl');
  const [start, next] = await Promise.all(['Chosen step: Session starts', '1 step later: Product'].map((name) => node(turned.page, name).boundingBox()));
  expect(start?.x ?? 0).toBeGreaterThan(next?.x ?? 0);
  await turned.context.close();
  expect([...faults, ...turned.faults]).toEqual([]);
});
