import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { barriers, look, openPage, shoot, signIn, turn } from './browser';
import { ada } from './server';
import { admin, api, browser, hire, open, server, shop, stage } from './stage';

stage();

const visit = (page: Page, query = '') => open(page, `/manage/reference${query}`, 'API reference');
const list = (page: Page) => page.getByRole('navigation', { name: 'Operations' });
const form = (page: Page) => page.getByRole('form', { name: 'Try it' });
const came = (page: Page) => page.getByRole('region', { name: 'Try it' }).getByRole('status');

test('the page says how to begin, and lists the operations by group', async () => {
  const { page } = admin;
  await visit(page);
  await page.getByRole('heading', { name: 'Getting started' }).waitFor();
  await page.getByText(server.url, { exact: true }).waitFor();
  await list(page).getByText(/^\d{3} operations$/).waitFor();
  await list(page).locator('summary', { hasText: 'apps' }).first().click();
  await list(page).getByRole('link', { name: '/o/apps/mine' }).waitFor();
  await look(page, 'reference');
});

test('an operation is found by its path, by a parameter and by the code of a fault', async () => {
  const { page } = admin;
  await visit(page);
  const search = page.getByRole('searchbox', { name: 'Search operations' });
  await search.fill('notes.too_many');
  await list(page).getByText('matches notes.too_many').first().waitFor();
  await look(page, 'reference-search');
  await search.fill('no such thing');
  await list(page).getByText('No operation matches').waitFor();
  await search.fill('list apps of the caller');
  await list(page).getByText('1 operation', { exact: true }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 2, name: 'List apps of the caller' }).waitFor();
  expect(new URL(page.url()).searchParams.get('open')).toBe('getAppsMine');
});

test('an operation has its address: parameters, code, answer and faults', async () => {
  const { page } = admin;
  await visit(page, '?open=postNotesSave');
  await page.getByRole('heading', { level: 2, name: 'Create or change a note' }).waitFor();
  const parameters = page.getByRole('region', { name: 'Parameters' }).last();
  await parameters.getByRole('row', { name: /args required body or query object/ }).waitFor();
  await page.getByRole('region', { name: 'Faults' }).last().getByRole('row', { name: /notes\.too_many/ }).waitFor();
  for (const [language, part] of [['curl', '--data-urlencode'], ['JavaScript', 'await fetch('], ['Python', 'requests.post('], ['Go', 'http.NewRequest(']] as const) {
    await page.getByRole('radiogroup', { name: 'Language' }).getByText(language, { exact: true }).click();
    const code = (await page.getByRole('region', { name: `Request in ${language}` }).textContent()) ?? '';
    expect(code).toContain(part);
    expect(code).toContain(`${server.url}/i/notes/save`);
  }
  await look(page, 'reference-operation');
  await page.goto('/dashboard/manage/reference?open=none');
  await page.getByRole('heading', { name: 'There is no such operation' }).waitFor();
});

test('a read is tried with one’s session, and with a key instead of it', async () => {
  const { page } = admin;
  await visit(page, '?open=getAppsMine');
  await form(page).getByRole('button', { name: 'Send' }).click();
  await came(page).getByText('Status 200').waitFor();
  expect(await came(page).getByRole('region', { name: 'Body' }).textContent()).toContain(shop._id);
  await look(page, 'reference-tried');
  await form(page).getByText('Key or token', { exact: true }).click();
  await form(page).getByRole('button', { name: 'Send' }).click();
  await form(page).getByRole('alert').getByText('Fill in: API key or token').waitFor();
  await form(page).getByLabel('API key or token').first().fill('0123456789abcdef0123456789abcdef');
  const refused = admin.faults.length;
  await form(page).getByRole('button', { name: 'Send' }).click();
  await came(page).getByText(/^Status 40\d$/).waitFor();
  admin.faults.splice(refused); // the browser itself says that a request was refused
  await came(page).getByText('auth.', { exact: false }).first().waitFor();
  await form(page).getByLabel('API key or token').first().fill(await keyOf());
  await form(page).getByRole('button', { name: 'Send' }).click();
  await came(page).getByText('Status 200').waitFor();
  expect(await page.evaluate((key) => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), location.href]).includes(key), await keyOf())).toBe(false);
});

test('a fault shows its code, its cause and what to do', async () => {
  const { page } = admin;
  await visit(page, '?open=getApps');
  await page.goto('/dashboard/manage/reference?open=getTasksTask');
  const refused = admin.faults.length;
  await form(page).getByRole('button', { name: 'Send' }).click();
  await came(page).getByText(/^Status 400$/).waitFor();
  admin.faults.splice(refused);
  const code = (await came(page).locator('code').first().textContent()) ?? '';
  expect(code).toMatch(/^\w+\.\w+$/);
  await came(page).getByText('Quipu-Error', { exact: true }).waitFor();
  await look(page, 'reference-fault');
});

test('a write asks before it is sent', async () => {
  const { page } = admin;
  await visit(page, '?open=postNotesSave');
  await form(page).getByLabel('args').fill('{"note":');
  await form(page).getByRole('button', { name: 'Send' }).click();
  await form(page).getByRole('alert').getByText('Invalid JSON: args').waitFor();
  await form(page).getByLabel('args').fill(JSON.stringify({ app_id: shop._id, note: 'Written here', ts: 1_750_000_000_000, noteType: 'public' }));
  await form(page).getByRole('button', { name: 'Send' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send this write request?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  const notes = async () => JSON.stringify(await api.call('/o/notes', { app_id: shop._id, notes_apps: [shop._id], period: [1_700_000_000_000, 1_800_000_000_000] })).includes('Written here');
  expect(await notes()).toBe(false);
  await form(page).getByRole('button', { name: 'Send' }).click();
  await dialog.getByRole('button', { name: 'Send' }).click();
  await came(page).getByText('Status 200').waitFor();
  expect(await notes()).toBe(true);
});

test('a member with few rights reads it, on a phone and from right to left', async () => {
  const clerk = { username: 'clerk', password: 'Clerk-1234-pass' };
  await hire(clerk);
  const { page, context, faults } = await openPage(browser, server.url, { viewport: { width: 375, height: 740 } });
  await signIn(page, clerk.username, clerk.password);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  const narrow = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await visit(page);
  expect(await narrow()).toBeLessThanOrEqual(0);
  await shoot(page, 'reference-phone');
  await visit(page, '?open=getCohortsPreview&q=cohorts');
  await shoot(page, 'reference-phone-unknown');
  await visit(page, '?open=getAppsMine&q=apps');
  await page.getByRole('heading', { level: 2, name: 'List apps of the caller' }).waitFor();
  expect(await narrow()).toBeLessThanOrEqual(0);
  expect(await barriers(page)).toEqual([]);
  await shoot(page, 'reference-phone-operation');
  await page.getByRole('link', { name: 'All operations' }).click();
  await list(page).waitFor();
  expect(await page.getByRole('searchbox', { name: 'Search operations' }).inputValue()).toBe('apps');
  await turn(page);
  await visit(page, '?open=postNotesSave');
  expect(await narrow()).toBeLessThanOrEqual(0);
  expect(faults).toEqual([]);
  await context.close();
});

test('it is in German, and its words are not in the first page', async () => {
  const { page, context } = await openPage(browser, server.url, { locale: 'de-DE', storageState: await admin.context.storageState() });
  await page.goto('/dashboard/manage/reference?open=getAppsMine');
  await page.getByRole('heading', { name: 'Ausprobieren' }).waitFor();
  await shoot(page, 'reference-german');
  await context.close();
});

/** The administrator's key. */
async function keyOf(): Promise<string> {
  const basic = Buffer.from(`${ada.username}:${ada.password}`).toString('base64');
  return (await fetch(`${server.url}/api-key`, { headers: { Authorization: `Basic ${basic}` } })).text();
}
