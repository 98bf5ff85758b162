import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { look, openPage, shoot } from './browser';
import { admin, api, browser, choose, open, pickByKeys, rowsOf, server, shop, stage } from './stage';

const sold: [person: string, article: string, price: number, ...more: string[]][] = [
  ['one', 'tea', 4, 'Refund'],
  ['two', 'tea', 6],
  ['three', 'milk', 1],
  ['three', 'milk', 2],
];

stage({
  permissions: ['clipboard-read', 'clipboard-write'],
  fill: () =>
    api.call('/i/bulk', {
      app_key: shop.key,
      requests: sold.map(([who, article, price, ...more]) => ({
        device_id: who,
        timestamp: Date.now(),
        begin_session: 1,
        user_details: { name: `Person ${who}` },
        events: [{ key: 'Purchase', sum: price, segmentation: { article, price } }, ...more.map((key) => ({ key }))],
      })),
    }),
});

const visit = (page: Page, query = '') => open(page, `/trends${query}`, 'Trends');

const chart = (page: Page, name: string | RegExp) => page.getByRole('img', { name });

test('a report is built live, and going back undoes it', async () => {
  const { page } = admin;
  await visit(page);
  await page.getByText('Choose an event').waitFor();
  const label = page.getByRole('button', { name: 'Purchase', exact: true }).locator('.mantine-Button-label');
  expect(await label.evaluate((element) => element.scrollHeight - element.clientHeight), 'what is cut below the line').toBeLessThanOrEqual(0);
  await look(page, 'trends-begin');
  await page.getByRole('button', { name: 'Purchase', exact: true }).click();
  await page.getByText('Purchase: 4 (Count, Last 30 days)').waitFor();
  await chart(page, /^Purchase, Count, /).locator('canvas').waitFor();
  await look(page, 'trends');

  await choose(page, 'Figure', 'Users');
  await page.getByText('Purchase: 3 (Users, Last 30 days)').waitFor();
  await choose(page, 'Figure', 'Median of');
  await page.getByText('Purchase: 2 (Median of price, Last 30 days)').waitFor();
  await choose(page, 'Of', 'Sum sent');
  await page.getByText('Purchase: 2 (Median of Sum sent, Last 30 days)').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Purchase: 3 (Users, Last 30 days)').waitFor();
  await page.goBack();
  await page.getByText('Purchase: 4 (Count, Last 30 days)').waitFor();

  await choose(page, 'Break down by', 'article');
  await page.keyboard.press('Escape');
  await page.getByText('tea: 2 (Count, Last 30 days)').waitFor();
  const groups = async () => (await rowsOf(page, 'Purchase by article')).map((row) => row.slice(0, 5));
  await expect.poll(groups).toEqual([['milk', '2', '1', '2', '3'], ['tea', '2', '2', '1', '10']]);
  await choose(page, 'Picture', 'Stacked bars');
  await chart(page, /^Purchase, Count, /).locator('canvas').waitFor();
  await look(page, 'trends-by');
  await page.getByRole('button', { name: 'Condition', exact: true }).click();
  await page.getByRole('combobox', { name: 'article: value' }).or(page.getByRole('textbox', { name: 'article: value' })).first().fill('tea');
  await page.keyboard.press('Enter');
  await expect.poll(groups).toEqual([['tea', '2', '2', '1', '10']]);
});

test('the address holds all of it, with the people and the query behind the figures', async () => {
  const { page } = admin;
  await page.reload();
  await page.getByText('tea: 2 (Count, Last 30 days)').waitFor();
  await page.getByRole('button', { name: 'Copy link to this view' }).click();
  await page.getByText('The link to this view is copied.').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
  await page.getByRole('button', { name: 'Users: Purchase' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Person two' }).waitFor();
  expect((await rowsOf(page, 'Users: Purchase')).map((row) => row.slice(0, 2)).sort()).toEqual([['Person one', '1'], ['Person two', '1']]);
  await look(page, 'trends-people');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'About Purchase' }).click();
  const about = page.getByRole('dialog', { name: 'About Purchase' });
  expect(await about.locator('pre').textContent()).toContain('queryObject={"sg.article":{"$in":["tea"]}}');
  await about.getByText('article is tea').waitFor();
  await look(page, 'trends-about');
  await page.keyboard.press('Escape');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV: Purchase', exact: true }).or(page.getByRole('button', { name: /CSV.*Purchase$/ })).first().click();
  expect((await saved).suggestedFilename()).toMatch(/^Purchase Count .*\.csv$/);
});

test('a report is saved, opened, renamed and deleted', async () => {
  const { page } = admin;
  await page.getByRole('button', { name: 'Save report' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Tea');
  await dialog.getByRole('radio', { name: 'Everyone' }).click();
  await look(page, 'trends-save');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The report is saved.').waitFor();
  await visit(page);
  await page.getByRole('link', { name: 'Tea', exact: true }).click();
  await page.getByText('tea: 2 (Count, Last 30 days)').waitFor();
  expect(await page.getByRole('combobox', { name: 'Picture' }).inputValue()).toBe('Stacked bars');
  await page.getByRole('button', { name: 'Edit Tea' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Green tea');
  await dialog.getByRole('radio', { name: 'Some members' }).click();
  expect(await dialog.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
  await dialog.getByLabel('May see it').fill('anna@example.test');
  await page.keyboard.press('Enter');
  await look(page, 'trends-share');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  const reports = async () => (await rowsOf(page, 'Saved reports')).map((row) => row.slice(0, 3));
  await expect.poll(reports).toEqual([['Green tea', 'Purchase', 'Some members']]);
  await page.getByRole('button', { name: 'Edit Green tea' }).click();
  await dialog.getByText('anna@example.test').waitFor();
  await dialog.getByRole('radio', { name: 'Only me' }).click();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(reports).toEqual([['Green tea', 'Purchase', 'Only me']]);
  await page.getByRole('link', { name: 'Green tea' }).click();
  await page.getByText('tea: 2 (Count, Last 30 days)').waitFor();
  await page.getByRole('button', { name: 'Delete Green tea' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Saved reports appear here.').waitFor();
});

test('a report is built by the keyboard alone, and read as a table and as a number', async () => {
  const { page } = admin;
  await visit(page, '?period=7days');
  await page.getByRole('combobox', { name: 'Events', exact: true }).focus();
  await pickByKeys(page, 'Purchase', 'Purch');
  await page.keyboard.press('Escape');
  await page.getByText('Purchase: 4 (Count, Last 7 days)').waitFor();
  await page.getByRole('combobox', { name: 'Events', exact: true }).focus();
  await pickByKeys(page, 'Refund', 'Refund');
  await page.keyboard.press('Escape');
  await page.getByText('Refund: 1 (Count, Last 7 days)').waitFor();
  await page.getByRole('radiogroup', { name: /Purchase, Refund/ }).getByRole('radio', { name: 'Chart' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(async () => (await rowsOf(page, /^Purchase, Refund, Count/)).at(-1)?.slice(1)).toEqual(['4', '1']);
  await look(page, 'trends-table');
  await page.getByRole('combobox', { name: 'Picture' }).focus();
  await pickByKeys(page, 'Area');
  await page.waitForURL(/tab=/);
  await visit(page, '?events=["Purchase"]&tab=number&compare=previous');
  await page.getByRole('definition').getByText('4', { exact: true }).waitFor();
  await page.getByText('from 0').first().waitFor();
  await look(page, 'trends-number');
});

test('a pie, a heat map, a ratio, and a comparison inside a breakdown', async () => {
  const { page } = admin;
  await visit(page, '?events=["Purchase"]&segment=sg.article&tab=pie');
  await chart(page, /^Purchase, Count, /).locator('canvas').first().waitFor();
  await look(page, 'trends-pie');
  await choose(page, 'Picture', 'Heat map');
  await page.waitForURL(/tab=heat/);
  await chart(page, /^Purchase, Count, /).locator('canvas').first().waitFor();
  await look(page, 'trends-heat');

  await visit(page, '?events=["Refund"]');
  await page.getByText('Refund: 1 (Count, Last 30 days)').waitFor();
  await choose(page, 'Figure', 'Users divided by those of');
  await choose(page, 'Divided by', 'Purchase');
  await page.getByText('Refund: 33.3% (Users divided by those of Purchase, Last 30 days)').waitFor();
  await choose(page, 'Figure', 'Count divided by that of');
  await page.getByText('Refund: 0.25 (Count divided by that of Purchase, Last 30 days)').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Refund: 33.3%').waitFor();

  await visit(page, '?events=["Purchase"]&segment=sg.article&compare=previous');
  await page.getByText('tea: 2 (Count, Last 30 days) (from 0)').waitFor();
  await page.getByRole('button', { name: 'tea, before' }).waitFor();
  expect((await rowsOf(page, 'Purchase by article')).map((row) => row.at(-1))).toEqual(['0', '0']);
  await look(page, 'trends-before');
});

test('a line is filtered by from the legend, the table and a point, by keys and mouse', async () => {
  const { page } = admin;
  await visit(page, '?events=["Purchase"]&segment=sg.article');
  const groups = async () => (await rowsOf(page, 'Purchase by article')).map((row) => row[0]);
  await expect.poll(groups).toEqual(['milk', 'tea']);
  const legend = page.getByRole('group', { name: 'Legend' });
  await legend.getByRole('button', { name: 'Show milk', pressed: true }).focus();
  await page.keyboard.press('Space');
  await legend.getByRole('button', { name: 'Show milk', pressed: false }).waitFor();
  await look(page, 'trends-legend');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter'); // the name of tea
  await expect.poll(groups).toEqual(['tea']);
  expect(JSON.parse(new URL(page.url()).searchParams.get('filter') ?? '')).toBe('{"sg.article":{"$in":["tea"]}}');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(groups).toEqual(['milk', 'tea']);

  const points = page.getByRole('slider', { name: /Purchase/ });
  await points.focus();
  await expect.poll(() => points.press('End').then(() => points.getAttribute('aria-valuetext'))).toContain('tea 2');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Filter by tea' }).click();
  await expect.poll(groups).toEqual(['tea']);
  await page.getByRole('cell', { name: 'tea', exact: true }).getByRole('button', { name: 'tea' }).click();
  await expect.poll(groups).toEqual(['milk', 'tea']);
});

test('the people of one point, the answer as JSON, and the same events as a funnel', async () => {
  const { page } = admin;
  await visit(page, '?events=["Purchase","Refund"]');
  await page.getByText('Refund: 1 (Count, Last 30 days)').waitFor();
  const keys = page.getByRole('slider', { name: /Purchase, Refund/ });
  await keys.focus();
  await expect.poll(() => keys.getAttribute('aria-valuetext')).toMatch(/Purchase \d/);
  await page.keyboard.press('End');
  await expect.poll(() => keys.getAttribute('aria-valuetext')).toMatch(/Purchase 4, Refund 1/);
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Users: Refund' }).click();
  const people = page.getByRole('dialog', { name: /^Users: Refund, / });
  await people.getByRole('link', { name: 'Person one' }).waitFor();
  expect(await people.getByRole('link').count()).toBe(1);
  await look(page, 'trends-people-point');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'About Purchase, Refund' }).click();
  const about = page.getByRole('dialog', { name: 'About Purchase, Refund' });
  await about.getByRole('button', { name: 'Show the answer as JSON' }).click();
  await about.getByRole('region', { name: 'The answer as JSON' }).getByText('"totals"').waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Open as funnel' }).click();
  await page.getByRole('heading', { level: 1, name: 'New funnel' }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Purchase → Refund');
  await page.getByRole('button', { name: 'Save', exact: true }).or(page.getByRole('button', { name: /^Save/ })).first().click();
  await page.getByRole('heading', { level: 1, name: 'Purchase → Refund' }).waitFor();
});

test('days are those of the app, of who looks, or of each person', async () => {
  const { page } = admin;
  await visit(page, '?events=["Purchase"]');
  await page.getByText('Purchase: 4 (Count, Last 30 days)').waitFor();
  const asked = page.waitForRequest((r) => /timezone=user\b/.test(`${r.url()} ${r.postData() ?? ''}`));
  await choose(page, 'Days of', 'each user');
  await asked;
  await page.getByText('Purchase: 4 (Count, Last 30 days)').waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get('only')).toContain('user');
  await look(page, 'trends-days');
});

test('dark, on a phone, in German', async () => {
  const storageState = await admin.context.storageState();
  const { page, context, faults } = await openPage(browser, server.url, { storageState, colorScheme: 'dark', viewport: { width: 390, height: 844 }, locale: 'de-DE' });
  await page.goto(`/dashboard/apps/${shop._id}/trends?events=["Purchase"]&segment=sg.article&compare=previous`);
  await page.getByText('tea: 2 (Anzahl').waitFor();
  await shoot(page, 'trends-phone');
  expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), 'scrolls sideways').toBe(false);
  expect(faults).toEqual([]);
  await context.close();
});
