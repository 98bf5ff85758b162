import type axe from 'axe-core';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Locator, type Page } from 'playwright-core';
import { expect } from 'vitest';

const shots = join(import.meta.dirname, 'shots');

/** The browsers that tests run in: Chromium's headless shell where there is one, which takes a fifth less of the processor, and the Chromium that people use. */
const browsers = { shell: 'command -v chromium-headless-shell || command -v chromium', full: 'command -v chromium' };

/** Starts a browser of the machine, without V8's optimizing compilers, which cost more than they save in a test. The full one is for pages that ask what they run in. */
export async function startBrowser(which: keyof typeof browsers = 'shell'): Promise<Browser> {
  const executablePath = execFileSync('sh', ['-c', browsers[which]]).toString().trim();
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--js-flags=--no-turbofan --no-maglev'] });
}

let shared: Promise<Browser> | undefined;

/** The browser of this worker, which starts with the first file that asks for it and ends with the worker. */
export async function sharedBrowser(): Promise<Browser> {
  return (shared ??= startBrowser());
}

/** Closes all pages of the shared browser with what they have stored: the next file finds none. */
export async function closePages(): Promise<void> {
  const browser = await sharedBrowser();
  await Promise.all(browser.contexts().map((context) => context.close()));
}

/** A page that collects what must not happen: errors on the console, requests to other hosts. */
export interface Watched {
  context: BrowserContext;
  page: Page;
  faults: string[];
  /** Bytes of scripts and styles that the page has loaded, as they travel. */
  loaded: () => number;
}

/** Opens a page for a server. */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext({
    baseURL: url,
    locale: 'en-US',
    timezoneId: 'UTC',
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => {
    const target = request.url();
    if (!target.startsWith(url) && !/^(data|blob):/.test(target)) faults.push(`request to ${target}`);
  });
  let bytes = 0;
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.startsWith('/assets/')) bytes += Number(response.headers()['content-length']);
  });
  return { context, page, faults, loaded: () => bytes };
}

const axeSource = readFileSync(join(import.meta.dirname, '../node_modules/axe-core/axe.min.js'), 'utf8');
const everything = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] } as const;
const colours = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } as const;

/** What a page does against WCAG 2.2 AA, as far as a program can tell. */
export async function barriers(page: Page, only: typeof everything | typeof colours = everything): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const { violations } = await page.evaluate(
    // Style sheets are preloaded for experimental rules only, which do not run.
    ({ type, values }) => window.axe.run(document, { runOnly: { type, values: [...values] }, resultTypes: ['violations'], preload: { assets: ['media'] } }),
    only,
  );
  return violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`);
}

/** Waits until nothing on the page says that it is loading. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('.mantine-Loader-root') === null);
}

/** Looks at a page: a picture for people, and no barrier in light or dark, which differ in nothing but colours. */
export async function look(page: Page, name: string): Promise<void> {
  await shoot(page, name);
  expect(await barriers(page), `${name}, light`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await barriers(page, colours), `${name}, dark`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Signs in on the page that the server renders. */
export async function signIn(page: Page, login: string, password: string): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('User name or e-mail').fill(login);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** Keeps a picture of a page for people to look at; not in CI, where nobody does. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (process.env.CI !== undefined) return;
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
}

/** Lets every page that is opened read from right to left, as in a language that none of the texts is in. */
export async function turn(page: Page): Promise<void> {
  await page.route('**/dashboard**', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace('<html ', '<html dir="rtl" ');
    await route.fulfill({ response, body });
  });
}

const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Areas' });

/** The heads of the areas of the menu, which open and close them. */
const areasOf = (page: Page) => menuOf(page).locator('button[aria-expanded]');

/** Opens an area of the menu with all of its pages in sight. */
async function unfold(page: Page, at: number): Promise<void> {
  const area = areasOf(page).nth(at);
  if ((await area.getAttribute('aria-expanded')) === 'false') await area.click();
  const more = area.locator('xpath=..').getByRole('button', { name: /^\d+ more$/ });
  if ((await more.count()) > 0) await more.click();
}

/** The link to a page in the menu, whose areas are opened until it is in sight. */
export async function linkTo(page: Page, name: string): Promise<Locator> {
  const link = menuOf(page).getByRole('link', { name, exact: true });
  await areasOf(page).first().waitFor();
  for (let at = 0; (await link.count()) === 0 && at < (await areasOf(page).count()); at++) await unfold(page, at);
  return link.first();
}

/** The names of all pages that the menu has. */
export async function pagesOf(page: Page): Promise<string[]> {
  const names: string[] = [];
  await areasOf(page).first().waitFor();
  for (let at = 0; at < (await areasOf(page).count()); at++) {
    await unfold(page, at);
    names.push(...(await areasOf(page).nth(at).locator('xpath=..').getByRole('link').allTextContents()));
  }
  return names;
}
