import { expect, test } from 'vitest';
import { look, openPage } from './browser';
import { admin, api, browser, open, rowsOf, server, shop, stage } from './stage';

const minute = 60_000;
const error = (n: number) => `IllegalStateException: order ${n}\n\tat com.shop.Cart.pay(Cart.java:${n})\n\tat android.view.View.performClick(View.java:${n})`;

stage({ app: { type: 'mobile' } });

test('rules are previewed, applied and taken back', async () => {
  const { page } = admin;
  await api.call('/i/bulk', {
    app_key: shop.key,
    requests: [1, 2, 3].map((n) => ({ device_id: `d${n}`, timestamp: Date.now() - (5 - n) * minute, crash: { _error: error(n), _os: 'Android', _app_version: '2.0' } })),
  });
  await open(page, '/crashes', 'Crashes');
  await expect.poll(async () => (await rowsOf(page, 'Crash groups')).length).toBe(3);
  await page.getByRole('link', { name: 'Rules', exact: true }).click();
  await page.getByRole('heading', { name: 'Crash rules' }).waitFor();
  await page.getByRole('combobox', { name: 'Compare' }).click();
  await page.getByRole('option', { name: "Type and the app's own frames" }).click();
  expect(await page.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Preview' }).click();
  const changed = page.getByRole('list', { name: 'Groups that change' });
  await changed.getByText('3 reports from 3 groups').waitFor();
  await look(page, 'crash-rules-preview');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('The rules are applied.').first().waitFor();
  await open(page, '/crashes', 'Crashes');
  await expect.poll(async () => (await rowsOf(page, 'Crash groups')).length).toBe(1);
});

test('rules are written by keyboard', async () => {
  const { page } = admin;
  await open(page, '/crash-rules', 'Crash rules');
  await page.getByRole('button', { name: 'Add group rule' }).focus();
  await page.keyboard.press('Enter');
  const rule = page.getByRole('group', { name: 'Group rule 1' });
  await rule.getByRole('textbox', { name: /^Pattern/ }).focus();
  await page.keyboard.type('*State*');
  await rule.getByRole('textbox', { name: 'Part 1' }).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('{{message}}, and more');
  await page.getByRole('button', { name: 'Preview' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('New group of 1 report').first().waitFor();
  await look(page, 'crash-rules-editor');
  await page.getByRole('button', { name: 'Apply' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('The rules are applied.').first().waitFor();
  await open(page, '/crashes', 'Crashes');
  await expect.poll(async () => (await rowsOf(page, 'Crash groups')).length).toBe(3);
});

test('groups are merged in the list, and split on their page', async () => {
  const { page } = admin;
  await open(page, '/crashes', 'Crashes');
  await expect.poll(async () => (await rowsOf(page, 'Crash groups')).length).toBe(3);
  const picks = page.getByRole('table', { name: 'Crash groups' }).getByRole('checkbox');
  await picks.nth(0).check();
  await picks.nth(1).check();
  await page.getByRole('button', { name: 'Merge', exact: true }).click();
  await expect.poll(async () => (await rowsOf(page, 'Crash groups')).length).toBe(2);
  await page.getByRole('group', { name: 'Crash groups' }).getByRole('link', { name: /order 2/ }).click();
  const parts = page.getByRole('region', { name: '2 variants' });
  await parts.getByRole('checkbox').nth(0).check();
  await look(page, 'crash-variants');
  await parts.getByRole('button', { name: 'Split off' }).click();
  await page.getByText('The variants now form their own group.').first().waitFor();
  await open(page, '/crashes', 'Crashes');
  await expect.poll(async () => (await rowsOf(page, 'Crash groups')).length).toBe(3);
});

test('the search has room beside the buttons, in German too', async () => {
  const storageState = await admin.context.storageState();
  const { page, context, faults } = await openPage(browser, server.url, { storageState, locale: 'de-DE' });
  await open(page, '/crashes', 'Abstürze');
  const field = page.getByRole('region', { name: 'Absturzgruppen' }).locator('.table-search');
  await field.waitFor();
  expect((await field.boundingBox())?.width).toBeGreaterThan(120);
  expect(faults).toEqual([]);
  await context.close();
});
