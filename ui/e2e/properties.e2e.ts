import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { look, openPage, shoot } from './browser';
import { admin, api, browser, open, rowsOf, server, shop, stage } from './stage';

stage({
  fill: () =>
    api.call('/i/bulk', {
      app_key: shop.key,
      requests: ['one', 'two', 'three', 'four'].map((who, i) => ({
        device_id: who,
        begin_session: 1,
        country_code: i < 3 ? 'DE' : 'FR',
        user_details: { custom: { tier: i === 0 ? 'gold' : 'basic' } },
        events: [
          { key: 'Purchase', segmentation: { plan: i === 0 ? 'pro' : 'free', price: 10 * (i + 1) } },
          { key: 'Refund', segmentation: { price: 5, reason: `reason ${i}` } },
        ],
      })),
    }),
});

const visit = (page: Page, query = '') => open(page, `/properties${query}`, 'Properties');
const rowOf = async (page: Page, name: string) => (await rowsOf(page, 'Properties')).find(([cell]) => cell?.startsWith(name));

test('properties are listed, searched, and shown with what is known of them', async () => {
  const { page } = admin;
  await visit(page, '?q=price');
  await expect.poll(() => rowOf(page, 'price')).toEqual(['pricesg.price', 'Purchase, Refund', 'Number', '–', 'Visible', 'Hide']);
  await visit(page);
  await page.getByRole('combobox', { name: 'Properties' }).click();
  await page.getByRole('option', { name: 'Of events' }).click();
  await expect.poll(async () => (await rowsOf(page, 'Properties')).map(([cell]) => cell)).toEqual(['plansg.plan', 'pricesg.price', 'reasonsg.reason']);
  await look(page, 'properties');
  await page.getByRole('button', { name: 'reason', exact: true }).click();
  const detail = page.getByRole('dialog', { name: 'reason' });
  await detail.getByText('reason 3').waitFor();
  await expect.poll(() => detail.locator('dl.fields').textContent()).toMatch(/PathTypeText|Pathsg\.reasonTypeTextDifferent values4Events with it4/);
  await detail.getByRole('searchbox', { name: 'Values' }).fill('N 2');
  await detail.getByText('1 value', { exact: true }).waitFor();
  expect(await detail.locator('.property-found li').allTextContents()).toEqual(['reason 2' + '1']); // and how often it came
  await look(page, 'property');
});

test('with the keyboard alone, a property is named and hidden, and offered so elsewhere', async () => {
  const { page } = admin;
  await visit(page, '?q=plan');
  await page.getByRole('button', { name: 'plan', exact: true }).focus();
  await page.keyboard.press('Enter');
  const detail = page.getByRole('dialog', { name: 'plan' });
  await detail.getByLabel('Name').focus();
  await page.keyboard.type('Subscription plan');
  await page.keyboard.press('Tab');
  await page.keyboard.type('What the customer pays for');
  await detail.getByRole('button', { name: 'Save' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('The property is saved.').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => rowOf(page, 'Subscription')).toEqual(['Subscription plansg.plan', 'Purchase', 'Text', 'What the customer pays for', 'Visible', 'Hide']);

  // Where one is chosen, it has its name; a hidden one is not offered, and keeps its name where it is in use.
  await open(page, `/trends?${new URLSearchParams({ events: '["Purchase"]' }).toString()}`, 'Trends');
  await page.getByRole('combobox', { name: 'Break down by' }).or(page.getByRole('textbox', { name: 'Break down by' })).first().click();
  await page.getByRole('option', { name: 'Subscription plan' }).waitFor();
  await visit(page, '?q=plan');
  await page.getByRole('button', { name: 'Hide Subscription plan' }).click();
  await page.getByText('Subscription plan is no longer offered.').waitFor();
  await expect.poll(async () => (await rowOf(page, 'Subscription'))?.[4]).toBe('Hidden');
  await visit(page, '?q=Country');
  await page.getByRole('button', { name: 'Hide Country' }).click();
  await page.getByText('Country is no longer offered.').waitFor();
  await open(page, `/trends?${new URLSearchParams({ events: '["Purchase"]' }).toString()}`, 'Trends');
  await page.getByRole('combobox', { name: 'Break down by' }).or(page.getByRole('textbox', { name: 'Break down by' })).first().click();
  await page.getByRole('option', { name: 'price' }).waitFor();
  expect(await page.getByRole('option', { name: 'Subscription plan' }).count()).toBe(0);
  expect(await page.getByRole('option', { name: 'Country', exact: true }).count()).toBe(0);
  await open(page, `/trends?${new URLSearchParams({ events: '["Purchase"]', segment: '["sg.plan"]' }).toString()}`, 'Trends');
  await page.getByRole('region', { name: 'Purchase by Subscription plan' }).waitFor();
});

test('on a phone, in the dark and in German, the page fits', async () => {
  const storageState = await admin.context.storageState();
  const { page, context, faults } = await openPage(browser, server.url, { storageState, colorScheme: 'dark', viewport: { width: 390, height: 844 }, locale: 'de-DE' });
  await page.goto(`/dashboard/apps/${shop._id}/properties`);
  await page.getByRole('table', { name: 'Eigenschaften' }).waitFor();
  await shoot(page, 'properties-phone');
  expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), 'scrolls sideways').toBe(false);
  await page.goto(`/dashboard/apps/${shop._id}/properties?open=sg.reason`);
  await page.getByText('reason 3').waitFor();
  await shoot(page, 'property-phone');
  expect(faults).toEqual([]);
  await context.close();
});
