import { expect, test } from 'vitest';
import { look } from './browser';
import { admin, api, open, pickByKeys, rowsOf, shop, stage } from './stage';

stage({
  fill: () =>
    api.call('/i/bulk', {
      app_key: shop.key,
      requests: ['ana', 'ben', 'cleo'].flatMap((who, i) => [
        { device_id: who, begin_session: 1, timestamp: Date.now() - 60_000, ip_address: '127.0.0.1' },
        { device_id: who, timestamp: Date.now() - 30_000, events: [{ key: i === 0 ? 'pay' : 'purchase', count: 1, segmentation: { plan: i === 2 ? 'free' : 'pro' } }] },
      ]),
    }),
});

test('a name for two events is made by the keyboard alone and stands where events are chosen', async () => {
  const { page } = admin;
  await open(page, '/event-settings?tab=defined', 'Manage events');
  await page.getByRole('button', { name: 'New defined event' }).press('Enter');
  const form = page.getByRole('dialog', { name: 'New defined event' });
  await form.getByRole('textbox', { name: 'Name', exact: false }).first().fill('Checkout');
  const choose = async (label: string, key: string) => {
    const field = form.getByRole('combobox', { name: label, exact: true });
    await field.focus();
    await pickByKeys(page, key, key);
    await page.keyboard.press('Escape');
  };
  await choose('Event', 'pay');
  await form.getByRole('button', { name: 'or another event' }).press('Enter');
  await choose('or event 2', 'purchase');
  await form.getByText('In the last 30 days: 3 times, by 3 users.').waitFor();
  await look(page, 'defined-form');
  await form.getByRole('button', { name: 'Save' }).press('Enter');
  await form.waitFor({ state: 'detached' });
  await expect.poll(async () => (await rowsOf(page, 'Defined events')).map((row) => row.slice(0, 2))).toEqual([['Checkout', 'pay, purchase']]);
  await look(page, 'defined-list');

  await open(page, '/trends', 'Trends');
  await page.getByRole('combobox', { name: 'Events' }).first().click();
  await page.getByRole('option', { name: 'Checkout', exact: true }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('img', { name: /Checkout/ }).first().waitFor();
});

test('what uses a definition is said before it is changed or deleted', async () => {
  const { page } = admin;
  const [defined] = await api.call<{ _id: string }[]>('/o/defined_events', { app_id: shop._id });
  await api.call('/i/funnels/add', { app_id: shop._id, funnel_name: 'Way', funnel_type: 'session-independent', steps: JSON.stringify(['pay', defined?._id]) });
  await open(page, '/event-settings?tab=defined', 'Manage events');
  await page.getByRole('button', { name: 'Edit Checkout' }).click();
  const form = page.getByRole('dialog', { name: 'Change defined event' });
  await form.getByText('Funnel: Way').waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, 'defined-change-phone');
  await page.setViewportSize({ width: 1280, height: 800 });
  await form.getByRole('button', { name: 'Close' }).click();
  await form.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Delete Checkout' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete defined event' });
  await dialog.getByText('Funnel: Way').waitFor();
  await look(page, 'defined-delete');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No defined events yet.').waitFor();
});
