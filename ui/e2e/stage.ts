import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { barriers, closePages, openPage, settled, sharedBrowser, shoot, type Watched } from './browser';
import { ada, Api, startServer, withAda, type Server } from './server';

// What the tests of a file work with; each file has its own, from the time that stage has set it up.
export let server: Server;
export let browser: Browser;
export let api: Api;
export let shop: App;
/** The page of the administrator, who is signed in. */
export let admin: Watched;

export interface App {
  _id: string;
  key: string;
}

interface Options {
  /** More of the app than its name and zone. */
  app?: Record<string, string>;
  /** Puts data into the server before anybody signs in. */
  fill?: () => Promise<unknown>;
  /** What the browser allows the administrator's page. */
  permissions?: string[];
  /** More of the environment of the server. */
  env?: Record<string, string>;
}

/** Sets up a server with an app for the tests of a file, takes it down, and has no test leave errors on the console. */
export function stage({ app = {}, fill, permissions = [], env = {} }: Options = {}): void {
  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer({ ...withAda, ...env }), sharedBrowser()]);
    api = await Api.of(server);
    shop = await api.call<App>('/i/apps/create', { args: { name: 'Corner shop', timezone: 'Europe/Berlin', type: 'web', ...app } });
    await fill?.();
    admin = await openPage(browser, server.url, { permissions });
    await admit(admin);
  });
  afterAll(async () => {
    await closePages();
    await server.stop();
  });
  afterEach(() => {
    expect(admin.faults, 'console errors and foreign requests').toEqual([]);
  });
}

/** Signs the administrator in by the form alone, without the pages before and after it: other tests look at those. */
async function admit({ context: { request } }: Watched): Promise<void> {
  const page = await (await request.get('/login')).text();
  const form = { _csrf: /value="([^"]+)" name="_csrf"/.exec(page)?.[1] ?? '', username: ada.username, password: ada.password };
  const answer = await request.post('/login', { form, maxRedirects: 0 });
  expect([answer.status(), answer.headers().location], 'signs in').toEqual([302, '/dashboard']);
}

/** Goes to a page, of the shop if the path does not say, and waits until it shows what it has. */
export async function open(page: Page, path: string, heading?: string): Promise<void> {
  await page.goto(addressOf(path));
  await page.getByRole('heading', { level: 1, ...(heading === undefined ? {} : { name: heading }) }).waitFor();
  await settled(page);
}

const addressOf = (path: string) => (/^\/(manage|apps\/new)/.test(path) ? `/dashboard${path}` : `/dashboard/apps/${shop._id}${path}`);

/** Does what open does without loading the dashboard again, which would take most of the time. A page with the same heading is loaded, since nothing would tell when the next one is there. */
export async function turnTo(page: Page, path: string, heading: string): Promise<void> {
  const there = page.getByRole('heading', { level: 1, name: heading });
  if (page.url() === 'about:blank' || (await there.count()) > 0) return open(page, path, heading);
  await page.evaluate((url) => {
    history.pushState({}, '', url);
    dispatchEvent(new PopStateEvent('popstate', { state: {} })); // as the browser's buttons do
  }, addressOf(path));
  await there.waitFor();
  await settled(page);
}

/** The texts of the rows of a table. */
export async function rowsOf(page: Page, caption: string | RegExp): Promise<string[][]> {
  const table = page.getByRole('table', { name: caption });
  await table.waitFor();
  return table.locator('tbody tr').evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent.trim())));
}

/** Waits until something has the focus, which dialogs take and give back a moment after they are shown or gone. */
export async function focused(what: Locator): Promise<void> {
  await expect.poll(() => what.evaluate((element) => element === document.activeElement)).toBe(true);
}

/** Chooses from the list that opens at a field, the first where there are several of the name. */
export async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).first().click();
}

/** Adds to the field of a list what its name, typed there, finds. */
export async function pick(page: Page, label: string, option: string): Promise<void> {
  const field = page.getByRole('combobox', { name: label, exact: true });
  await field.click();
  await field.pressSequentially(option);
  await page.getByRole('option', { name: option, exact: true }).click();
  await page.keyboard.press('Escape');
}

/**
 * Opens the list of the field that has the focus, with an arrow key or by typing a part of an option's name, and chooses the option by arrow keys. They are
 * pressed until it is marked: a list marks the option that it had, or none after typing, a moment later.
 */
export async function pickByKeys(page: Page, option: string, typed = ''): Promise<void> {
  const marked = page.locator('[role=option][data-combobox-selected]');
  await (typed === '' ? page.keyboard.press('ArrowDown') : page.keyboard.type(typed));
  await page.getByRole('option').filter({ hasText: option }).first().waitFor();
  const found = async () => {
    if ((await marked.allTextContents())[0]?.includes(option) === true) return true;
    await page.keyboard.press('ArrowDown');
    return false;
  };
  await expect.poll(found).toBe(true);
  await page.keyboard.press('Enter');
}

/** A member who may read the core figures of the shop and nothing else. */
export async function hire(clerk: { username: string; password: string }): Promise<void> {
  await api.call('/i/users/create', {
    args: {
      ...clerk,
      full_name: 'Clerk Reader',
      email: 'clerk@example.test',
      permission: { _: { a: [], u: [[shop._id]] }, c: {}, r: { [shop._id]: { all: false, allowed: { core: true } } }, u: {}, d: {} },
    },
  });
}

/** Looks at a page of the shop as the administrator has it on a phone, in the dark and in German: nothing scrolls sideways, and there is no barrier, nor what check looks for. */
export async function onPhone(path: string, heading: string, name: string, check: (page: Page) => Promise<void> = () => Promise.resolve()): Promise<void> {
  const storageState = await admin.context.storageState();
  const { page, context, faults } = await openPage(browser, server.url, { storageState, colorScheme: 'dark', viewport: { width: 390, height: 844 }, hasTouch: true, locale: 'de-DE' });
  await open(page, path, heading);
  await shoot(page, name);
  expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), 'scrolls sideways').toBe(false);
  await check(page);
  expect(await barriers(page), name).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
}
