import { once } from 'node:events';
import { createServer, request, type Server as Proxy } from 'node:http';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closePages, linkTo, openPage, settled, sharedBrowser, shoot, type Watched } from './browser';
import { ada, Api, startServer, withAda, type Server } from './server';
import { demoRequests } from './visitors';

const base = '/analytics';

let server: Server;
let proxy: Proxy;
let browser: Browser;
let admin: Watched;
let app: { _id: string; key: string };
/** What was asked for beside the base path: the proxy has another server there. */
const strays: string[] = [];

/** Passes what is below the base path on, with it or without, and answers all else itself, as a proxy for several servers does. */
async function proxyTo(target: string, strip: boolean): Promise<Proxy> {
  const server = createServer((from, to) => {
    const path = from.url ?? '';
    if (!path.startsWith(`${base}/`)) {
      strays.push(path);
      to.writeHead(404).end();
      return;
    }
    const on = request(`${target}${strip ? path.slice(base.length) : path}`, { method: from.method, headers: from.headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(to);
    });
    on.on('error', () => to.destroy());
    to.on('close', () => on.destroy());
    from.pipe(on);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function addressOf(proxy: Proxy): string {
  const at = proxy.address();
  if (at === null || typeof at === 'string') throw new Error('no port');
  return `http://127.0.0.1:${at.port}`;
}

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer({ ...withAda, QUIPU_BASE_PATH: base }), sharedBrowser()]);
  proxy = await proxyTo(server.url, false);
  const api = await Api.of({ ...server, url: addressOf(proxy) + base });
  app = await api.call('/i/apps/create', { args: { name: 'Corner shop', timezone: 'UTC', type: 'web' } });
  await api.call('/i/bulk', { app_key: app.key, requests: demoRequests({ now: Date.now(), days: 3, people: 10, seed: 7 }) });
  admin = await openPage(browser, addressOf(proxy));
});

afterAll(async () => {
  await closePages();
  proxy.closeAllConnections();
  proxy.close();
  await server.stop();
});

test('below a path of a host the dashboard signs in, shows pages, reloads, and signs out', async () => {
  const { page, context, faults } = admin;
  await page.goto(`${base}/dashboard/apps/${app._id}/technology?period=7days`);
  expect(new URL(page.url()).pathname).toBe(`${base}/login`);
  await page.getByLabel('User name or e-mail').fill(ada.username);
  await page.getByLabel('Password').fill(ada.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('table').first().waitFor();
  expect(new URL(page.url()).pathname).toBe(`${base}/dashboard/apps/${app._id}/technology`);
  const cookies = await context.cookies();
  expect(cookies.map(({ name }) => name).sort()).toEqual(['quipu_device-analytics', 'quipu_session-analytics']);
  await (await linkTo(page, 'Export')).click();
  await page.getByRole('heading', { level: 1, name: 'Export' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`${base}/dashboard/apps/${app._id}/export`);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Export' }).waitFor();
  await page.goto(`${base}/dashboard/apps/${app._id}/live`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled(page);
  await page.goto(`${base}/dashboard/apps/${app._id}/settings`);
  await page.getByText(`${addressOf(proxy)}${base}`).first().waitFor();
  await shoot(page, 'base-path-settings');
  await page.goto('about:blank'); // the page would go to the sign-in by itself, too
  await context.clearCookies();
  await page.goto(`${base}/dashboard/apps/${app._id}/events?period=7days`);
  expect(new URL(page.url()).pathname).toBe(`${base}/login`);
  expect(new URL(page.url()).searchParams.get('next')).toBe(`/dashboard/apps/${app._id}/events?period=7days`);
  expect(strays).toEqual([]);
  expect(faults).toEqual([]);
});

test('a proxy may take the path off', async () => {
  const stripping = await proxyTo(server.url, true);
  const { page, context, faults } = await openPage(browser, addressOf(stripping));
  await page.goto(`${base}/`);
  await page.getByLabel('User name or e-mail').fill(ada.username);
  await page.getByLabel('Password').fill(ada.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await settled(page);
  await page.getByRole('button', { name: /Ada Lovelace|Account/ }).first().click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('User name or e-mail').waitFor();
  expect(new URL(page.url()).pathname).toBe(`${base}/login`);
  expect(strays).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
  stripping.closeAllConnections();
  stripping.close();
});
