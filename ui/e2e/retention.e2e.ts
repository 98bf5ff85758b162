import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { look, openPage, shoot } from './browser';
import { admin, api, browser, choose, open, pick, pickByKeys, rowsOf, server, shop, stage } from './stage';

const day = 86_400_000;

/** On which days, counted back from today, people were there, and with which plan. */
const visits: [person: string, plan: string, ...days: number[]][] = [
  ['one', 'pro', 9, 8, 7, 2, 1],
  ['two', 'pro', 9, 8, 2],
  ['three', 'free', 9, 2],
  ['four', 'free', 9],
  ['five', 'pro', 5, 4],
  ['six', 'free', 5],
  ['seven', 'free', 1, 0],
  ['eight', 'free', 1],
];

stage({
  permissions: ['clipboard-read', 'clipboard-write'],
  fill: () => {
    const now = Date.now();
    return api.call('/i/bulk', {
      app_key: shop.key,
      requests: visits
        .flatMap(([who, plan, ...days]) => days.map((ago) => ({ who, plan, ago })))
        .sort((a, b) => b.ago - a.ago)
        .map(({ who, plan, ago }) => ({
          device_id: who,
          timestamp: now - ago * day,
          begin_session: 1,
          events: [{ key: 'Open', segmentation: { plan } }, ...(plan === 'pro' && ago % 2 === 0 ? [{ key: 'Purchase', segmentation: { plan } }] : [])],
        })),
    });
  },
});

const visit = (page: Page, query = '') => open(page, `/retention${query}`, 'Retention');

/** The cohorts that have people, without their names: how many they are, and the first ages. */
async function cohorts(page: Page, ages: number): Promise<string[][]> {
  const rows = await rowsOf(page, 'Cohorts');
  return rows.map((row) => row.slice(1, 2 + ages)).filter(([people]) => people !== '0');
}

test('an app without visits shows what will be there', async () => {
  const { page } = admin;
  await visit(page, '?period=2020-01-01..2020-01-10');
  await page.getByText('No users started in this period').waitFor();
  await look(page, 'retention-none');
});

test('the curve and the cohorts say who came back', async () => {
  const { page } = admin;
  await visit(page);
  await page.getByText('8 users started.').waitFor();
  // Of four, two and two, on the day after: two, one and one, of whom the last day is not over.
  await page.getByText('Day 1: 50% came back (3 of 6). Day 7: 75% came back (3 of 4).').waitFor();
  await page.getByRole('img', { name: /^Retention by age, .*Last 30 days$/ }).locator('canvas').waitFor();
  await expect.poll(() => cohorts(page, 2)).toEqual([['4', '50%', '25%'], ['2', '50%', '0%'], ['2', '50%* not over yet', '']]);
  await look(page, 'retention');
});

test('each choice changes the answer at once, and the address holds it', async () => {
  const { page } = admin;
  await choose(page, 'Came back', 'On that day or later');
  await page.getByText('Day 1: 66.7% came back (4 of 6).').waitFor();
  await choose(page, 'Which start counts', 'Every time');
  await choose(page, 'Came back', 'On that day');
  await expect.poll(async () => (await cohorts(page, 1)).map(([people]) => people)).toEqual(['4', '2', '1', '2', '1', '3', '3', '1']);
  await choose(page, 'Which start counts', 'First time ever');
  await pick(page, 'And come back with', 'Purchase');
  await page.getByText('Day 1: 50% came back (3 of 6).').waitFor();
  await pick(page, 'Users start with', 'Open');
  await choose(page, 'Break down by', 'plan');
  await page.getByRole('heading', { name: 'Retention by plan' }).waitFor();
  await expect.poll(async () => (await rowsOf(page, 'Retention by plan')).map((row) => row.slice(0, 3))).toEqual([['free', '5', '0%'], ['pro', '3', '100%']]);
  await look(page, 'retention-by');
  await page.reload();
  await expect.poll(async () => (await rowsOf(page, 'Retention by plan')).map((row) => row.slice(0, 3))).toEqual([['free', '5', '0%'], ['pro', '3', '100%']]);
  await page.getByRole('button', { name: 'About Retention by age' }).click();
  const about = page.getByRole('dialog', { name: 'About Retention by age' });
  expect(await about.locator('pre').textContent()).toMatch(/^GET \/o\/retention\n(?=[^]*return=\["Purchase"\])(?=[^]*breakdown=sg\.plan)/);
  await look(page, 'retention-about');
  await page.keyboard.press('Escape');
  await page.getByRole('group', { name: 'Legend' }).getByRole('button', { name: 'free', exact: true }).click();
  await page.getByText('5 users started.').waitFor();
  await page.getByRole('group', { name: 'Filter starts' }).waitFor();
  await page.getByRole('cell', { name: 'free', exact: true }).getByRole('button').click();
  await page.getByText('8 users started.').waitFor();
  await page.getByRole('button', { name: 'Filter starts' }).click();
  await page.getByRole('button', { name: 'Condition', exact: true }).click();
  await page.getByRole('combobox', { name: 'plan: value' }).or(page.getByRole('textbox', { name: 'plan: value' })).first().fill('pro');
  await page.keyboard.press('Enter');
  await page.getByText('3 users started.').waitFor();
});

test('cohorts are people instead of shares, and a file', async () => {
  const { page } = admin;
  await visit(page);
  await page.getByRole('radiogroup', { name: /Cohorts/ }).getByText('Users').click();
  await expect.poll(() => cohorts(page, 2)).toEqual([['4', '2', '1'], ['2', '1', '0'], ['2', '1* not over yet', '']]);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: /CSV.*Cohorts$/ }).click();
  expect((await saved).suggestedFilename()).toMatch(/^Retention Cohorts .*\.csv$/);
});

test('a cell has the people behind it, who are listed, saved as a file and kept as a cohort', async () => {
  const { page } = admin;
  await visit(page);
  await page.getByRole('radiogroup', { name: /Cohorts/ }).getByText('Share').click();
  const cells = page.getByRole('table', { name: 'Cohorts' });
  await cells.getByRole('button', { name: /^50%, show users$/ }).first().click();
  const who = page.getByRole('dialog', { name: /, Day 1: who came back \(2 of 4\)$/ });
  await who.getByText('2 users').waitFor();
  await expect.poll(async () => (await who.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.querySelector('td')?.textContent.trim()))).sort()).toEqual(['one', 'two']);
  await look(page, 'retention-people');
  await who.getByRole('button', { name: /^Download/ }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV', exact: false }).last().click()]);
  expect(readFileSync(await file.path(), 'utf8').trim().split('\n')).toHaveLength(3);
  await who.getByRole('button', { name: 'Save as cohort' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Came back at once');
  await page.keyboard.press('Enter');
  await page.getByText('The cohort is saved.').waitFor();
  await page.keyboard.press('Escape');
  await who.waitFor({ state: 'hidden' });
  // By keyboard: all of a cohort.
  const started = cells.getByRole('button', { name: /^4 who started: / });
  await started.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: /^4 who started: / }).getByText('4 users').waitFor();
  await page.keyboard.press('Escape');
});

test('a report is kept under a name, found again, renamed and deleted', async () => {
  const { page } = admin;
  await visit(page, '?only=%7B%22start%22%3A%22recurring%22%7D');
  await page.getByText('Saved views appear here').waitFor();
  await page.getByRole('button', { name: 'Save this view' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Every start');
  await page.getByRole('switch', { name: /^Share/ }).check();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Every start' }).waitFor();
  await visit(page);
  await page.getByText('8 users started.').waitFor();
  await page.getByRole('link', { name: 'Every start' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/recurring/);
  expect(await page.getByRole('combobox', { name: 'Which start counts' }).inputValue()).toBe('Every time');
  expect((await rowsOf(page, 'Saved views'))[0]?.slice(0, 3)).toEqual(['Every start', 'You', 'Everyone']);
  await look(page, 'retention-saved');
  await open(page, '/profiles', 'Profiles');
  expect(await page.getByRole('link', { name: 'Every start' }).count()).toBe(0);
  await visit(page);
});

test('activity says who comes and goes, and how often', async () => {
  const { page } = admin;
  await visit(page);
  await page.getByRole('tab', { name: 'Activity' }).click();
  await page.getByRole('img', { name: /^Lifecycle, / }).locator('canvas').waitFor();
  await page.getByText(': 2 new, 1 returning, 0 resurrected, 2 dormant.').waitFor();
  await page.getByText('Today is not over yet.').waitFor();
  await page.getByText('Most often: active for 1 day, 3 of 8 users (37.5%).').waitFor();
  await look(page, 'retention-activity');
});

test('the keyboard alone does it', async () => {
  const { page } = admin;
  await visit(page);
  await page.getByRole('combobox', { name: 'Users start with' }).focus();
  await pickByKeys(page, 'Open', 'Open');
  await page.keyboard.press('Escape');
  await page.waitForURL(/events=/);
  await page.getByRole('combobox', { name: 'Came back' }).focus();
  await pickByKeys(page, 'On that day or later');
  await page.waitForURL(/on_or_after/);
  await page.getByText('Day 1: 66.7% came back (4 of 6).').waitFor();
  await page.getByRole('radiogroup', { name: /Retention by age/ }).getByRole('radio', { name: 'Chart' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(async () => (await rowsOf(page, /^Retention by age/))[0]).toEqual(['Day 1', '66.7%', '4', '6']);
  await page.getByRole('tab', { name: 'Retention' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('region', { name: 'Lifecycle' }).waitFor();
});

test('dark, on a phone, in German', async () => {
  const storageState = await admin.context.storageState();
  const { page, context, faults } = await openPage(browser, server.url, { storageState, colorScheme: 'dark', viewport: { width: 390, height: 844 }, locale: 'de-DE' });
  for (const tab of ['', '&tab=activity']) {
    await page.goto(`/dashboard/apps/${shop._id}/retention?compare=previous${tab}`);
    await page.getByText(tab === '' ? '8 Nutzer haben begonnen.' : 'Am häufigsten: 1 Tag aktiv').waitFor();
    await shoot(page, `retention-phone${tab.slice(5)}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), 'scrolls sideways').toBe(false);
  }
  expect(faults).toEqual([]);
  await context.close();
});
