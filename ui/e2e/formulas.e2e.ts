import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { look, openPage, shoot } from './browser';
import { admin, api, browser, focused, open, pickByKeys, rowsOf, server, shop, stage } from './stage';

stage({
  fill: () =>
    api.call('/i/bulk', {
      app_key: shop.key,
      requests: ['one', 'two', 'three', 'four'].map((who, i) => ({
        device_id: who,
        begin_session: 1,
        country_code: i < 3 ? 'DE' : 'FR',
        metrics: { _os: i % 2 === 0 ? 'iOS' : 'Android' },
        events: [{ key: 'Open' }, ...(i < 3 ? [{ key: 'Purchase', sum: 10 * (i + 1), dur: 30, segmentation: { plan: i === 0 ? 'pro' : 'free', price: 10 * (i + 1) } }] : [])],
      })),
    }),
});

const visit = (page: Page, query = '') => open(page, `/formulas${query}`, 'Formulas');
const editor = (page: Page) => page.getByRole('textbox', { name: 'Formula', exact: true });
const figure = (page: Page, name: RegExp) => page.locator('.figure', { hasText: name }).first();

/** Replaces the formula. */
async function write(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

test('a formula is written with completion, by the keyboard alone, drawn while one types, and kept', async () => {
  const { page } = admin;
  await visit(page);
  await page.getByRole('heading', { name: 'Write a formula' }).waitFor();
  await look(page, 'formulas-empty');
  await editor(page).focus();
  await page.keyboard.type('su');
  await page.locator('.cm-tooltip-autocomplete').getByText('sum', { exact: true }).waitFor();
  await page.waitForTimeout(150); // the list takes no key right after it was opened
  await page.keyboard.press('Enter');
  await page.locator('.cm-tooltip-autocomplete').getByText('Purchase', { exact: true }).waitFor();
  await page.keyboard.type('Pur');
  await expect.poll(() => page.locator('.cm-tooltip-autocomplete li[aria-selected]').textContent()).toContain('Purchase');
  await page.waitForTimeout(150);
  await page.keyboard.press('Enter');
  await expect.poll(() => editor(page).textContent()).toBe('sum("Purchase")');
  await page.keyboard.press('End');
  await page.keyboard.type(' / users()');
  await expect.poll(() => figure(page, /^Preview/).textContent()).toContain('15.00');
  await page.getByRole('combobox', { name: 'Shown as' }).focus();
  await pickByKeys(page, 'Currency');
  await expect.poll(() => figure(page, /^Preview/).textContent()).toContain('€15.00');
  expect(new URL(page.url()).searchParams.get('figure')).toBe('sum("Purchase") / users()');
  await page.getByRole('button', { name: 'Save', exact: true }).focus();
  await page.keyboard.press('Enter');
  await focused(page.getByRole('dialog', { name: 'Save formula' }).getByRole('textbox', { name: 'Name' }));
  await page.keyboard.type('Revenue per user');
  await page.keyboard.press('Enter');
  await page.getByText('The formula is saved.').waitFor();
  await page.getByRole('link', { name: 'Revenue per user' }).waitFor();
  await expect.poll(async () => (await rowsOf(page, 'Saved formulas'))[0]?.slice(0, 3)).toEqual(['Revenue per user', '€15.00', 'sum("Purchase") / users()']);
  expect(new URL(page.url()).searchParams.get('figure')).toBe(null);
  await look(page, 'formulas-saved');
});

test('what is wrong is underlined at its place, and said', async () => {
  const { page } = admin;
  await visit(page);
  await write(page, 'count("Open") + dur("Purchase")');
  await page.getByText('Seconds and numbers cannot be added or compared (character 15)').waitFor();
  expect(await page.locator('.code-wrong').textContent()).toBe('+');
  expect(await editor(page).getAttribute('aria-invalid')).toBe('true');
  await look(page, 'formulas-wrong');
  await page.getByRole('button', { name: 'Go to the error' }).click();
  await page.locator('.cm-editor.cm-focused').waitFor();
  await write(page, 'count("Open") + ');
  await page.locator('.code-wrong-end').waitFor();
  await write(page, 'dur("Purchase") / count("Purchase")');
  await expect.poll(() => page.locator('.code-wrong, .code-wrong-end').count()).toBe(0);
  await expect.poll(() => figure(page, /^Preview/).textContent()).toContain('30\u00a0s'); // seconds are shown as a duration
});

test('by mouse: an example, a breakdown, a filter, a comparison; shared, changed and deleted', async () => {
  const { page } = admin;
  await visit(page);
  await page.getByRole('button', { name: 'Events per session' }).click();
  await page.getByRole('button', { name: 'Insert a figure' }).click();
  await page.getByRole('menuitem', { name: /^median/ }).waitFor();
  await page.keyboard.press('Escape');
  await write(page, 'average("Purchase", "sg.price")');
  await expect.poll(() => figure(page, /^Preview/).textContent()).toContain('20.00');
  await page.getByRole('combobox', { name: 'Break down by' }).click();
  await page.getByRole('option', { name: 'plan' }).click();
  await expect.poll(() => figure(page, /^free/).textContent()).toContain('25.00');
  await expect.poll(() => figure(page, /^pro/).textContent()).toContain('10.00');
  await look(page, 'formulas-breakdown');
  await page.getByRole('group', { name: 'Legend' }).getByRole('button', { name: 'pro', exact: true }).click();
  await expect.poll(() => figure(page, /^Preview/).textContent()).toContain('10.00');
  expect(new URL(page.url()).searchParams.get('filter')).toContain('sg.plan');
  await visit(page, `?${new URLSearchParams({ figure: 'users("Purchase") / users()', tab: 'percent.0.', compare: 'previous' }).toString()}`);
  await expect.poll(() => figure(page, /^Preview/).textContent()).toMatch(/75%.*0%/);
  await page.getByRole('button', { name: 'About Preview' }).click();
  await page.getByText('mode=unsaved').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Save formula' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Buyers');
  await dialog.getByRole('radio', { name: 'Some members' }).check();
  expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await dialog.getByLabel('May see and change it').fill('anna@example.test');
  await page.keyboard.press('Enter');
  await shoot(page, 'formulas-share');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The formula is saved.').waitFor();
  await expect.poll(async () => (await rowsOf(page, 'Saved formulas')).find(([name]) => name === 'Buyers')?.[4]).toBe('Some members');
  // Changed by what its row offers, and found by the palette.
  await page.keyboard.press('ControlOrMeta+k');
  const palette = page.getByRole('combobox', { name: /^Find a page/ });
  await palette.waitFor();
  await expect.poll(() => palette.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.type('buyers');
  await page.getByRole('option', { name: /Buyers/ }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => editor(page).textContent()).toBe('users("Purchase") / users()');
  await page.getByRole('button', { name: 'Delete Buyers' }).click();
  await page.getByText('Not used by any task.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('The formula is deleted.').waitFor();
  await expect.poll(async () => (await rowsOf(page, 'Saved formulas')).length).toBe(1);
});

test('on a phone, in the dark and in German, the page fits', async () => {
  const storageState = await admin.context.storageState();
  const { page, context, faults } = await openPage(browser, server.url, { storageState, colorScheme: 'dark', viewport: { width: 390, height: 844 }, locale: 'de-DE' });
  await page.goto(`/dashboard/apps/${shop._id}/formulas?${new URLSearchParams({ figure: 'sum("Purchase") / users("Purchase")' }).toString()}`);
  await expect.poll(() => page.locator('.figure').first().textContent()).toContain('20,00');
  await shoot(page, 'formulas-phone');
  expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), 'scrolls sideways').toBe(false);
  expect(faults).toEqual([]);
  await context.close();
});
