import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { linkTo, look, openPage, pagesOf, settled, shoot } from './browser';
import { admin, api, browser, open, server, shop, stage } from './stage';

stage({
  fill: async () => {
    await api.call('/i/bulk', {
      app_key: shop.key,
      requests: ['one', 'two'].map((who) => ({
        device_id: `device-${who}`,
        timestamp: Date.now(),
        begin_session: 1,
        user_details: { name: `Person ${who}`, email: `${who}@example.test` },
        events: [{ key: 'Purchase', sum: 3, segmentation: { article: 'tea' } }],
      })),
    });
    const bookmark = { event_key: 'Purchase', name: 'Tea sales', desc: '', global: 'false', query_obj: '{}', query_text: '', by_val: '["sg.article"]', by_val_text: 'article', visualization: '{"tab":"bar","period":"7days"}' };
    await api.call('/i/drill/add_bookmark', { app_id: shop._id, ...bookmark });
    await api.call('/i/funnels/add', { app_id: shop._id, funnel_name: 'Way to pay', funnel_type: 'session-independent', steps: ['[CLY]_session', 'Purchase'], queries: ['{}', '{}'], queryTexts: ['', ''] });
    await api.call('/i/sql/save', { app_id: shop._id, name: 'Last buyers', sql: 'SELECT 1', period: '30days', chart: 'table', shared: 'false' });
    await api.call('/i/explore/views/save', { app_id: shop._id, name: 'Weekly habit', page: 'retention', state: 'period=90days', shared: 'false' });
  },
});

const menu = (page: Page) => page.getByRole('navigation', { name: 'Areas' });
const group = (page: Page, name: string) => menu(page).getByRole('group', { name, exact: true });
const pagesIn = (page: Page, name: string) => group(page, name).getByRole('link').allTextContents();

test('the menu is folded: one area is open, and about twelve pages are in sight', async () => {
  const { page } = admin;
  await open(page, '');
  const all = await pagesOf(page);
  expect(all.length).toBeGreaterThan(40);
  expect(new Set(all).size).toBe(all.length);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  for (const path of ['', '/trends', '/countries', '/export', '/manage/audit', '/technology']) {
    await open(page, path);
    const [current] = await menu(page).locator('[aria-current=page]').all();
    expect(await current?.isVisible(), path).toBe(true);
    expect(await menu(page).getByRole('link').count(), path).toBeLessThanOrEqual(13);
    await expect.poll(() => menu(page).locator('button[aria-expanded=true]').count(), { message: path }).toBe(1);
  }
  await look(page, 'menu');
});

test('pages opened last and favourites lead the menu, for this member in this browser', async () => {
  const { page } = admin;
  await open(page, '/trends');
  await open(page, '/manage/members');
  await open(page, '');
  expect(await pagesIn(page, 'Recent')).toEqual(['Members', 'Trends', 'Devices and systems']);
  await group(page, 'Recent').getByRole('link', { name: 'Trends' }).hover();
  await group(page, 'Recent').getByRole('button', { name: 'Favourite: Trends' }).click();
  await expect.poll(() => pagesIn(page, 'Favourites')).toEqual(['Trends']);
  expect(await pagesIn(page, 'Recent')).not.toContain('Trends');
  await page.reload();
  await expect.poll(() => pagesIn(page, 'Favourites')).toEqual(['Trends']);
  await group(page, 'Favourites').getByRole('link', { name: 'Trends' }).click();
  await page.getByRole('heading', { level: 1, name: 'Trends' }).waitFor();
  await expect.poll(() => pagesIn(page, 'Analysis')).toContain('Funnels');
  await settled(page);
  await look(page, 'menu-favourites');
});

test('the menu is worked by the keyboard alone', async () => {
  const { page } = admin;
  await open(page, '');
  const server = menu(page).getByRole('button', { name: 'Server', exact: true });
  await server.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => server.getAttribute('aria-expanded')).toBe('true');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  const star = page.locator(':focus');
  expect(await star.getAttribute('aria-label')).toMatch(/^Favourite: /);
  await page.keyboard.press('Space');
  await expect.poll(async () => (await pagesIn(page, 'Favourites')).length).toBe(2);
  expect(await star.getAttribute('aria-pressed')).toBe('true');
  await page.keyboard.press('Space');
  await expect.poll(() => pagesIn(page, 'Favourites')).toEqual(['Trends']);
  await (await linkTo(page, 'Audit log')).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
});

const field = (page: Page) => page.getByRole('combobox', { name: /^Find a page/ });

test('the palette finds people and what is saved', async () => {
  const { page } = admin;
  await open(page, '');
  const want = async (text: string, option: RegExp, heading: string) => {
    await page.keyboard.press('Control+k');
    await field(page).fill(text);
    await page.getByRole('option', { name: option }).first().waitFor();
    await expect.poll(() => page.getByRole('option').first().innerText(), { message: text }).toMatch(option);
    if (text === 'person tw') await look(page, 'palette-people');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  };
  await want('person tw', /Person two \(two@example\.test\)\s*User/, 'Person two');
  await want('one@example', /Person one/, 'Person one');
  await want('device-two', /Person two/, 'Person two');
  await want('tea sa', /Tea sales\s*Report/, 'Trends');
  await page.getByText('tea: 2 (Count, Last 7 days)').waitFor();
  await want('way to', /Way to pay\s*Funnel/, 'Way to pay');
  await want('last bu', /Last buyers\s*SQL query/, 'SQL');
  await want('densit', /^Densities\s*Page/, 'Devices and systems');
  await page.getByRole('tab', { name: 'Densities', selected: true }).waitFor();
  await want('weekly', /Weekly habit\s*Saved view/, 'Retention');
  expect(new URL(page.url()).searchParams.get('period')).toBe('90days');
  await page.keyboard.press('Control+k');
  await field(page).fill('nobody at all zz');
  await page.getByText('No results').waitFor();
  await page.keyboard.press('Escape');
});

test('on a phone, dark and in German, the menu and its stars are at hand', async () => {
  const storageState = await admin.context.storageState();
  const { page, context, faults } = await openPage(browser, server.url, { storageState, colorScheme: 'dark', viewport: { width: 390, height: 844 }, locale: 'de-DE', hasTouch: true, isMobile: true });
  await page.goto(`/dashboard/apps/${shop._id}/funnels`);
  await page.getByRole('button', { name: 'Menü' }).click();
  const areas = page.getByRole('navigation', { name: 'Bereiche' });
  await areas.getByRole('group', { name: 'Favoriten' }).getByRole('link', { name: 'Trends' }).waitFor();
  await areas.getByRole('button', { name: 'Favorit: Funnels' }).first().tap();
  await areas.getByRole('group', { name: 'Favoriten' }).getByRole('link', { name: 'Funnels' }).waitFor();
  await shoot(page, 'menu-phone');
  await areas.getByRole('group', { name: 'Favoriten' }).getByRole('link', { name: 'Trends' }).tap();
  await page.getByRole('heading', { level: 1, name: 'Trends' }).waitFor();
  expect(faults).toEqual([]);
  await context.close();
});
