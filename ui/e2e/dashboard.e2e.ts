import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { look, openPage, pagesOf, settled, shoot, signIn } from './browser';
import { admin, api, browser, hire, open, rowsOf, server, shop, stage, turnTo, type App } from './stage';
import { demoRequests } from './visitors';

const clerk = { username: 'clerk', password: 'Only-reading-1' };


stage({
  permissions: ['clipboard-read', 'clipboard-write'],
  fill: async () => {
    const hidden = await api.call<App>('/i/apps/create', { args: { name: 'Secret project', timezone: 'UTC' } });
    expect(hidden._id).not.toBe(shop._id);
    await api.call('/i/bulk', { app_key: shop.key, requests: demoRequests({ now: Date.now(), days: 45, people: 60, seed: 7 }) });
    await hire(clerk);
  },
});

const number = (text: string | undefined) => Number((text ?? '').replaceAll(',', ''));

interface Row {
  _id: string;
  t: number;
  u: number;
  n: number;
  c: number;
}

test('figures on pages are those of the API', async () => {
  const { page } = admin;
  const params = { app_id: shop._id, period: '30days' };
  interface Blocks {
    '30days': { dashboard: Record<'total_sessions' | 'total_users' | 'new_users', { total: number }> };
  }
  const { dashboard } = (await api.call<Blocks>('/o/analytics/dashboard', params))['30days'];
  expect(dashboard.total_sessions.total).toBeGreaterThan(100);
  await open(page, '', 'Overview');
  const figures = await page.getByRole('main').getByRole('group', { name: 'Figures' }).locator('.figure-value').allTextContents();
  expect(figures.slice(0, 3).map(number)).toEqual([dashboard.total_sessions.total, dashboard.total_users.total, dashboard.new_users.total]);

  const metric = await api.call<Row[]>('/o/analytics/metric', { ...params, metric: 'devices' });
  await open(page, '/technology?tab=devices', 'Devices and systems');
  const shown = (await rowsOf(page, /^Devices, /)).map(([name, t, , u, n]) => [name, number(t), number(u), number(n)]);
  expect(shown.sort()).toEqual(metric.map((r) => [r._id, r.t, r.u, r.n]).sort());

  const { all } = await api.call<{ all: Row[] }>('/o/analytics/events', params);
  await open(page, '/events', 'Events');
  const events = (await rowsOf(page, /^Events, /)).map(([name, c]) => [name, number(c)]);
  expect(events).toEqual([...all].sort((a, b) => b.c - a.c || a._id.localeCompare(b._id)).map((r) => [r._id, r.c]));

  const profiles = await api.call<{ iTotalRecords: number }>('/o', { app_id: shop._id, method: 'user_details' });
  await open(page, '/profiles', 'Profiles');
  await page.getByText(`${profiles.iTotalRecords} profiles`).waitFor();
});

test.each([
  ['?compare=previous', 'Overview'],
  ['/users?compare=previous&match=weekday', 'Users'],
  ['/sessions?compare=year', 'Sessions'],
  ['/times', 'Times of day'],
  ['/events?events=["Purchase","Video played"]', 'Events'],
  ['/events/Purchase', 'Purchase'],
  ['/views', 'Views'],
  ['/profiles', 'Profiles'],
  ['/profiles/3', ''],
  ['/countries', 'Countries'],
  ['/technology?compare=previous', 'Devices and systems'],
  ['/notes', 'Notes'],
  ['/ingestion', 'Received data'],
  ['/settings', 'Corner shop'],
])('%s has no barrier in either theme', async (path, heading) => {
  const { page } = admin;
  await turnTo(page, path, heading);
  await look(page, `page-${path.split('?')[0]?.replaceAll('/', '-') ?? ''}`);
});

test.each([
  ['/manage/apps', 'Apps'],
  ['/manage/members', 'Members'],
  ['/manage/tokens', 'Tokens'],
  ['/manage/reference', 'API reference'],
  ['/manage/account', 'Your account'],
  ['/manage/about', 'About'],
  ['/apps/new', 'New app'],
])('%s has no barrier in either theme', async (path, heading) => {
  const { page } = admin;
  await turnTo(page, path, heading);
  await look(page, `page${path.replaceAll('/', '-')}`);
});

test('a view is in its address: it survives a reload, and the link can be copied', async () => {
  const { page } = admin;
  const path = '/events?period=7days&compare=previous&as=table&q=p&sort=name&hide=dur&events=["Purchase"]';
  await open(page, path, 'Events');
  const before = await rowsOf(page, /^Events, /);
  expect(before.map(([name]) => name)).toEqual(['Product viewed', 'Purchase', 'Signed up', 'Video played']);
  const address = page.url();
  await page.reload();
  await expect.poll(() => rowsOf(page, /^Events, /)).toEqual(before);
  await expect.poll(() => page.getByRole('columnheader', { name: 'Duration' }).count()).toBe(0);
  expect(page.url()).toBe(address);
  await page.getByRole('button', { name: 'Copy link to this view' }).click();
  await page.getByText('The link to this view is copied.').waitFor();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(address);
});

/** Runs the first thing that the palette finds, once the palette has the focus, and waits until it is gone. */
async function find(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('combobox', { name: /^Find a page/ });
  await palette.waitFor();
  await expect.poll(() => palette.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.type(text);
  await expect.poll(() => palette.inputValue()).toBe(text);
  await page.keyboard.press('Enter');
  await palette.waitFor({ state: 'detached' });
}

test('the main tasks need only a keyboard', async () => {
  const { page } = admin;
  await open(page, '', 'Overview');
  await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Find a page/ }).waitFor();
  await look(page, 'palette');
  await page.keyboard.type('count');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Countries' }).waitFor();

  await page.keyboard.press('g');
  await page.keyboard.press('e');
  await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
  await page.keyboard.press('w');
  await page.keyboard.press('x');
  await page.waitForURL(/period=7days.*compare=previous|compare=previous.*period=7days/);
  await page.getByRole('searchbox').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('purch');
  await page.waitForURL(/q=purch/);
  await page.getByRole('link', { name: 'Purchase' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Purchase' }).waitFor();

  await find(page, 'previous year');
  await page.waitForURL(/compare=year/);
  await find(page, 'add a note');
  await page.getByRole('dialog', { name: 'Add a note' }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1, name: 'Notes' }).waitFor();

  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await look(page, 'shortcuts');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('days of the calendar are a period of their own', async () => {
  const { page } = admin;
  await open(page, '', 'Overview');
  await page.getByRole('button', { name: /^Period/ }).click();
  await page.getByRole('button', { name: 'Custom range' }).click();
  await page.getByLabel('From').fill('2026-01-05');
  await page.getByLabel('To', { exact: true }).fill('2026-01-11');
  await look(page, 'calendar');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(/period=2026-01-05\.\.2026-01-11/);
  await page.getByText('No sessions in this period').waitFor();
  await look(page, 'empty');
});

test('a note is written and stands on the chart', async () => {
  const { page } = admin;
  await open(page, '', 'Overview');
  await page.getByRole('button', { name: 'Add a note' }).click();
  await page.getByRole('textbox', { name: 'Note' }).fill('Spring sale <b>begins</b>');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The note is saved.').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Spring sale <b>begins</b>' }).waitFor();
  await shoot(page, 'note');
});

test('a member is added with rights, a token is made', async () => {
  const { page } = admin;
  await page.goto('/dashboard/manage/members');
  await page.getByRole('button', { name: 'Add a member' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Full name').fill('Grace Hopper');
  await dialog.getByLabel('User name').fill('grace');
  await dialog.getByLabel('E-mail').fill('grace@example.test');
  await dialog.getByRole('textbox', { name: 'Password' }).fill('Nanosecond-11');
  await dialog.getByRole('radiogroup', { name: 'Role in Corner shop' }).getByText('User').click();
  await dialog.getByRole('button', { name: 'Corner shop' }).click();
  await dialog.getByRole('checkbox', { name: 'users: Read', exact: true }).click();
  await look(page, 'member');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The member is added.').waitFor();
  interface Member {
    username: string;
    permission: { _: { u: string[][] }; r: Record<string, { all: boolean; allowed: Record<string, boolean> }> };
  }
  const members = Object.values(await api.call<Record<string, Member>>('/o/users/all', {}));
  const grace = members.find((m) => m.username === 'grace');
  expect(grace?.permission._.u).toEqual([[shop._id]]);
  expect(grace?.permission.r[shop._id]).toMatchObject({ all: false, allowed: { core: true, events: true } });
  expect(grace?.permission.r[shop._id]?.allowed.users).not.toBe(true);

  await page.goto('/dashboard/manage/tokens');
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByRole('textbox', { name: 'Purpose' }).fill('nightly report');
  await page.getByRole('button', { name: 'Create token' }).click();
  const token = await page.getByText(/^[0-9a-f]{40}$/).textContent();
  const answer = await fetch(`${server.url}/o/users/me?auth_token=${token ?? ''}`);
  expect(await answer.json()).toMatchObject({ username: 'ada' });
});

test('a member sees only what it may', async () => {
  const { page, context, faults } = await openPage(browser, server.url);
  await signIn(page, clerk.username, clerk.password);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  const links = await pagesOf(page);
  expect(links).toContain('Events');
  for (const name of ['Profiles', 'Times of day', 'Members', 'Apps']) expect(links).not.toContain(name);
  await expect.poll(() => page.getByRole('button', { name: 'Add a note' }).count()).toBe(0);
  await page.getByRole('combobox', { name: 'App' }).click();
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual([expect.stringContaining('Corner shop')]);
  await page.keyboard.press('Escape');
  await page.goto(`/dashboard/apps/${shop._id}/profiles`);
  await page.getByRole('heading', { name: 'You do not have access to this page' }).waitFor();
  await look(page, 'forbidden');
  await page.goto(`/dashboard/apps/${shop._id}/settings`);
  await page.getByRole('heading', { name: 'Identity' }).waitFor();
  await expect.poll(() => page.getByRole('heading', { name: 'Danger zone' }).count()).toBe(0);
  expect(faults).toEqual([]);
  await context.close();
});

test('on a phone, in German, nothing is wider than the window', async () => {
  const storageState = await admin.context.storageState();
  const { page, context, faults } = await openPage(browser, server.url, { storageState, viewport: { width: 360, height: 740 }, locale: 'de-DE' });
  for (const path of ['?compare=previous', '/events', '/profiles', '/technology', '/settings']) {
    await page.goto(`/dashboard/apps/${shop._id}${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await settled(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(wide, `${path} scrolls sideways`).toBe(false);
    await shoot(page, `phone-${path.replaceAll(/\W/g, '')}`);
  }
  await page.getByRole('button', { name: 'Menü' }).click();
  await page.getByRole('navigation', { name: 'Bereiche' }).getByRole('button', { name: 'Kennzahlen', exact: true }).click();
  await page.getByRole('link', { name: 'Übersicht', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Übersicht' }).waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

test('data is deleted only after its app is named', async () => {
  const { page } = admin;
  await open(page, '/settings', 'Corner shop');
  await page.getByRole('button', { name: 'Delete data' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('Corner sho');
  await expect.poll(() => dialog.getByRole('button', { name: 'Delete data' }).isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill('Corner shop');
  await dialog.getByRole('button', { name: 'Delete data' }).click();
  await page.getByText('All data of Corner shop is deleted.').waitFor();
  await open(page, '/events', 'Events');
  await page.getByText('No events yet').waitFor();
});

test('wrong passwords lock the account for a while', async () => {
  const { page, context, faults } = await openPage(browser, server.url);
  for (let i = 0; i < 3; i++) {
    await signIn(page, clerk.username, 'Wrong-password-1');
    await page.getByRole('alert').waitFor();
  }
  await signIn(page, clerk.username, clerk.password);
  await page.getByRole('alert').waitFor();
  expect(new URL(page.url()).pathname).toBe('/login');
  await shoot(page, 'locked-out');
  expect(faults).toEqual([]);
  await context.close();
});
