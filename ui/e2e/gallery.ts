import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPage, settled, signIn, startBrowser, turn } from './browser';
import { ada, fill, withAda, type Rich } from './rich';
import { startServer, type Server } from './server';

// Pictures of every page in every guise, of a server full of awkward data, for people to look at: npm run gallery.
// GALLERY names the guises wanted and PAGES the pages, both with commas; without, all are made.

const only = (name: string) => (process.env[name] ?? '').split(',').filter((word) => word !== '');

const phone = { viewport: { width: 390, height: 844 } };
const guises: Record<string, BrowserContextOptions & { rtl?: true; print?: true }> = {
  light: {},
  dark: { colorScheme: 'dark' },
  phone,
  'phone-dark': { ...phone, colorScheme: 'dark' },
  german: { locale: 'de-DE' },
  'german-phone': { ...phone, locale: 'de-DE', colorScheme: 'dark' },
  rtl: { rtl: true },
  print: { print: true },
};

const pages: Record<string, (rich: Rich) => string> = {
  overview: ({ shop }) => `/apps/${shop._id}?compare=previous`,
  'overview-year': ({ shop }) => `/apps/${shop._id}?period=365days&compare=year&figure=time`,
  'overview-filtered': ({ shop }) => `/apps/${shop._id}?compare=previous&filter=${encodeURIComponent('{"up.cc":{"$in":["US","DE"]},"up.p":{"$nin":["Windows"]}}')}`,
  'overview-nothing': ({ shop }) => `/apps/${shop._id}?filter=${encodeURIComponent('{"up.cc":{"$in":["AQ"]}}')}`,
  'overview-empty': ({ empty }) => `/apps/${empty._id}`,
  'overview-giant': ({ giant }) => `/apps/${giant._id}?period=today`,
  'overview-table': ({ shop }) => `/apps/${shop._id}?as=table&compare=previous&period=7days`,
  users: ({ shop }) => `/apps/${shop._id}/users?compare=previous`,
  'users-empty': ({ empty }) => `/apps/${empty._id}/users`,
  sessions: ({ shop }) => `/apps/${shop._id}/sessions?compare=year&period=90days`,
  'sessions-empty': ({ empty }) => `/apps/${empty._id}/sessions`,
  times: ({ shop }) => `/apps/${shop._id}/times`,
  'times-empty': ({ empty }) => `/apps/${empty._id}/times`,
  events: ({ shop }) => `/apps/${shop._id}/events?events=["Purchase","Video played","Product viewed"]`,
  'events-empty': ({ empty }) => `/apps/${empty._id}/events`,
  'events-giant': ({ giant }) => `/apps/${giant._id}/events?period=today`,
  event: ({ shop }) => `/apps/${shop._id}/events/Purchase?compare=previous`,
  'event-giant': ({ giant }) => `/apps/${giant._id}/events/A hundred million?period=today&figure=s`,
  'event-gone': ({ shop }) => `/apps/${shop._id}/events/Nobody sent this`,
  views: ({ shop, view }) => `/apps/${shop._id}/views?compare=previous&events=["${view}"]`,
  'views-empty': ({ empty }) => `/apps/${empty._id}/views`,
  'views-cut': ({ shop }) => `/apps/${shop._id}/views?only={"segment":"platform"}`,
  view: ({ shop, view }) => `/apps/${shop._id}/views/${view}?compare=previous`,
  'view-gone': ({ shop }) => `/apps/${shop._id}/views/nobody`,
  profiles: ({ shop }) => `/apps/${shop._id}/profiles`,
  'profiles-empty': ({ empty }) => `/apps/${empty._id}/profiles`,
  profile: ({ shop }) => `/apps/${shop._id}/profiles/3`,
  countries: ({ shop }) => `/apps/${shop._id}/countries?period=90days`,
  cities: ({ shop }) => `/apps/${shop._id}/cities?compare=previous`,
  languages: ({ shop }) => `/apps/${shop._id}/languages`,
  sources: ({ shop }) => `/apps/${shop._id}/sources`,
  technology: ({ shop }) => `/apps/${shop._id}/technology?compare=previous`,
  devices: ({ shop }) => `/apps/${shop._id}/technology?tab=devices&period=90days`,
  versions: ({ shop }) => `/apps/${shop._id}/versions`,
  'cities-empty': ({ empty }) => `/apps/${empty._id}/cities`,
  notes: ({ shop }) => `/apps/${shop._id}/notes`,
  'notes-empty': ({ empty }) => `/apps/${empty._id}/notes`,
  ingestion: ({ shop }) => `/apps/${shop._id}/ingestion`,
  settings: ({ shop }) => `/apps/${shop._id}/settings`,
  'settings-empty': ({ empty }) => `/apps/${empty._id}/settings`,
  'settings-giant': ({ giant }) => `/apps/${giant._id}/settings`,
  live: ({ shop }) => `/apps/${shop._id}/live`,
  'live-empty': ({ empty }) => `/apps/${empty._id}/live`,
  trends: ({ shop }) => `/apps/${shop._id}/trends?events=["Purchase","Added to cart"]&compare=previous`,
  'trends-by': ({ shop }) => `/apps/${shop._id}/trends?events=["Purchase"]&segment=["sg.category","up.p"]&tab=stacked&period=90days&filter={"up.cc":{"$in":["DE","US"]}}`,
  'trends-number': ({ shop }) => `/apps/${shop._id}/trends?events=["Purchase","Video played"]&tab=number&figure=median:dur&compare=previous`,
  'trends-area': ({ shop }) => `/apps/${shop._id}/trends?events=["Purchase"]&segment=["sg.payment"]&tab=area&figure=u`,
  'trends-none': ({ shop }) => `/apps/${shop._id}/trends`,
  'trends-empty': ({ empty }) => `/apps/${empty._id}/trends`,
  'profiles-filter': ({ shop }) => `/apps/${shop._id}/profiles?filter=${JSON.stringify(question)}`,
  compare: ({ shop }) => `/apps/${shop._id}/compare`,
  campaigns: ({ shop }) => `/apps/${shop._id}/campaigns`,
  'campaigns-empty': ({ empty }) => `/apps/${empty._id}/campaigns`,
  'crash-rules': ({ shop }) => `/apps/${shop._id}/crash-rules`,
  'crash-rules-empty': ({ empty }) => `/apps/${empty._id}/crash-rules`,
  cohorts: ({ shop }) => `/apps/${shop._id}/cohorts`,
  'cohorts-empty': ({ empty }) => `/apps/${empty._id}/cohorts`,
  'cohorts-new': ({ shop }) => `/apps/${shop._id}/cohorts?open=new`,
  cohort: ({ shop, cohort }) => `/apps/${shop._id}/cohorts/${cohort}`,
  'cohort-edit': ({ shop, cohort }) => `/apps/${shop._id}/cohorts/${cohort}?open=edit`,
  funnels: ({ shop }) => `/apps/${shop._id}/funnels`,
  'funnels-empty': ({ empty }) => `/apps/${empty._id}/funnels`,
  'funnels-new': ({ shop }) => `/apps/${shop._id}/funnels?open=new`,
  funnel: ({ shop, funnel }) => `/apps/${shop._id}/funnels/${funnel}?period=365days&compare=previous`,
  'funnel-by': ({ shop, funnel }) => `/apps/${shop._id}/funnels/${funnel}?period=365days&segment=up.p&filter={"up.cc":{"$in":["DE","US"]}}`,
  'funnel-edit': ({ shop, funnel }) => `/apps/${shop._id}/funnels/${funnel}?open=edit`,
  retention: ({ shop }) => `/apps/${shop._id}/retention?compare=previous`,
  online: ({ shop }) => `/apps/${shop._id}/online`,
  'online-empty': ({ empty }) => `/apps/${empty._id}/online`,
  active: ({ shop }) => `/apps/${shop._id}/active?compare=previous`,
  'active-by': ({ shop }) => `/apps/${shop._id}/active?period=90days&segment=up.p&figure=weeks`,
  'active-empty': ({ empty }) => `/apps/${empty._id}/active`,
  'retention-by': ({ shop }) => `/apps/${shop._id}/retention?period=90days&events=["Purchase"]&segment=up.p&only={"start":"recurring","mode":"on_or_after"}`,
  'retention-activity': ({ shop }) => `/apps/${shop._id}/retention?tab=activity`,
  revenue: ({ shop }) => `/apps/${shop._id}/revenue?compare=previous`,
  'revenue-by': ({ shop }) => `/apps/${shop._id}/revenue?segment=sg.category&figure=arppu`,
  'revenue-ltv': ({ shop }) => `/apps/${shop._id}/revenue?tab=ltv&segment=up.p`,
  'revenue-empty': ({ empty }) => `/apps/${empty._id}/revenue`,
  'revenue-giant': ({ giant }) => `/apps/${giant._id}/revenue?period=today`,
  'compare-events': ({ shop }) => `/apps/${shop._id}/compare-events?compare=previous`,
  'retention-empty': ({ empty }) => `/apps/${empty._id}/retention`,
  flows: ({ shop }) => `/apps/${shop._id}/flows?period=365days`,
  'flows-views': ({ shop }) => `/apps/${shop._id}/flows?period=365days&tab=views&only={"direction":"around","bound":"3600"}`,
  'flows-table': ({ shop }) => `/apps/${shop._id}/flows?period=365days&as=table&segment=up.p`,
  'flows-empty': ({ empty }) => `/apps/${empty._id}/flows`,
  crashes: ({ shop }) => `/apps/${shop._id}/crashes?compare=previous`,
  'crashes-narrowed': ({ shop }) => `/apps/${shop._id}/crashes?figure=fatal&only={"state":"nonfatal","os":"macOS"}`,
  'crashes-empty': ({ empty }) => `/apps/${empty._id}/crashes`,
  symbols: ({ shop }) => `/apps/${shop._id}/symbols`,
  crash: ({ shop, crash }) => `/apps/${shop._id}/crashes/${crash}`,
  slipping: ({ shop }) => `/apps/${shop._id}/slipping`,
  'slipping-empty': ({ empty }) => `/apps/${empty._id}/slipping`,
  demo: ({ shop }) => `/apps/${shop._id}/demo`,
  'event-settings': ({ shop }) => `/apps/${shop._id}/event-settings`,
  'event-groups': ({ shop }) => `/apps/${shop._id}/event-settings?tab=groups`,
  'event-settings-empty': ({ empty }) => `/apps/${empty._id}/event-settings`,
  consent: ({ shop }) => `/apps/${shop._id}/consent`,
  'consent-history': ({ shop }) => `/apps/${shop._id}/consent?tab=history`,
  'consent-empty': ({ empty }) => `/apps/${empty._id}/consent`,
  subjects: ({ shop }) => `/apps/${shop._id}/subjects?only={"text":"demo-1"}`,
  'subjects-empty': ({ empty }) => `/apps/${empty._id}/subjects`,
  requests: ({ shop }) => `/apps/${shop._id}/requests`,
  'requests-empty': ({ empty }) => `/apps/${empty._id}/requests`,
  export: ({ shop }) => `/apps/${shop._id}/export`,
  'export-empty': ({ empty }) => `/apps/${empty._id}/export`,
  'new-app': () => '/apps/new',
  audit: () => '/manage/audit',
  tasks: () => '/manage/tasks',
  jobs: () => '/manage/jobs',
  health: () => '/manage/health',
  points: () => '/manage/points',
  logs: () => '/manage/logs',
  server: () => '/manage/settings',
  'server-features': () => '/manage/settings?tab=features',
  apps: () => '/manage/apps',
  members: () => '/manage/members',
  tokens: () => '/manage/tokens',
  reference: () => '/manage/reference',
  'reference-operation': () => '/manage/reference?open=postNotesSave',
  account: () => '/manage/account',
  about: () => '/manage/about',
  missing: () => '/no/such/page',
};

/** What opens above a page, and how. */
const above: Record<string, { path: (rich: Rich) => string; act: (page: Page) => Promise<void> }> = {
  palette: { path: ({ shop }) => `/apps/${shop._id}/languages`, act: (page) => page.keyboard.press('Control+k') },
  shortcuts: { path: ({ shop }) => `/apps/${shop._id}/languages`, act: (page) => page.keyboard.press('?') },
  period: { path: ({ shop }) => `/apps/${shop._id}/languages?period=2026-01-05..2026-01-11&compare=year&match=weekday`, act: (page) => page.locator('.period-button').click() },
  'account-menu': { path: ({ shop }) => `/apps/${shop._id}/languages`, act: (page) => page.locator('header button').last().click() },
  bell: { path: ({ shop }) => `/apps/${shop._id}/languages`, act: (page) => page.locator('header button').nth(-2).click() },
  'note-form': { path: ({ shop }) => `/apps/${shop._id}/notes?open=new`, act: () => Promise.resolve() },
  'member-form': { path: () => '/manage/members?open=new', act: () => Promise.resolve() },
  'token-form': { path: () => '/manage/tokens?open=new', act: () => Promise.resolve() },
  'audit-entry': { path: () => '/manage/audit', act: (page) => page.locator('tbody tr').nth(3).locator('a, button').first().click() },
  request: { path: ({ shop }) => `/apps/${shop._id}/requests`, act: (page) => page.locator('tbody tr').first().locator('a, button').first().click() },
};

/** The pages that the server draws, for who is not signed in. */
const signIns: Record<string, string> = {
  login: '/login',
  'login-wrong': '/login?message=login.result',
  forgot: '/forgot',
  'login-after': '/login?message=forgot.result',
  'forgot-expired': '/forgot?message=form.expired',
  'login-error': '/reset',
};

const question = { $or: [{ cc: { $in: ['DE', 'FR'] } }, { $and: [{ sc: { $gte: 2, $lte: 100000000 } }, { lac: { $gte: 1767225600 } }] }] };

let server: Server;
let browser: Browser;
let rich: Rich;
let storageState: Awaited<ReturnType<BrowserContext['storageState']>>;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(withAda), startBrowser()]);
  rich = await fill(server, Date.now());
  const { page, context } = await openPage(browser, server.url);
  await signIn(page, ada.username, ada.password);
  await page.getByRole('heading', { level: 1 }).waitFor();
  storageState = await context.storageState();
  await context.close();
});

afterAll(async () => {
  await browser.close();
  await server.stop();
});

/** Waits until a page is drawn: nothing on it has been loading for some frames. */
async function drawn(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled(page);
  await page.evaluate(async () => {
    for (let quiet = 0; quiet < 20; quiet++) {
      await new Promise(requestAnimationFrame);
      if (document.querySelector('.mantine-Loader-root') !== null) quiet = 0;
    }
  });
}

const wanted = Object.entries(guises).filter(([name]) => only('GALLERY').length === 0 || only('GALLERY').includes(name));

test.each(wanted)('in the guise %s', async (guise, { rtl, print, ...options }) => {
  const dir = join(import.meta.dirname, 'shots', guise);
  mkdirSync(dir, { recursive: true });
  const { page, context, faults } = await openPage(browser, server.url, { storageState, ...options });
  if (rtl === true) await turn(page);
  if (print === true) await page.emulateMedia({ media: 'print' });
  const wide: string[] = [];
  for (const [name, pathOf] of Object.entries(pages)) {
    if (only('PAGES').length > 0 && !only('PAGES').includes(name)) continue;
    await page.goto(`/dashboard${pathOf(rich)}`);
    await drawn(page);
    await page.screenshot({ path: join(dir, `${name}.png`), fullPage: true });
    if (await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)) wide.push(name);
  }
  for (const [name, { path, act }] of Object.entries(above)) {
    if (print === true || (only('PAGES').length > 0 && !only('PAGES').includes(name))) continue;
    await page.goto(`/dashboard${path(rich)}`);
    await drawn(page);
    await act(page);
    await page.locator('[role=dialog]').first().waitFor();
    await drawn(page);
    await page.screenshot({ path: join(dir, `${name}.png`) });
  }
  await context.clearCookies();
  for (const [name, path] of Object.entries(signIns)) {
    if (only('PAGES').length > 0 && !only('PAGES').includes(name)) continue;
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.screenshot({ path: join(dir, `${name}.png`), fullPage: true });
  }
  expect(faults.filter((fault) => !fault.endsWith('/reset)'))).toEqual([]); // the page of what is missing is asked for
  expect(wide, 'pages that scroll sideways').toEqual([]);
  await context.close();
});
