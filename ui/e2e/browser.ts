import axe from 'axe-core';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';

const shots = join(import.meta.dirname, 'shots');

/** Starts the Chromium of the machine. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = execFileSync('sh', ['-c', 'command -v chromium']).toString().trim();
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
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

/** What a page does against WCAG 2.2 AA, as far as a program can tell. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const { violations } = await page.evaluate((runOnly) => window.axe.run(document, { runOnly }), tags);
  return violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`);
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** Keeps a picture of a page for people to look at. */
export async function shoot(page: Page, name: string): Promise<void> {
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
}
