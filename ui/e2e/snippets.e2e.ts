import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { snippets, webSDK, type Snippet } from '../src/features/apps/snippets';
import { startBrowser } from './browser';
import { Api, startServer, withAda, type Server } from './server';

// What a person copies from the settings of an app is run as it is, with the real SDKs.

const sdks = join(import.meta.dirname, '../../e2e/node_modules');

let server: Server;
let browser: Browser;
let api: Api;
let dir: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'quipu-snippets-'));
  // A copy, since the SDK of Node.js keeps its queue beside itself.
  for (const name of ['countly-sdk-web', 'countly-sdk-nodejs']) cpSync(join(sdks, name), join(dir, 'node_modules', name), { recursive: true });
  [server, browser] = await Promise.all([startServer(withAda), startBrowser('full')]);
  api = await Api.of(server);
});

afterAll(async () => {
  await browser.close();
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** A new app and the snippet that its page shows. */
async function snippetOf(id: Snippet['id']): Promise<{ app: string; code: string }> {
  const { _id, key } = await api.call<{ _id: string; key: string }>('/i/apps/create', { args: { name: id, timezone: 'UTC', type: 'web' } });
  const code = snippets(server.url, key).find((s) => s.id === id)?.use.code;
  if (code === undefined) throw new Error(`no snippet ${id}`);
  return { app: _id, code };
}

/** Waits until the greeting of a snippet and its session have come. */
async function arrived(app: string): Promise<void> {
  const greetings = async () => (await api.call<{ all: { _id: string; c: number }[] }>('/o/analytics/events', { app_id: app, period: 'today' })).all;
  await expect.poll(greetings, { timeout: 20_000 }).toContainEqual(expect.objectContaining({ _id: 'hello', c: 1 }));
  const sessions = async () => (await api.call<{ t: number }[]>('/o/analytics/sessions', { app_id: app, period: 'today' })).reduce((sum, row) => sum + row.t, 0);
  await expect.poll(sessions, { timeout: 20_000 }).toBe(1);
}

/** Serves a page of a shop, and looks at it as a customer does. */
async function visit(app: string, answer: (path: string) => { type: string; body: string | Buffer }): Promise<void> {
  const shop = createServer((request, response) => {
    const { type, body } = answer(request.url ?? '/');
    response.setHeader('Content-Type', type);
    response.end(body);
  }).listen(0, '127.0.0.1');
  await once(shop, 'listening');
  const address = shop.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  try {
    // The SDK does not count robots, and takes a headless browser for one.
    const page = await browser.newPage({ userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36' });
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    // The network that delivers the SDK is that of this machine; what it delivers is the package's own file.
    await page.route(webSDK, (route) => route.fulfill({ contentType: 'text/javascript', body: readFileSync(join(sdks, 'countly-sdk-web/lib/countly.min.js')) }));
    await page.goto(`http://127.0.0.1:${address.port}/`);
    await arrived(app);
    expect(faults).toEqual([]);
    await page.close();
  } finally {
    shop.closeAllConnections();
    shop.close();
  }
}

test('the snippet for the web sends from a page', async () => {
  const { app, code } = await snippetOf('web');
  const root = join(dir, 'web');
  mkdirSync(root);
  writeFileSync(join(root, 'index.js'), code);
  writeFileSync(join(root, 'index.html'), '<!doctype html><title>Shop</title><script type="module" src="./index.js"></script>');
  await build({ root, logLevel: 'error', configFile: false, build: { outDir: join(root, 'out'), rolldownOptions: { output: { entryFileNames: 'index.js' } } } });
  await visit(app, (path) => {
    const script = path.endsWith('.js');
    return { type: script ? 'text/javascript' : 'text/html', body: readFileSync(join(root, 'out', script ? 'index.js' : 'index.html')) };
  });
});

test('the script tag for the web sends from a page without a build', async () => {
  const { app, code } = await snippetOf('web-script');
  const { version } = JSON.parse(readFileSync(join(sdks, 'countly-sdk-web/package.json'), 'utf8')) as { version: string };
  expect(webSDK, 'the version that is tested').toContain(`@${version}/`);
  await visit(app, () => ({ type: 'text/html', body: `<!doctype html><title>Shop</title>${code}` }));
});

test.each([
  ['node', [process.execPath, 'index.js']],
  ['http', ['sh', 'index.js']],
] as const)('the snippet for %s sends from a process', async (id, [command, file]) => {
  const { app, code } = await snippetOf(id);
  const root = join(dir, id);
  mkdirSync(root);
  writeFileSync(join(root, file), code);
  const sender = spawn(command, [file], { cwd: root, stdio: 'ignore' });
  try {
    await arrived(app);
  } finally {
    if (sender.exitCode === null) {
      const exited = once(sender, 'exit');
      sender.kill();
      await exited;
    }
  }
});
