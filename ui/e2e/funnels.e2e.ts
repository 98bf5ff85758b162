import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { look, openPage, shoot } from './browser';
import { admin, api, browser, open, pick, rowsOf, server, shop, stage } from './stage';

const ways: [person: string, plan: string, ...did: string[]][] = [
  ['one', 'pro', 'Product', 'Cart', 'Purchase'],
  ['two', 'pro', 'Product', 'Cart', 'Purchase'],
  ['three', 'free', 'Product', 'Cart'],
  ['four', 'free', 'Product'],
  ['five', 'free', 'Product'],
  ['six', 'free', 'Cart'],
];

const minute = 60_000;

stage({
  fill: () => {
    const begun = Date.now() - 30 * minute;
    return api.call('/i/bulk', {
      app_key: shop.key,
      requests: ways.map(([who, plan, ...did]) => ({
        device_id: who,
        timestamp: begun,
        begin_session: 1,
        user_details: { name: `Person ${who}`, custom: { plan } },
        events: did.map((key, i) => ({ key, timestamp: begun + i * minute, segmentation: { plan } })),
      })),
    });
  },
});

const visit = (page: Page, query = '') => open(page, `/funnels${query}`, 'Funnels');

const steps = (page: Page) => page.getByRole('list', { name: 'Steps of the funnel' }).getByRole('listitem');

test('without funnels, the page shows what one is', async () => {
  const { page } = admin;
  await visit(page);
  await page.getByText('No funnels yet').waitFor();
  await look(page, 'funnels-empty');
});

test('a first funnel begins with a path that people take often, by keyboard', async () => {
  const { page } = admin;
  const template = page.getByRole('button', { name: /^Product → Cart → Purchase/ });
  await template.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'New funnel' }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Product → Cart → Purchase');
  await page.getByRole('group', { name: 'Step 3' }).getByText('Purchase', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Save', exact: true }).isEnabled()).toBe(true);
  await look(page, 'funnels-template');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('No funnels yet').waitFor();
  await page.getByRole('button', { name: 'New funnel' }).click();
  await page.getByRole('button', { name: /^Product → Cart → Purchase/ }).click();
  await page.getByRole('group', { name: 'Step 3' }).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
});

test('a funnel is made, and shows how far people get and who was lost', async () => {
  const { page } = admin;
  await page.getByRole('button', { name: 'New funnel' }).click();
  await page.getByRole('heading', { level: 1, name: 'New funnel' }).waitFor();
  expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
  await page.getByRole('textbox', { name: 'Name' }).fill('Shopping');
  await pick(page, 'Events of step 1', 'Product');
  await pick(page, 'Events of step 2', 'Cart');
  await page.getByRole('button', { name: 'Add a step' }).click();
  await pick(page, 'Events of step 3', 'Cart');
  await page.getByText('An event can be in one step only: Cart').waitFor();
  await page.getByRole('button', { name: 'Remove step 3' }).click();
  await page.getByRole('button', { name: 'Add a step' }).click();
  await pick(page, 'Events of step 3', 'Purchase');
  await look(page, 'funnels-form');
  await page.getByRole('button', { name: 'Save', exact: true }).click();

  await page.getByRole('heading', { level: 1, name: 'Shopping' }).waitFor();
  await expect.poll(() => steps(page).count()).toBe(3);
  const [first = '', second = '', third = ''] = await steps(page).allTextContents();
  expect(first).toContain('100%');
  expect(first).toContain('5 users');
  expect(second).toContain('40% dropped off');
  expect(second).toContain('60%');
  expect(third).toContain('33.3% dropped off');
  expect(third).toContain('40%');
  expect(third).toContain('median 1\u00a0min');
  await page.getByText('2 of 5 users completed all 3 steps (40%).').waitFor();
  await page.getByText('Most drop off between “Product” and “Cart”: 2 users (40%).').waitFor();
  await page.getByRole('img', { name: /^Conversion over time/ }).waitFor();
  await look(page, 'funnel');

  await page.getByRole('img', { name: /^What they did instead, next event of users who dropped off between “Product” and “Cart”/ }).waitFor();
  await page.getByText('2 users reached “Product” but not “Cart”; 2 did nothing more in this period.').waitFor();
  await page.getByRole('button', { name: 'Find drivers' }).click();
  await page.getByText('Nothing to compare yet').waitFor();

  await page.getByRole('button', { name: '2 users who dropped off before step 2' }).click();
  const drawer = page.getByRole('dialog', { name: 'Reached 1. Product, not 2. Cart' });
  await drawer.getByRole('link', { name: 'Person four' }).waitFor();
  await drawer.getByRole('link', { name: 'Person five' }).waitFor();
  expect(await drawer.getByRole('link', { name: /^Person/ }).count()).toBe(2);
  await look(page, 'funnel-people');
  await page.keyboard.press('Escape');
});

test('a funnel is broken down and narrowed, and the address keeps it', async () => {
  const { page } = admin;
  const by = page.getByRole('combobox', { name: 'Break down by', exact: true });
  await by.click();
  await page.getByRole('option', { name: 'plan', exact: true }).first().click();
  const groups = async () => (await rowsOf(page, 'By plan')).map((row) => row.slice(0, 3));
  await expect.poll(groups).toEqual([['free', '0.0%', '3'], ['pro', '100.0%', '2']]);
  const spans = page.getByRole('list', { name: 'Conversion by plan, with intervals' }).getByRole('listitem');
  await expect.poll(() => spans.count()).toBe(2);
  expect(await spans.first().textContent()).toContain('no clear difference (p = 0.100)');
  await page.getByText('The groups do not differ by more than chance explains (p = 0.100).').waitFor();
  await look(page, 'funnel-by');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('button', { name: 'Condition', exact: true }).click();
  const value = page.getByRole('combobox', { name: 'plan: value' }).or(page.getByRole('textbox', { name: 'plan: value' })).first();
  await value.fill('pro');
  await page.keyboard.press('Enter');
  await page.getByText('2 of 2 users completed all 3 steps (100%).').waitFor();
  await page.reload();
  await page.getByText('2 of 2 users completed all 3 steps (100%).').waitFor();
  await page.getByRole('radiogroup', { name: /^Show as/ }).first().getByText('Table', { exact: true }).click();
  await expect.poll(async () => (await rowsOf(page, /^Steps/)).map((row) => row.slice(0, 3))).toEqual([['1. Product', '2', '100.0%'], ['2. Cart', '2', '100.0%'], ['3. Purchase', '2', '100.0%']]);
  await page.getByRole('button', { name: 'About Shopping' }).click();
  const about = page.getByRole('dialog', { name: 'About Shopping' });
  expect(await about.locator('pre').textContent()).toContain('filter={"sg.plan":{"$in":["pro"]}}');
  await look(page, 'funnel-about');
  await page.keyboard.press('Escape');
});

test('a funnel is changed and copied, by the keyboard alone', async () => {
  const { page } = admin;
  await visit(page);
  await page.getByRole('link', { name: 'Shopping' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Copy', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Copy of Shopping' }).waitFor();
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Any order');
  await page.getByRole('button', { name: 'Move step 2 up' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('radio', { name: /^One after the other/ }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  expect(await page.getByRole('radio', { name: /^In any order/ }).isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Add an event', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Excluded event 1', exact: true }).focus();
  await page.keyboard.type('Purchase');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Remove exclusion 1' }).focus();
  await page.keyboard.press('Enter');
  await name.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Any order' }).waitFor();
  await expect.poll(() => steps(page).count()).toBe(3);
  expect((await steps(page).allTextContents())[0]).toContain('Cart');
  await page.getByText('2 of 4 users completed all 3 steps (50%).').waitFor();
});

test('a funnel is deleted after a question', async () => {
  const { page } = admin;
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('The funnel is deleted.').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Funnels' }).waitFor();
  await expect.poll(async () => (await rowsOf(page, 'Funnels')).map((row) => row.slice(0, 2))).toEqual([['Shopping', 'Product → Cart → Purchase']]);
  await look(page, 'funnels');
});

test('dark, on a phone, in German', async () => {
  const storageState = await admin.context.storageState();
  const { page, context, faults } = await openPage(browser, server.url, { storageState, colorScheme: 'dark', viewport: { width: 390, height: 844 }, locale: 'de-DE' });
  await page.goto(`/dashboard/apps/${shop._id}/funnels`);
  await page.getByRole('link', { name: 'Shopping' }).click();
  await page.getByText('5 Nutzer, davon schlossen 2').waitFor();
  await shoot(page, 'funnel-phone');
  expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), 'scrolls sideways').toBe(false);
  await page.getByRole('button', { name: 'Bearbeiten' }).click();
  await page.getByRole('textbox', { name: 'Name' }).waitFor();
  await shoot(page, 'funnels-form-phone');
  expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), 'the form scrolls sideways').toBe(false);
  expect(faults).toEqual([]);
  await context.close();
});
