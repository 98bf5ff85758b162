import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { barriers, look, openPage, settled, shoot } from './browser';
import { admin, api, browser, focused, open, pickByKeys, rowsOf, server, shop, stage } from './stage';

const hour = 3_600_000;

/** Who came, from where and with what, and which plan they bought. */
const people: [person: string, country: string, os: string, sessions: number, plan: string][] = [
  ['ana', 'PE', 'iOS', 2, 'pro'],
  ['ben', 'DE', 'iOS', 1, 'free'],
  ['cleo', 'DE', 'Android', 3, 'pro'],
  ['dan', '', 'Android', 1, 'free'],
];

stage({
  fill: () => {
    const now = Date.now();
    return api.call('/i/bulk', {
      app_key: shop.key,
      requests: people.flatMap(([who, country, os, sessions, plan]) =>
        Array.from({ length: sessions }, (_, i) => ({
          device_id: who,
          timestamp: now - (60 - i * 20) * hour,
          begin_session: 1,
          hour: 10,
          dow: 2,
          country_code: country,
          ip_address: '127.0.0.1',
          metrics: { _os: os, _app_version: '2.1' },
          events: [
            { key: 'Purchase', segmentation: { plan } },
            { key: '[CLY]_view', segmentation: { name: os, visit: 1, start: 1 } },
          ],
        })),
      ),
    });
  },
});

/** The figure of sessions above the chart. */
const sessions = (page: Page) => page.getByRole('button', { name: /^Sessions/ }).first();

/** The filter as the address has it. */
function inAddress(page: Page): string {
  const text = new URL(page.url()).searchParams.get('filter') ?? '';
  return text.startsWith('"') ? String(JSON.parse(text)) : text;
}

test('a click on a row filters the whole page, and the address holds it', async () => {
  const { page } = admin;
  await open(page, '/', 'Overview');
  await expect.poll(() => sessions(page).textContent()).toContain('7');
  await page.getByRole('region', { name: 'Platforms' }).getByRole('button', { name: 'iOS', exact: true }).click();
  await page.getByRole('button', { name: 'Change: Platform is iOS' }).waitFor();
  await expect.poll(() => sessions(page).textContent()).toContain('3');
  expect(inAddress(page)).toBe('{"up.p":{"$in":["iOS"]}}');
  await look(page, 'filter-overview');
  await page.reload();
  await expect.poll(() => sessions(page).textContent()).toContain('3');
  await page.getByRole('region', { name: 'Platforms' }).getByRole('button', { name: 'iOS', exact: true }).click();
  await expect.poll(() => sessions(page).textContent()).toContain('7');
  await expect.poll(() => inAddress(page)).toBe('');
});

test('by the keyboard alone a filter is made, changed and taken away', async () => {
  const { page } = admin;
  await open(page, '/countries', 'Countries');
  await expect.poll(async () => (await rowsOf(page, /^Countries/)).map((row) => row.slice(0, 2))).toEqual(expect.arrayContaining([['Germany', '4'], ['Peru', '2']]));
  await page.getByRole('button', { name: 'Germany', exact: true }).press('Enter');
  const chip = page.getByRole('button', { name: 'Change: Country is Germany' });
  await chip.waitFor();
  await expect.poll(async () => (await rowsOf(page, /^Countries/)).map((row) => row[0])).toEqual(['Germany']);
  await chip.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Filter this page' });
  await drawer.waitFor();
  await drawer.getByRole('combobox', { name: 'Country: comparison' }).focus();
  await pickByKeys(page, 'is none of');
  await expect.poll(() => inAddress(page)).toBe('{"up.cc":{"$nin":["DE"]}}');
  await look(page, 'filter-drawer');
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await rowsOf(page, /^Countries/)).map((row) => row[0])).not.toContain('Germany');
  await chip.or(page.getByRole('button', { name: 'Change: Country is not Germany' })).press('Enter');
  await drawer.getByRole('button', { name: 'Condition', exact: true }).press('Enter');
  await drawer.getByRole('button', { name: /^Remove/ }).last().press('Enter');
  await focused(drawer.getByRole('button', { name: 'Condition', exact: true }));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Remove: Country is not Germany' }).press('Enter');
  await expect.poll(async () => (await rowsOf(page, /^Countries/)).length).toBe(3);
  await focused(page.getByRole('button', { name: 'Filter', exact: true }));
});

test('a filter that nothing matches says so, and is cleared there', async () => {
  const { page } = admin;
  for (const path of ['/', '/countries', '/times']) {
    await open(page, `${path}?filter=${encodeURIComponent('{"up.cc":{"$in":["AQ"]}}')}`);
    await page.getByRole('heading', { name: 'Nothing matches the filter' }).waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Clear all' }).last().press('Enter');
    await page.getByRole('heading', { name: 'Nothing matches the filter' }).waitFor({ state: 'detached' });
    expect(inAddress(page)).toBe('');
  }
});

test('a value that nobody told is a filter, too', async () => {
  const { page } = admin;
  await open(page, '/countries', 'Countries');
  await page.getByRole('button', { name: 'Unknown', exact: true }).click();
  await page.getByRole('button', { name: 'Change: Country is Unknown' }).waitFor();
  await expect.poll(async () => (await rowsOf(page, /^Countries/)).map((row) => row.slice(0, 2))).toEqual([['Unknown', '1']]);
});

test('a bar of a chart filters the page', async () => {
  const { page } = admin;
  await open(page, '/technology', 'Devices and systems');
  const chart = page.getByRole('img', { name: /platform/i }).locator('canvas').first();
  await chart.waitFor();
  const box = await chart.boundingBox();
  if (box === null) throw new Error('no chart');
  await expect
    .poll(async () => {
      await chart.click({ position: { x: 180, y: box.height * 0.25 } });
      return inAddress(page);
    })
    .toBe('{"up.p":{"$in":["Android"]}}');
});

test('events are filtered by their own properties, and a filter is kept as a segment for all', async () => {
  const { page } = admin;
  await open(page, '/events', 'Events');
  await expect.poll(async () => (await rowsOf(page, /^Events/)).map((row) => row.slice(0, 2))).toEqual([['Purchase', '7']]);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const drawer = page.getByRole('dialog', { name: 'Filter this page' });
  await drawer.getByRole('button', { name: 'Condition', exact: true }).click();
  await page.getByRole('combobox', { name: 'plan: value' }).or(page.getByRole('textbox', { name: 'plan: value' })).first().fill('pro');
  await page.keyboard.press('Enter');
  await drawer.getByRole('textbox', { name: 'Save as segment' }).fill('Payers');
  await drawer.getByRole('switch').click({ force: true });
  await drawer.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Segment saved').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await rowsOf(page, /^Events/)).map((row) => row.slice(0, 2))).toEqual([['Purchase', '5']]);
  await open(page, '/events', 'Events');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('region', { name: 'Segments' }).getByRole('button', { name: 'Payers', exact: true }).click();
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await rowsOf(page, /^Events/)).map((row) => row.slice(0, 2))).toEqual([['Purchase', '5']]);
  await shoot(page, 'filter-events');
});

test('what cannot be filtered says so', async () => {
  const { page } = admin;
  await open(page, `/users?filter=${encodeURIComponent('{"up.p":{"$in":["iOS"]}}')}`, 'Users');
  await page.getByText('The filter does not apply here.').waitFor();
  await page.goto(`/dashboard/apps/${shop._id}/sessions?filter=${encodeURIComponent('{"sg.plan":{"$in":["pro"]}}')}`);
  await page.getByText('Figures of sessions cannot be filtered by sg.plan, a property of events').first().waitFor();
  admin.faults.length = 0; // the browser reports the answers with 400
});

test('each chart says what it counts, of when, under which filter, and how to ask for it', async () => {
  const { page } = admin;
  const filter = '{"up.p":{"$in":["iOS"]}}';
  for (const [path, about, terms, call] of [
    ['/', 'Sessions', 'Sessions started.', '/o/analytics/compare'],
    ['/countries', 'Countries', 'A session counts under the value its user had when it began.', '/o/analytics/metric'],
    ['/sessions', 'Sessions by length', 'Sessions that ended', '/o/analytics/durations'],
    ['/events', 'Count', 'Number of events sent', '/o/analytics/events'],
    ['/times', /^About Sessions by/, 'By weekday and hour', '/o'],
  ] as const) {
    await open(page, `${path}?filter=${encodeURIComponent(filter)}`);
    await page.getByRole('button', { name: typeof about === 'string' ? `About ${about}` : about, exact: typeof about === 'string' }).press('Enter');
    const drawer = page.getByRole('dialog', { name: /^About/ });
    await drawer.getByText(terms).first().waitFor();
    await drawer.getByText('Platform is iOS').waitFor();
    await drawer.getByText('Yes: counted event by event under the filter.').waitFor();
    expect(await drawer.locator('pre').textContent()).toMatch(new RegExp(`^GET ${call}\n[^]*filter=`));
    if (path === '/') await look(page, 'filter-about');
    await page.keyboard.press('Escape');
  }
});

test('on a phone the filter is at hand, and views are filtered', async () => {
  const { page, context } = await openPage(browser, server.url, { storageState: await admin.context.storageState(), viewport: { width: 390, height: 800 }, hasTouch: true });
  await page.goto(`/dashboard/apps/${shop._id}/views?filter=${encodeURIComponent('{"up.p":{"$in":["iOS"]}}')}`);
  await page.getByRole('button', { name: 'Change: Platform is iOS' }).waitFor();
  await expect.poll(async () => (await rowsOf(page, /^Views/)).map((row) => row[0])).toEqual(['iOS']);
  await settled(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await barriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Filter', exact: true }).tap();
  await page.getByRole('dialog', { name: 'Filter this page' }).waitFor();
  await shoot(page, 'filter-phone');
  await context.close();
});
