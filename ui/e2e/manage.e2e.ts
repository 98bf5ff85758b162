import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { linkTo, look, openPage, pagesOf, settled, shoot, signIn } from './browser';
import { admin, api, browser, hire, open, rowsOf, server, shop, stage, turnTo } from './stage';
import { demoRequests } from './visitors';

const clerk = { username: 'clerk', password: 'Only-reading-1' };


stage({
  fill: async () => {
    await api.call('/i/apps/update', { args: { app_id: shop._id, name: 'Corner store' } });
    await api.call('/i/bulk', { app_key: shop.key, requests: demoRequests({ now: Date.now(), days: 20, people: 30, seed: 7 }) });
    await hire(clerk);
  },
});

/** Every page of managing: its path and its heading. */
const pages: readonly [string, string][] = [
  ['/manage/audit', 'Audit log'],
  ['/manage/tasks', 'Tasks'],
  ['/manage/jobs', 'Jobs'],
  ['/manage/health', 'System health'],
  ['/manage/points', 'Data points'],
  ['/manage/logs', 'Error logs'],
  ['/manage/settings', 'Server settings'],
  ['/manage/settings?tab=features', 'Server settings'],
  ['/manage/account', 'Your account'],
  ['/slipping', 'Slipping away'],
  ['/event-settings', 'Manage events'],
  ['/event-settings?tab=groups', 'Manage events'],
  ['/consent', 'Consent'],
  ['/consent?tab=history', 'Consent'],
  ['/subjects?only={"text":"demo-1"}', 'Data subjects'],
  ['/requests', 'Request log'],
  ['/export', 'Export'],
];

test.each(pages)('%s has no barrier in either theme', async (path, heading) => {
  const { page } = admin;
  await turnTo(page, path, heading);
  await look(page, `manage${path.replaceAll(/\W/g, '-')}`);
});

test('the audit log shows what a change changed, and is narrowed in its address', async () => {
  const { page } = admin;
  await open(page, '/manage/audit', 'Audit log');
  await page.getByRole('combobox', { name: 'Action' }).click();
  await page.getByRole('option', { name: 'App changed', exact: true }).click();
  await page.waitForURL(/only=.*apps_update/);
  await page.reload();
  await settled(page);
  await expect.poll(async () => (await rowsOf(page, 'Audit log')).map((cells) => cells[1])).toEqual(['App changed']);
  await page.getByRole('button', { name: 'App changed' }).click();
  const changes = page.getByRole('dialog').getByRole('table', { name: 'Changes' });
  await changes.waitFor();
  await expect.poll(() => changes.getByRole('row', { name: /^Name/ }).getByRole('cell').allTextContents()).toEqual(['Corner shop', 'Corner store']);
  await look(page, 'audit-entry');
});

test('a long export becomes a task that is named, run again, downloaded and deleted', async () => {
  const { page } = admin;
  await api.call('/o/export/requestQuery', {
    path: '/o/export/db', data: { collection: `app_users${shop._id}` }, app_id: shop._id, type: 'csv', filename: 'Everyone',
  });
  await open(page, '/manage/tasks', 'Tasks');
  await page.getByRole('cell', { name: 'Completed' }).waitFor();
  await page.getByRole('button', { name: 'Everyone.csv', exact: true }).click();
  const detail = page.getByRole('dialog');
  await detail.getByRole('textbox', { name: 'Name' }).fill('Everybody');
  await detail.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  await look(page, 'task');
  const [download] = await Promise.all([page.waitForEvent('download'), detail.getByRole('button', { name: 'Download' }).click()]);
  const lines = readFileSync(await download.path(), 'utf8').trim().split('\n');
  const { iTotalRecords } = await api.call<{ iTotalRecords: number }>('/o', { app_id: shop._id, method: 'user_details' });
  expect(lines.length).toBe(1 + iTotalRecords);
  await detail.getByRole('button', { name: 'Run again' }).click();
  await page.getByText('The task runs again.').waitFor();
  await detail.getByText('Completed').waitFor();
  await detail.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog', { name: 'Delete task' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No tasks').waitFor();
});

test('jobs are listed, searched and saved by what they are called', async () => {
  const { page } = admin;
  const names = async () => (await rowsOf(page, 'Jobs')).map((cells) => cells[0] ?? '');
  await open(page, '/manage/jobs', 'Jobs');
  const all = await names();
  expect(all.length).toBeGreaterThan(5);
  expect(all).toEqual([...all].sort());
  await page.getByRole('table', { name: 'Jobs' }).getByRole('button', { name: 'Job', exact: true }).click();
  await expect.poll(names).toEqual([...all].sort().reverse());
  await open(page, '/manage/jobs?q=expired', 'Jobs');
  const found = all.filter((name) => name.includes('expired'));
  expect(await names()).toEqual(found);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download CSV: Jobs' }).click()]);
  const lines = readFileSync(await download.path(), 'utf8').trimEnd().split('\r\n');
  expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(found);
});

test('the audit log names what was made', async () => {
  const { page } = admin;
  await open(page, '/manage/audit?only={"action":"apps_create"}', 'Audit log');
  const headings = await page.getByRole('table', { name: 'Audit log' }).getByRole('columnheader').allTextContents();
  const app = headings.findIndex((text) => text.startsWith('App'));
  expect((await rowsOf(page, 'Audit log')).map((cells) => cells[app])).toContain('Corner store');
});

test('settings are held to their bounds, hold for the server, and differ by app', async () => {
  const { page } = admin;
  await open(page, '/manage/settings', 'Server settings');
  const field = page.getByRole('textbox', { name: 'Join sessions within (seconds)' });
  await field.fill('100000');
  await page.getByText('A number from 0 to 86,400').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await field.fill('20');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();

  await open(page, '/settings', 'Corner store');
  const own = page.getByRole('textbox', { name: 'Join sessions within (seconds)' });
  await own.waitFor();
  await expect.poll(() => own.inputValue()).toBe('20');
  await own.fill('30');
  await page.locator('.save-bar').getByRole('button', { name: 'Save' }).click();
  await page.getByText('This app has its own value.').waitFor();
  type Values = Record<string, Record<string, unknown>>;
  await expect.poll(async () => (await api.call<Values>('/o/configs', { app_id: shop._id })).api?.session_cooldown_period).toBe(30);
  await page.getByRole('button', { name: 'Use server value' }).click();
  await page.getByText('This app has its own value.').waitFor({ state: 'detached' });
  await expect.poll(async () => (await api.call<Values>('/o/configs', { app_id: shop._id })).api?.session_cooldown_period).toBe(20);
});

test('a feature that is switched off has no page in the menu', async () => {
  const { page } = admin;
  await open(page, '/manage/settings?tab=features', 'Server settings');
  const [link, points] = [await linkTo(page, 'Jobs'), await linkTo(page, 'Data points')];
  await points.waitFor();
  await page.getByRole('switch', { name: 'Data points' }).click({ force: true });
  await points.waitFor({ state: 'detached' });
  await expect.poll(() => link.count()).toBe(1);
  await page.getByRole('switch', { name: 'Data points' }).click({ force: true });
  await points.waitFor();
});

test('a request shows in the log by itself, and everything that it said', async () => {
  const { page } = admin;
  await open(page, '/requests', 'Request log');
  await api.call('/i', { app_key: shop.key, device_id: 'fresh-one', begin_session: 1, metrics: { _os: 'Haiku' } });
  const row = page.getByRole('row').filter({ hasText: 'fresh-one' });
  await row.waitFor();
  await row.getByRole('button').click();
  await page.getByRole('region', { name: 'metrics' }).getByText('Haiku').waitFor();
  await look(page, 'request');
});

test('rows are exported by conditions, which are JSON for who wants it', async () => {
  const { page } = admin;
  await open(page, '/export', 'Export');
  let answer: () => void = () => undefined;
  const typed = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/o/analytics/metric?**', async (route) => {
    await typed;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Condition' }).click();
  await page.getByRole('combobox', { name: 'Property' }).click();
  await page.getByRole('option', { name: 'Platform', exact: true }).click();
  const value = page.getByRole('combobox', { name: 'Platform: value' });
  await value.fill('Haiku');
  await page.getByText('Loading', { exact: true }).and(page.locator(':visible')).first().waitFor();
  answer(); // what was typed stays
  await page.getByRole('option', { name: 'Haiku' }).click();
  await page.unroute('**/o/analytics/metric?**');
  await page.waitForURL(/only=.*Haiku/);
  await page.keyboard.press('Escape');
  await look(page, 'export-conditions');
  await page.getByText('JSON', { exact: true }).first().click();
  const query = page.getByRole('textbox', { name: 'Filter' });
  await expect.poll(() => query.inputValue()).toBe('{"p":{"$in":["Haiku"]}}');
  await query.fill('{"p"');
  await page.getByText('This is not a JSON object.').waitFor();
  await query.fill('{"p":"Haiku"}');
  await page.getByRole('button', { name: 'Show' }).click();
  await expect.poll(() => rowsOf(page, 'Preview')).toHaveLength(1);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download', exact: true }).click()]);
  const [head = '', ...lines] = readFileSync(await download.path(), 'utf8').trim().split('\n');
  expect([head.split(',').includes('did'), lines.length, lines[0]?.includes('fresh-one')]).toEqual([true, 1, true]);
  await look(page, 'export');

  await page.getByRole('combobox', { name: 'Fields' }).fill('uid');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Maximum rows' }).fill('7');
  await page.waitForURL(/only=.*limit/);
  await page.reload(); // the address holds the whole order
  await expect.poll(() => page.getByRole('textbox', { name: 'Maximum rows' }).inputValue()).toBe('7');
  await page.getByText('uid', { exact: true }).waitFor();
});

test('events are named, ordered, hidden and grouped', async () => {
  const { page } = admin;
  interface List {
    list: string[];
    order?: string[];
    map?: Record<string, { name?: string; is_visible?: boolean }>;
  }
  const list = () => api.call<List>('/o', { app_id: shop._id, method: 'get_events' });
  await open(page, '/event-settings', 'Manage events');
  const place = async () => (await rowsOf(page, 'Manage events')).findIndex((row) => row.some((cell) => cell.startsWith('Purchase')));
  await page.getByRole('button', { name: 'Move Purchase up' }).waitFor();
  const before = await place();
  await page.getByRole('button', { name: 'Move Purchase up' }).click();
  await expect.poll(place).toBe(before - 1); // or the next click meets another row
  await expect.poll(async () => (await list()).order?.indexOf('Purchase')).toBe((await list()).list.sort().indexOf('Purchase') - 1);
  await page.getByRole('button', { name: 'Purchase', exact: true }).click();
  await page.getByRole('textbox', { name: 'Name to show' }).fill('Sale');
  await look(page, 'event-form');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('checkbox', { name: 'Choose Sale' }).check();
  await page.getByRole('button', { name: 'Hide' }).click();
  await page.getByRole('row').filter({ hasText: 'Sale' }).getByText('Hidden').waitFor();
  await expect.poll(async () => (await list()).map?.Purchase).toMatchObject({ name: 'Sale', is_visible: false });

  await open(page, '/event-settings?tab=groups', 'Manage events');
  await page.getByRole('button', { name: 'New group' }).click();
  await page.getByRole('textbox', { name: 'Group' }).fill('Shopping');
  await page.getByRole('combobox', { name: 'Events' }).click();
  await page.getByRole('option', { name: 'Purchase' }).click();
  await page.getByRole('option', { name: 'Product viewed' }).click();
  await page.getByRole('textbox', { name: 'Group' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row').filter({ hasText: 'Shopping' }).waitFor();
  const groups = () => api.call<{ name: string; source_events: string[] }[]>('/o', { app_id: shop._id, method: 'get_event_groups' });
  await expect.poll(groups).toMatchObject([{ name: 'Shopping', source_events: ['Purchase', 'Product viewed'] }]);
});

test('a person is found, all about it handed out, and then erased', async () => {
  const { page } = admin;
  await open(page, '/subjects', 'Data subjects');
  await page.getByRole('textbox', { name: 'Search for' }).fill('fresh-one');
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await page.getByRole('button', { name: 'fresh-one' }).click();
  const detail = page.getByRole('dialog', { name: 'fresh-one' });
  await detail.getByText('Event rows').waitFor();
  await look(page, 'subject');
  await detail.getByRole('button', { name: 'Export all data' }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), detail.getByRole('button', { name: 'Download' }).click()]);
  expect(readFileSync(await download.path(), 'utf8')).toContain('Haiku');
  await detail.getByRole('button', { name: 'Erase' }).click();
  const sure = page.getByRole('dialog', { name: 'Erase' });
  await sure.getByRole('textbox', { name: 'Reason' }).fill('Letter 12');
  await expect.poll(() => sure.getByRole('button', { name: 'Erase' }).isDisabled()).toBe(true);
  await sure.getByRole('textbox', { name: 'Type fresh-one to confirm' }).fill('fresh-one');
  await sure.getByRole('button', { name: 'Erase' }).click();
  await page.getByRole('row').filter({ hasText: 'Letter 12' }).getByText(/Cleaning the disk|Done/).waitFor();
  const { iTotalDisplayRecords } = await api.call<{ iTotalDisplayRecords: number }>('/o/data_subjects', { app_id: shop._id, sSearch: 'fresh-one' });
  expect(iTotalDisplayRecords).toBe(0);
});

test('a profile has a timeline of what the person did', async () => {
  const { page } = admin;
  await open(page, '/profiles/3', '');
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.getByText('Session began').first().waitFor();
  const rows = await api.call<unknown[]>('/o/export/db', { app_id: shop._id, collection: 'drill_events', type: 'json', query: { uid: '3' }, limit: 50 });
  await expect.poll(() => timeline.getByRole('listitem').count()).toBe(rows.length);
});

test('a member changes its own password and signs out elsewhere', async () => {
  const elsewhere = await openPage(browser, server.url);
  await signIn(elsewhere.page, clerk.username, clerk.password);
  await elsewhere.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  const { page, context, faults } = await openPage(browser, server.url);
  await signIn(page, clerk.username, clerk.password);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await open(page, '/manage/account', 'Your account');
  await page.getByRole('table', { name: 'Where you are signed in' }).waitFor();
  await expect.poll(() => rowsOf(page, 'Where you are signed in')).toHaveLength(2);
  const wanted = 'Only-reading-2';
  await page.getByLabel('Current password').fill(clerk.password);
  await page.getByLabel('New password').fill('Password123');
  await page.getByLabel('Repeat the password').fill('Password123');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('This is one of the most common leaked passwords').waitFor();
  await page.getByLabel('New password').fill(wanted);
  await page.getByLabel('Repeat the password').fill(wanted);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('The password is changed.').waitFor();
  await page.getByRole('button', { name: 'End Chrome' }).waitFor({ state: 'detached' });
  await expect.poll(() => rowsOf(page, 'Where you are signed in')).toHaveLength(1);
  // Its page may be on its way to the sign-in page by itself.
  await elsewhere.page.goto('/dashboard/manage/account', { waitUntil: 'commit' });
  await elsewhere.page.getByLabel('User name or e-mail').waitFor();
  expect(new URL(elsewhere.page.url()).pathname).toBe('/login');
  clerk.password = wanted;
  expect(faults, 'the refused password is all the console has').toEqual([expect.stringContaining('/i/users/password')]);
  await Promise.all([context.close(), elsewhere.context.close()]);
});

test('a member sees only what it may', async () => {
  const { page, context, faults } = await openPage(browser, server.url);
  await signIn(page, clerk.username, clerk.password);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  const links = await pagesOf(page);
  for (const name of ['Tasks', 'Data points', 'Export', 'Your account']) expect(links).toContain(name);
  for (const name of ['Audit log', 'Jobs', 'System health', 'Error logs', 'Server settings', 'Request log']) expect(links).not.toContain(name);
  for (const path of ['/manage/audit', '/manage/settings']) {
    await page.goto(`/dashboard${path}`);
    await page.getByRole('heading', { name: 'You do not have access to this page' }).waitFor();
  }
  expect(faults).toEqual([]);
  await context.close();
});

test('what can be done with a row is in sight, however wide its table is', async () => {
  const full_name = `Wilhelmina ${'Featherstonehaugh-'.repeat(4)}Smith`;
  await api.call('/i/users/create', {
    args: { full_name, username: 'wilhelmina', email: `${'wilhelmina'.repeat(4)}@example.test`, password: 'Only-reading-1', permission: { _: { a: [], u: [[shop._id]] }, c: {}, r: {}, u: {}, d: {} } },
  });
  const storageState = await admin.context.storageState();
  const { page, context } = await openPage(browser, server.url, { storageState, viewport: { width: 1100, height: 800 }, locale: 'de-DE' });
  await page.goto('/dashboard/manage/members');
  const box = await page.getByRole('button', { name: `${full_name} löschen` }).boundingBox();
  const card = await page.getByRole('group', { name: 'Mitglieder', exact: true }).boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((card?.x ?? 0) + (card?.width ?? 0));
  await context.close();
});

test('on a phone, in German, nothing is wider than the window', async () => {
  const storageState = await admin.context.storageState();
  const { page, context, faults } = await openPage(browser, server.url, { storageState, viewport: { width: 360, height: 740 }, locale: 'de-DE' });
  for (const [path] of pages) {
    await page.goto(path.startsWith('/manage') ? `/dashboard${path}` : `/dashboard/apps/${shop._id}${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await settled(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(wide, `${path} scrolls sideways`).toBe(false);
    await shoot(page, `phone${path.replaceAll(/\W/g, '-')}`);
  }
  expect(faults).toEqual([]);
  await context.close();
});
