import { beforeAll, expect, test } from 'vitest';
import { openPage, type Watched } from './browser';
import { admin, api, browser, server, shop, stage } from './stage';
import { demoRequests } from './visitors';

stage({ fill: () => api.call('/i/bulk', { app_key: shop.key, requests: demoRequests({ now: Date.now(), days: 3, people: 5, seed: 9 }) }) });

let watched: Watched;

beforeAll(async () => {
  watched = await openPage(browser, server.url, { storageState: await admin.context.storageState() });
});

/** Has the server's answers to a path changed on their way. */
async function spoil(path: string, change: (body: Record<string, unknown>) => unknown): Promise<void> {
  await watched.page.route(
    (url) => url.pathname === path,
    async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: change((await response.json()) as Record<string, unknown>) });
    },
  );
}

test.each([
  ['en', 'Something went wrong', /^\/o\/slipping gave an unexpected response\. 0\.count: expected number, got "many"\.$/],
  ['de', 'Etwas ist schiefgelaufen', /^\/o\/slipping hat unerwartet geantwortet\. 0\.count: number erwartet, "many" erhalten\.$/],
])('a page says in %s what it cannot read of an answer, and reports it', async (lang, title, text) => {
  const { page, faults } = watched;
  await spoil('/o/slipping', (body) => (Array.isArray(body) ? body.map((row: object) => ({ ...row, count: 'many' })) : body));
  await page.goto('/dashboard');
  await page.evaluate((chosen) => localStorage.setItem('quipu-language', chosen), lang);
  await page.goto(`/dashboard/apps/${shop._id}/slipping`);
  const alert = page.getByRole('main').getByRole('alert');
  await alert.getByText(text).waitFor();
  expect(await alert.getByRole('heading').textContent()).toBe(title);
  expect(await page.getByRole('navigation').first().isVisible(), 'the rest of the page stands').toBe(true);
  expect(faults.splice(0)).toEqual([expect.stringMatching(text)]);
  await page.unrouteAll();
});

test('what surrounds every page says so, too, in place of a blank page', async () => {
  const { page, faults } = watched;
  await page.goto('/dashboard');
  await page.evaluate(() => localStorage.setItem('quipu-language', 'en'));
  await spoil('/o/users/me', withoutNames);
  await spoil('/o/batch', (body) => (Array.isArray(body) ? body.map((part: { body: unknown }) => ({ ...part, body: withoutNames(part.body) })) : body));
  await page.goto(`/dashboard/apps/${shop._id}`);
  await page.getByRole('alert').getByText('/o/users/me gave an unexpected response. full_name: expected string, got undefined.').waitFor();
  expect(faults.splice(0).join('\n')).toContain('full_name');
  await page.unrouteAll();
});

test('values that apps send take no page away', async () => {
  const { page, faults } = watched;
  await spoil('/o', (body) => ('segments' in body ? { ...body, segments: { ...(body.segments as object), Lookbook: null, 'Video played': [5, null, { a: 1 }] } } : body));
  await page.goto(`/dashboard/apps/${shop._id}/events`);
  await page.getByRole('table').first().waitFor();
  expect(faults).toEqual([]);
  await page.unrouteAll();
});

/** A member without the name. */
function withoutNames(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('full_name' in body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'full_name'));
}
