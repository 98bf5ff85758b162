import { expect, test } from 'vitest';
import { look } from './browser';
import { admin, api, open, rowsOf, shop, stage } from './stage';

const day = 24 * 3600_000;

stage({
  fill: () => {
    const now = Date.now();
    const visit = (who: string, ago: number, plan: string, more: object = {}) => ({
      device_id: who,
      timestamp: now - ago,
      begin_session: 1,
      session_duration: 90,
      end_session: 1,
      country_code: 'DE',
      metrics: { _os: 'iOS', _os_version: '17.2', _app_version: '1.0' },
      user_details: { name: `Person ${who}`, custom: { plan } },
      ...more,
    });
    const many = Array.from({ length: 80 }, (_, i) => ({ key: 'Look', timestamp: now - 5 * day + i * 1000 }));
    return api.call('/i/bulk', {
      app_key: shop.key,
      requests: [
        visit('anna', 6 * day, 'free', { events: many }),
        visit('anna', 3 * day, 'pro', { events: [{ key: 'Buy', timestamp: now - 3 * day, segmentation: { what: 'Green tea' } }], consent: { events: true, push: false } }),
        visit('bert', 2 * day, 'pro'),
        visit('carl', day, 'free'),
      ],
    });
  },
});

test('a profile shows what a person did and when properties changed', async () => {
  const { page } = admin;
  await open(page, '/profiles', 'Profiles');
  await page.getByRole('link', { name: 'Person anna' }).click();
  await page.getByRole('heading', { level: 1, name: 'Person anna' }).waitFor();
  await page.getByRole('list', { name: 'Property history' }).getByText('plan: free → pro').waitFor();
  await expect.poll(async () => (await rowsOf(page, 'Sessions')).length).toBe(2);
  await page.getByText(/^Active on 3 days: sessions 2, events 81/).waitFor();
  await page.getByText('Not given').waitFor();
  await page.getByRole('region', { name: 'Timeline' }).getByText('Consent', { exact: true }).waitFor();
  expect(await page.getByRole('region', { name: 'Timeline' }).getByText(/_type/).count()).toBe(0);
  await look(page, 'profile');
});

test('the timeline is narrowed, and goes on while one scrolls', async () => {
  const { page } = admin;
  const rows = page.getByRole('region', { name: 'Timeline' }).getByRole('listitem');
  await page.getByRole('button', { name: 'Show more', exact: true }).scrollIntoViewIfNeeded();
  await expect.poll(() => rows.count()).toBeGreaterThan(80);
  await page.getByRole('region', { name: 'Timeline' }).getByRole('textbox', { name: 'Search' }).fill('green TEA');
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByRole('region', { name: 'Timeline' }).getByRole('textbox', { name: 'Search' }).fill('');
});

test('properties are changed and taken away', async () => {
  const { page } = admin;
  await page.getByRole('button', { name: 'Edit properties' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit properties' });
  await dialog.getByRole('combobox', { name: 'Property' }).click();
  await page.getByRole('option', { name: 'plan', exact: true }).click();
  await dialog.getByRole('textbox', { name: 'Value' }).fill('team');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('list', { name: 'Property history' }).getByText('plan: pro → team').waitFor();
  await page.getByRole('button', { name: 'Edit properties' }).click();
  await dialog.getByRole('combobox', { name: 'Property' }).click();
  await page.getByRole('option', { name: 'plan', exact: true }).click();
  await dialog.getByRole('button', { name: 'Delete this property' }).click();
  await page.getByRole('list', { name: 'Property history' }).getByText('plan: team → –').waitFor();
});

test('the next person of the list is a click away, and so are people like one', async () => {
  const { page } = admin;
  await open(page, '/profiles', 'Profiles');
  await page.getByRole('link', { name: 'Person carl' }).click();
  await page.getByRole('link', { name: 'Next', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Person bert' }).waitFor();
  await page.getByRole('link', { name: 'Previous', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Person carl' }).waitFor();
  await page.getByRole('link', { name: 'Find similar users' }).click();
  await page.getByRole('heading', { level: 1, name: 'Profiles' }).waitFor();
  await expect.poll(async () => (await rowsOf(page, 'Profiles')).length).toBe(1);
});

test('a number that nobody has leads to the list', async () => {
  const { page } = admin;
  await open(page, '/profiles/999');
  await page.getByText('There is no profile with this number.').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Profiles', exact: true }).click();
  await page.getByRole('link', { name: 'Person anna' }).waitFor();
});
