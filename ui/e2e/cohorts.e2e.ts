import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { look } from './browser';
import { admin, api, onPhone, open, pickByKeys, rowsOf, shop, stage } from './stage';

const people: [person: string, plan: string, ...did: string[]][] = [
  ['one', 'pro', 'Buy', 'Buy'],
  ['two', 'free', 'Buy'],
  ['three', 'free', 'Look'],
];

stage({
  fill: () => {
    const begun = Date.now() - 30 * 60_000;
    return api.call('/i/bulk', {
      app_key: shop.key,
      requests: people.map(([who, plan, ...did]) => ({
        device_id: who,
        timestamp: begun,
        begin_session: 1,
        metrics: { _os: plan === 'pro' ? 'iOS' : 'Android' },
        user_details: { name: `Person ${who}`, custom: { plan } },
        events: did.map((key, i) => ({ key, timestamp: begun + i * 60_000 })),
      })),
    });
  },
});

const visit = (page: Page) => open(page, '/cohorts', 'Cohorts');

test('without cohorts, the page shows what one is', async () => {
  const { page } = admin;
  await visit(page);
  await page.getByText('No cohorts yet').waitFor();
  await look(page, 'cohorts-empty');
});

test('a cohort is put together by the keyboard, with a count while one does', async () => {
  const { page } = admin;
  await page.getByRole('button', { name: 'New cohort' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'New cohort' }).waitFor();
  expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
  await page.getByRole('textbox', { name: 'Name' }).fill('Buyers');
  const field = page.getByRole('combobox', { name: 'Event', exact: true });
  await field.focus();
  await pickByKeys(page, 'Buy', 'Buy');
  await page.keyboard.press('Escape');
  await page.getByText(/^2 of 3 users match /).waitFor();
  await page.getByRole('textbox', { name: 'Times' }).fill('2');
  await page.getByText(/^1 of 3 users matches /).waitFor();
  await page.getByRole('textbox', { name: 'Times' }).fill('1');
  await page.getByText(/^2 of 3 users match /).waitFor();
  await look(page, 'cohorts-form');
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Buyers' }).waitFor();
  await expect.poll(async () => (await rowsOf(page, 'Members')).map((row) => row[0]).sort()).toEqual(['Person one', 'Person two']);
  await page.getByText('did “Buy” at least once in the last 30 days').waitFor();
  await look(page, 'cohort');
});

test('conditions are put one after the other', async () => {
  const { page } = admin;
  await visit(page);
  await page.getByRole('button', { name: 'New cohort' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'New cohort' }).waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('Bought again');
  const choose = async (rule: ReturnType<Page['getByRole']>) => {
    const field = rule.getByRole('combobox', { name: 'Event', exact: true });
    await field.focus();
    await pickByKeys(page, 'Buy', 'Buy');
    await page.keyboard.press('Escape');
  };
  await choose(page.getByRole('group', { name: 'Condition 1' }));
  await page.getByText(/^2 of 3 users match /).waitFor();
  await page.getByRole('button', { name: 'Add a condition' }).press('Enter');
  const second = page.getByRole('group', { name: 'Condition 2' });
  await choose(second);
  await second.getByRole('radio', { name: 'then' }).press('Space');
  await page.getByText(/^1 of 3 users matches /).waitFor();
  await look(page, 'cohorts-form-then');
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Bought again' }).waitFor();
  await expect.poll(async () => (await rowsOf(page, 'Members')).map((row) => row[0])).toEqual(['Person one']);
  await page.getByText('did “Buy” within 1 day in the last 30 days').waitFor();
  await visit(page);
  await page.getByRole('button', { name: 'Delete Bought again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
});

test('figures, people and events are filtered by it', async () => {
  const { page } = admin;
  const [kept] = await api.call<{ _id: string }[]>('/o?method=get_cohorts', { app_id: shop._id });
  await open(page, `/users?filter=${encodeURIComponent(JSON.stringify({ chr: { $in: [kept?._id] } }))}`, 'Users');
  await page.getByRole('button', { name: 'Change: Cohort is Buyers' }).waitFor();
  await open(page, '/profiles', 'Profiles');
  await page.getByRole('link', { name: 'Person one' }).click();
  await page.getByRole('region', { name: 'Cohorts' }).getByRole('link', { name: 'Buyers' }).waitFor();
  await look(page, 'cohort-profile');
});

test('a profile group takes people by a list and says whom nobody was found for', async () => {
  const { page } = admin;
  await open(page, '/cohorts?open=group', 'New profile group');
  await page.getByRole('textbox', { name: 'Name' }).fill('Testers');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Testers' }).waitFor();
  await page.getByText('Nobody is in this cohort.').waitFor();
  await page.getByRole('button', { name: 'Add users' }).click();
  const form = page.getByRole('dialog', { name: 'Add users' });
  await form.getByRole('textbox', { name: 'Device IDs or user numbers' }).fill('three\nnobody');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await form.getByText('Found: 1, newly added: 1.').waitFor();
  await form.getByRole('region', { name: 'Lines without a match' }).getByText('nobody').waitFor();
  await look(page, 'cohort-people');
  await form.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(async () => (await rowsOf(page, 'Members')).map((row) => row[0])).toEqual(['Person three']);
});

test('people of a filter are kept as a cohort, and a cohort is deleted', async () => {
  const { page } = admin;
  await open(page, `/profiles?filter=${encodeURIComponent('{"custom.plan":{"$in":["pro"]}}')}`, 'Profiles');
  await page.getByRole('button', { name: 'Save as cohort' }).click();
  const form = page.getByRole('dialog', { name: 'Save as cohort' });
  await form.getByRole('textbox', { name: 'Name' }).fill('Pros');
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await form.waitFor({ state: 'detached' });
  await visit(page);
  await expect.poll(async () => (await rowsOf(page, 'Cohorts')).map((row) => row.slice(0, 3))).toEqual([
    ['Buyers', 'Cohort', '2'],
    ['Pros', 'Cohort', '1'],
    ['Testers', 'Profile group', '1'],
  ]);
  await look(page, 'cohorts');
  await page.getByRole('button', { name: 'Delete Pros' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(async () => (await rowsOf(page, 'Cohorts')).map((row) => row[0])).toEqual(['Buyers', 'Testers']);
});

test('dark, on a phone, in German', async () => {
  const { result } = await api.call<{ result: string }>('/i/cohorts/add', {
    app_id: shop._id,
    cohort_name: 'Elsewhere',
    cohort_desc: `com.example.${'unbroken'.repeat(12)}`,
    steps: [{ type: 'did', event: 'Buy', period: '30days' }],
    user_segmentation: { $and: [{ cc: { $nin: ['FR'] } }, { sc: { $gte: 0, $lte: 9 } }] },
  });
  await onPhone('/cohorts', 'Kohorten', 'cohorts-phone');
  await onPhone('/cohorts?open=new', 'Neue Kohorte', 'cohorts-form-phone');
  await onPhone(`/cohorts/${result}`, 'Elsewhere', 'cohort-phone', async (page) => {
    await page.getByText('ausgeführt haben „Buy“ mindestens einmal in den letzten 30 Tagen').waitFor();
    await page.getByText('Land ist nicht Frankreich und Sitzungen ist zwischen 0 – 9').waitFor();
  });
});
