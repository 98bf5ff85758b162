import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { look, openPage, shoot } from './browser';
import { admin, api, browser, open, rowsOf, server, shop, stage } from './stage';

stage({
  fill: () =>
    api.call('/i/bulk', {
      app_key: shop.key,
      requests: ['one', 'two', 'three'].flatMap((who, i) => [
        { device_id: who, begin_session: 1, country_code: i === 0 ? 'DE' : 'FR', events: [{ key: 'Open' }, ...(i < 2 ? [{ key: 'Purchase', sum: 10 * (i + 1), segmentation: { plan: 'pro' } }] : [])] },
      ]),
    }),
});

const visit = (page: Page, query = '') => open(page, `/sql${query}`, 'SQL');
const editor = (page: Page) => page.getByRole('textbox', { name: 'Statement' });

/** Replaces the statement. */
async function write(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

test('a statement is written with the keyboard, run, drawn, saved and opened again', async () => {
  const { page } = admin;
  await visit(page);
  await page.getByTitle('Insert event', { exact: true }).waitFor();
  await write(page, 'SELECT event, count(*) AS times FROM events WHERE event IN (\'Open\', \'Purchase\') GROUP BY ALL ORDER BY times DESC');
  await page.keyboard.press('ControlOrMeta+Enter');
  await page.getByText('2 rows; ').waitFor();
  expect(await rowsOf(page, 'Result')).toEqual([
    ['Open', '3'],
    ['Purchase', '2'],
  ]);
  await look(page, 'sql-table');
  await page.getByRole('radiogroup', { name: 'Show the result as' }).getByText('Bars').click();
  await page.getByRole('img', { name: /^Result, times/ }).waitFor();
  await look(page, 'sql-bars');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Events by name');
  await page.getByRole('radio', { name: /^Everyone/ }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('The query is saved').waitFor();
  await page.getByRole('button', { name: 'Events by name', exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('open')).toMatch(/^[0-9a-f]{24}$/);
  await write(page, 'SELECT 1 AS one');
  await page.getByRole('button', { name: 'Events by name', exact: true }).click();
  await expect.poll(() => editor(page).textContent()).toContain('ORDER BY times DESC');
});

test('a mistake is shown with its place, and what is not permitted is refused', async () => {
  const { page } = admin;
  await visit(page);
  await write(page, 'SELECT event\nFROM events WHRE x');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('button', { name: 'Go to the error' }).click();
  await page.locator('.cm-editor.cm-focused').waitFor();
  await write(page, "SELECT * FROM read_csv('/etc/passwd')");
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText(/not allowed|not permitted|may not/i).first().waitFor();
  await look(page, 'sql-refused');
  expect(admin.faults.splice(0)).toEqual([expect.stringMatching(/400.*WHRE/), expect.stringMatching(/400.*read_csv/)]);
});

test('columns are found and inserted, and completed while one types', async () => {
  const { page } = admin;
  await visit(page);
  await page.getByRole('textbox', { name: 'Search columns' }).fill('plan');
  await write(page, 'SELECT ');
  await page.getByTitle('Insert plan', { exact: true }).click();
  await page.keyboard.type(' FROM eve');
  await page.locator('.cm-tooltip-autocomplete').getByText('events', { exact: true }).click();
  await expect.poll(() => editor(page).textContent()).toMatch(/SELECT plan FROM events/);
});

test('on a phone, in the dark and in German, the page fits', async () => {
  const storageState = await admin.context.storageState();
  const { page, context, faults } = await openPage(browser, server.url, { storageState, colorScheme: 'dark', viewport: { width: 390, height: 844 }, locale: 'de-DE' });
  await page.goto(`/dashboard/apps/${shop._id}/sql`);
  await page.getByRole('button', { name: 'Ausführen' }).click();
  await page.getByText(/Zeilen in \d+ ms gelesen/).waitFor();
  await page.getByRole('region', { name: 'Sichten und ihre Spalten' }).getByText('ganze Zahl').first().waitFor();
  await shoot(page, 'sql-phone');
  expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), 'scrolls sideways').toBe(false);
  expect(faults).toEqual([]);
  await context.close();
});
