import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { look, openPage, pagesOf, settled, shoot, signIn } from './browser';
import { admin, api, browser, hire, open, rowsOf, server, shop, stage } from './stage';

const clerk = { username: 'clerk', password: 'Only-reading-1' };
const reader = { username: 'reader', password: 'Only-looking-1' };

/** A visit of a view, of so many seconds. */
const seen = (name: string, dur: number, platform: string, first: boolean) => ({
  key: '[CLY]_view',
  dur,
  segmentation: { name, visit: '1', view: name, platform, ...(first ? { start: '1' } : {}) },
});

/** Twelve people: all see the first page, every second one the cart, every third one the settings, half of them on the web. */
const people = Array.from({ length: 12 }, (_, i) => {
  const platform = i < 6 ? 'Web' : 'iOS';
  return {
    device_id: `person-${i}`,
    timestamp: Date.now() - (i % 4) * 86_400_000,
    begin_session: 1,
    end_session: 1,
    events: [
      seen('/', 30, platform, true),
      ...(i % 2 === 0 ? [seen('/cart', 10, platform, false)] : []),
      ...(i % 3 === 0 ? [seen('Settings', 70, platform, false)] : []),
    ],
  };
});

stage({
  fill: async () => {
    await api.call('/i/bulk', { app_key: shop.key, requests: people });
    await hire(clerk);
    await api.call('/i/users/create', {
      args: {
        ...reader,
        full_name: 'Reader of views',
        email: 'reader@example.test',
        permission: { _: { a: [], u: [[shop._id]] }, c: {}, r: { [shop._id]: { all: false, allowed: { core: true, views: true } } }, u: {}, d: {} },
      },
    });
  },
});

interface Figures {
  t: number;
  uvalue: number;
  n: number;
  s: number;
  d: number;
  br: number;
  'd-calc': number;
}

interface Row extends Figures {
  _id: string;
  view: string;
  display?: string;
}

const ask = (more: Record<string, string>) => ({ app_id: shop._id, period: '30days', method: 'views', ...more });
const table = async (more: Record<string, string> = {}) =>
  (await api.call<{ aaData: Row[] }>('/o', ask({ action: 'getTable', iSortCol_0: 't', sSortDir_0: 'desc', ...more }))).aaData;
const share = (percent: number) => `${percent.toFixed(1)}%`;

/** What the table of the page says: name, visits, users, bounce rate and seconds a visit. */
const shown = async (page: Page) => (await rowsOf(page, /^Views, /)).map((cells) => cells.slice(0, 5).map((text) => text.replaceAll(/\s/g, ' ')));
/** The same of an answer. */
const lines = (rows: readonly Row[]) =>
  rows.map((r) => [r.display === undefined ? r.view : `${r.display}${r.view}`, String(r.t), String(r.uvalue), r.s === 0 ? '–' : share(r.br), `${Math.round(r['d-calc'])} s`]);

/** The large figures of the page. */
const figures = (page: Page) => page.locator('main dl.figures > div dd:nth-of-type(1)').allTextContents();

async function idOf(name: string): Promise<string> {
  const row = (await table()).find((r) => r.view === name);
  if (row === undefined) throw new Error(`no view ${name}`);
  return row._id;
}

test('the figures of the page are those of the API', async () => {
  const { page } = admin;
  const rows = await table();
  expect(rows.map((r) => [r.view, r.t, r.uvalue, r['d-calc']])).toEqual([['/', 12, 12, 30], ['/cart', 6, 6, 10], ['Settings', 4, 4, 70]]);
  await open(page, '/views', 'Views');
  await expect.poll(() => shown(page)).toEqual(lines(rows).map((cells) => cells.map((text) => (text === '70 s' ? '1 min 10 s' : text))));
  const totals = await api.call<Figures>('/o', ask({ action: 'getTotals' }));
  expect(totals).toMatchObject({ t: 22, uvalue: 12, n: 12 });
  await expect.poll(async () => (await figures(page)).slice(0, 4)).toEqual([String(totals.t), String(totals.uvalue), String(totals.n), share(totals.br)]);
});

test('a view is drawn over time, and the days add up to its visits', async () => {
  const { page } = admin;
  await open(page, '/views?period=7days', 'Views');
  await page.getByRole('checkbox', { name: 'Show /cart over time' }).check();
  await page.getByRole('checkbox', { name: 'Show Settings over time' }).check();
  const chart = page.getByRole('img', { name: /^Visits over time/ });
  await chart.locator('canvas').waitFor();
  await look(page, 'views-chart');
  await page.getByRole('radiogroup').getByText('Table', { exact: true }).click();
  const days = async () => (await rowsOf(page, /^Visits over time/)).map(([, ...values]) => values.map(Number));
  await expect.poll(async () => (await days()).length).toBe(7);
  expect((await days()).reduce(([a = 0, b = 0], [x = 0, y = 0]) => [a + x, b + y], [0, 0])).toEqual([6, 4]);
});

test('views are cut by a value of a segment, in the address', async () => {
  const { page } = admin;
  await open(page, '/views', 'Views');
  await page.getByRole('combobox', { name: 'Segment' }).click();
  await page.getByRole('option', { name: 'platform' }).click();
  await page.getByRole('combobox', { name: 'Value' }).click();
  await page.getByRole('option', { name: 'Web' }).click();
  const rows = await table({ segment: 'platform', segmentVal: 'Web' });
  expect(rows.map((r) => [r.view, r.t])).toEqual([['/', 6], ['/cart', 3], ['Settings', 2]]);
  const counts = async () => (await shown(page)).map(([name, t, u]) => [name, Number(t), Number(u)]);
  await expect.poll(counts).toEqual(rows.map((r) => [r.view, r.t, r.uvalue]));
  const totals = await api.call<Figures>('/o', ask({ action: 'getTotals', segment: 'platform', segmentVal: 'Web' }));
  await expect.poll(async () => (await figures(page)).slice(0, 4)).toEqual([totals.t, totals.uvalue, totals.n, totals.s].map(String));
  await look(page, 'views-cut');
  await page.reload();
  await settled(page);
  await expect.poll(counts).toEqual(rows.map((r) => [r.view, r.t, r.uvalue]));
});

test('a view gets a name in place, and keeps its address', async () => {
  const { page } = admin;
  const id = await idOf('/cart');
  await open(page, '/views?q=cart', 'Views');
  await page.getByRole('button', { name: 'Rename /cart' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename view' });
  await dialog.getByRole('textbox', { name: 'Name to show' }).fill('Basket');
  await look(page, 'views-rename');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(async () => (await shown(page)).map(([name]) => name)).toEqual(['Basket/cart']);
  expect((await table()).find((r) => r._id === id)?.display).toBe('Basket');

  await page.getByRole('link', { name: 'Basket' }).click();
  await page.getByRole('heading', { level: 1, name: 'Basket' }).waitFor();
  await open(page, `/views/${id}?period=7days&compare=previous&figure=u`, 'Basket');
  await page.getByRole('img', { name: /^Users over time/ }).locator('canvas').waitFor();
  const [row] = (await table({ period: '7days' })).filter((r) => r._id === id);
  const want = [row?.t, row?.uvalue, row?.n].map(String);
  await expect.poll(async () => (await figures(page)).slice(0, 3)).toEqual(want);
  await look(page, 'view');
  const address = page.url();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Basket' }).waitFor();
  await page.getByRole('img', { name: /^Users over time/ }).locator('canvas').waitFor();
  await expect.poll(async () => (await figures(page)).slice(0, 3)).toEqual(want);
  expect(page.url()).toBe(address);
});

test('the list is saved whole', async () => {
  const { page } = admin;
  await open(page, '/views', 'Views');
  await page.getByRole('button', { name: /^Download: Views, / }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'JSON' }).click()]);
  const saved = JSON.parse(readFileSync(await download.path(), 'utf8')) as Row[];
  const named = ({ view, t }: Row) => [view, String(t)];
  expect(saved.map(named)).toEqual((await table()).map(named));
});

test('a view is deleted only after it is named', async () => {
  const { page } = admin;
  const id = await idOf('Settings');
  await open(page, `/views/${id}`, 'Settings');
  await page.getByRole('button', { name: 'Rename view' }).click();
  await page.getByRole('button', { name: 'Delete view' }).click();
  const sure = page.getByRole('dialog', { name: 'Delete view' });
  await expect.poll(() => sure.getByRole('button', { name: 'Delete view' }).isDisabled()).toBe(true);
  await sure.getByRole('textbox').fill('Settings');
  await look(page, 'view-delete');
  await sure.getByRole('button', { name: 'Delete view' }).click();
  await page.getByText('The view Settings is deleted.').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Views' }).waitFor();
  await expect.poll(async () => (await shown(page)).map(([name]) => name)).toEqual(['/', 'Basket/cart']);
  await open(page, `/views/${id}`, 'There is no such page');
  await page.getByRole('link', { name: 'All views' }).waitFor();
  await look(page, 'view-gone');
});

test('a member sees views only with the right to, and names them only with another', async () => {
  for (const { who, sees } of [{ who: clerk, sees: false }, { who: reader, sees: true }]) {
    const { page, context, faults } = await openPage(browser, server.url);
    await signIn(page, who.username, who.password);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const links = await pagesOf(page);
    expect(links).toContain('Events');
    expect(links.includes('Views'), who.username).toBe(sees);
    await page.goto(`/dashboard/apps/${shop._id}/views`);
    if (sees) {
      await expect.poll(async () => (await shown(page)).map(([name]) => name)).toEqual(['/', 'Basket/cart']);
      await expect.poll(() => page.getByRole('button', { name: /^Rename/ }).count()).toBe(0);
    } else {
      await page.getByRole('heading', { name: 'You do not have access to this page' }).waitFor();
    }
    expect(faults).toEqual([]);
    await context.close();
  }
});

test('on a phone, dark, in German, nothing is wider than the window', async () => {
  const storageState = await admin.context.storageState();
  const { page, context, faults } = await openPage(browser, server.url, { storageState, colorScheme: 'dark', viewport: { width: 360, height: 740 }, locale: 'de-DE' });
  const id = await idOf('/cart');
  const empty = await api.call<{ _id: string }>('/i/apps/create', { args: { name: 'Nothing yet', timezone: 'UTC' } });
  for (const [path, name] of [[`${shop._id}/views?compare=previous&events=["${id}"]`, 'views'], [`${shop._id}/views/${id}`, 'view'], [`${empty._id}/views`, 'empty']] as const) {
    await page.goto(`/dashboard/apps/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await settled(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), `${path} scrolls sideways`).toBe(false);
    await shoot(page, `views-phone-${name}`);
  }
  expect(faults).toEqual([]);
  await context.close();
});
