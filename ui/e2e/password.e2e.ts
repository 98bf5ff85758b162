import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closePages, look, openPage, settled, sharedBrowser, shoot, signIn, type Watched } from './browser';
import { ada, Api, startServer, withAda, type Server } from './server';

const first = 'Given-by-ada-1';
const second = 'Chosen-by-bo-2';

let server: Server;
let browser: Browser;
let api: Api;
let admin: Watched;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(withAda), sharedBrowser()]);
  api = await Api.of(server);
  await api.call('/i/apps/create', { args: { name: 'Corner shop' } });
  await api.call('/i/users/create', { args: { full_name: 'Bo Keeper', username: 'bo', email: 'bo@example.test', password: first, global_admin: true } });
  admin = await openPage(browser, server.url);
  await signIn(admin.page, ada.username, ada.password);
  await admin.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
});

afterAll(async () => {
  await closePages();
  await server.stop();
});

/** Fills the page that asks for another password. */
async function choose(page: Page, present: string, wanted: string, again = wanted): Promise<void> {
  await page.getByLabel('Current password').fill(present);
  await page.getByLabel('New password', { exact: true }).fill(wanted);
  await page.getByLabel('New password, once more').fill(again);
  await page.getByRole('button', { name: 'Change password and sign in' }).click();
}

test('an administrator asks a member for another password', async () => {
  const { page, faults } = admin;
  await page.goto('/dashboard/manage/members');
  await page.getByRole('button', { name: 'Edit Bo Keeper' }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('switch', { name: 'Must choose another password' }).check();
  await look(page, 'member-must-change');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('New password required').waitFor();
  await settled(page);
  await look(page, 'members-must-change');
  expect(faults, 'console errors and foreign requests').toEqual([]);
});

test('the member gets no further before it has chosen one, without scripts, on a phone', async () => {
  const bo = await openPage(browser, server.url, { javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  const { page } = bo;
  await page.goto('/dashboard/manage/account');
  await page.getByLabel('User name or e-mail').fill('bo');
  await page.getByLabel('Password').fill(first);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
  expect(await page.getByLabel('User name or e-mail').inputValue()).toBe('bo');
  await shoot(page, 'password-phone');
  await page.goto('/dashboard');
  expect(new URL(page.url()).pathname).toBe('/login');
  await page.goto('/password?next=/dashboard/manage/account');
  await choose(page, first, first);
  await page.getByRole('alert').getByText('You have this password or had it recently.').waitFor();
  await choose(page, first, 'Password1!');
  await page.getByRole('alert').getByText('This is one of the most used leaked passwords').waitFor();
  await choose(page, first, second, 'Chosen-by-bo-3');
  await page.getByRole('alert').getByText('The two do not match.').waitFor();
  await choose(page, 'Wrong-one-1', second);
  await page.getByRole('alert').getByText('User name and password do not match.').waitFor();
  await shoot(page, 'password-refused-phone');
  await choose(page, first, second);
  await page.waitForURL(/\/dashboard\/manage\/account$/);
  await bo.context.close();
});

test.each([
  ['en-US', 'Choose a new password'],
  ['de-DE', 'Neues Passwort wählen'],
])('the page has no barrier, in either theme, in %s', async (locale, heading) => {
  const someone = await openPage(browser, server.url, { locale });
  await someone.page.goto('/password');
  await someone.page.getByRole('heading', { name: heading }).waitFor();
  await someone.page.getByRole('button').click();
  await someone.page.getByRole('alert').waitFor();
  await look(someone.page, `password-empty-${locale}`);
  await someone.page.emulateMedia({ colorScheme: 'dark' });
  await shoot(someone.page, `password-empty-dark-${locale}`);
  expect(someone.faults, 'console errors and foreign requests').toEqual([]);
  await someone.context.close();
});

test('nobody is asked twice, and the list says so no longer', async () => {
  const again = await openPage(browser, server.url);
  await signIn(again.page, 'bo', second);
  await again.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await again.context.close();
  await admin.page.reload();
  await admin.page.getByRole('cell', { name: 'Bo Keeper', exact: true }).waitFor();
  expect(await admin.page.getByText('New password required').count()).toBe(0);
});
