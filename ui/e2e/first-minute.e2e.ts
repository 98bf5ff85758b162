import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { closePages, linkTo, look, openPage, sharedBrowser, shoot, type Watched } from './browser';
import { startServer, type Server } from './server';

const password = 'Correct-horse-1';

let server: Server;
let browser: Browser;
let admin: Watched;
let appKey = '';

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), sharedBrowser()]);
  admin = await openPage(browser, server.url);
});

afterAll(async () => {
  await closePages();
  await server.stop();
});

afterEach(() => {
  expect(admin.faults, 'console errors and foreign requests').toEqual([]);
});

/** Sends one SDK request; the parameters are those of the protocol. */
async function send(params: Record<string, string>): Promise<void> {
  const response = await fetch(`${server.url}/i`, {
    method: 'POST',
    body: new URLSearchParams({ app_key: appKey, ...params }),
  });
  expect(await response.json()).toMatchObject({ result: 'Success' });
}

test('a fresh server leads to the first administrator', async () => {
  const { page } = admin;
  await page.goto('/');
  expect(new URL(page.url()).pathname).toBe('/setup');
  await look(page, 'setup');
  await page.getByLabel('Full name').fill('Ada Lovelace');
  await page.getByLabel('User name').fill('ada');
  await page.getByLabel('E-mail').fill('ada@example.test');
  await page.getByLabel('Password').fill('12345678');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('alert').getByText('Password: This is one of the most used leaked passwords').waitFor();
  await look(page, 'setup-error');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Welcome to Quipu' }).waitFor();
  await look(page, 'first-app');
  expect(admin.loaded(), 'bytes before the first chart').toBeLessThan(350_000);
  expect(admin.loaded()).toBeGreaterThan(100_000);
});

test('the first app shows its key and turns green when data arrives', async () => {
  const { page } = admin;
  await page.getByRole('button', { name: 'Create app' }).click();
  await page.getByText('An app needs a name.').waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('Corner shop');
  await page.getByRole('button', { name: 'Create app' }).click();
  await page.getByRole('heading', { name: 'Corner shop' }).waitFor();
  await page.getByRole('button', { name: 'Load demo data' }).waitFor();
  await page.getByText('Waiting for the first data').waitFor();
  appKey = (await page.getByText(/^[0-9a-f]{40}$/).textContent()) ?? '';
  await expect.poll(() => page.getByRole('region', { name: 'Snippet: Web' }).textContent()).toContain(appKey);
  await look(page, 'app-settings');

  await send({ device_id: 'one', begin_session: '1', timestamp: String(Date.now()) });
  await send({ device_id: 'one', session_duration: '90', timestamp: String(Date.now()) });
  await send({ device_id: 'two', begin_session: '1', timestamp: String(Date.now()) });
  await page.getByText('Data is arriving').waitFor();
});

test('the overview shows what was sent', async () => {
  const { page } = admin;
  await (await linkTo(page, 'Overview')).click();
  await page.getByRole('button', { name: /^Sessions\s*2/ }).waitFor();
  await page.getByRole('button', { name: /^Users\s*2/ }).waitFor();
  await page.getByRole('button', { name: /^New users\s*2/ }).waitFor();
  await page.getByRole('button', { name: /^Time spent\s*1\smin 30\ss/ }).waitFor();
  await page.getByRole('img', { name: 'Sessions over time, Last 30 days' }).locator('canvas').waitFor();
  await look(page, 'overview-light');
});

test('the view is in the address and survives a reload', async () => {
  const { page } = admin;
  await page.getByRole('button', { name: /^Period/ }).click();
  await page.getByRole('button', { name: 'Last 7 days' }).click();
  await page.getByRole('button', { name: /^Time spent/ }).click();
  await page.getByText('Table', { exact: true }).click();
  await page.getByRole('table').waitFor();
  await page.reload();
  await page.getByRole('table').waitFor();
  expect(new URL(page.url()).search).toBe('?period=7days&figure=time&as=table');
  await expect.poll(() => page.getByRole('row').count()).toBe(8);
  const last = await page.getByRole('row').last().getByRole('cell').allTextContents();
  expect(last.slice(1).map((text) => text.replaceAll('\u00a0', ' '))).toEqual(['2', '2', '2', '1 min 30 s', '45 s']);
  await look(page, 'overview-table');
});

test('dark, on a phone, in German', async () => {
  const storageState = await admin.context.storageState();
  for (const [name, options] of Object.entries({
    'overview-dark': { colorScheme: 'dark' },
    'overview-phone': { viewport: { width: 390, height: 844 }, locale: 'de-DE' },
  } as const)) {
    const { page, context, faults } = await openPage(browser, server.url, { storageState, ...options });
    await page.goto('/dashboard');
    await page.locator('canvas').waitFor();
    await shoot(page, name);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(wide, `${name} scrolls sideways`).toBe(false);
    expect(faults).toEqual([]);
    await context.close();
  }
});

test('signing out ends the session, and signing in leads back to the page', async () => {
  const { page } = admin;
  const here = page.url();
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();

  await page.goto(here);
  await page.getByLabel('User name or e-mail').fill('ada');
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  await look(page, 'login-error');
  await page.getByLabel('User name or e-mail').fill('ada@example.test');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('table').waitFor();
  expect(page.url()).toBe(here);
});
