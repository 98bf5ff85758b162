// Drives the unmodified browser SDK of Sentry, which the browser loads module by module. Arguments: server URL, app key.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { withPage } from './page.mjs';

const [url, appKey] = process.argv.slice(2);
const { host } = new URL(url);
const packages = fileURLToPath(new URL('../node_modules/', import.meta.url));
const imports = Object.fromEntries([
  '@sentry/browser', '@sentry/browser-utils', '@sentry/core', '@sentry/core/browser', '@sentry/feedback', '@sentry/replay', '@sentry/replay-canvas',
  '@sentry/conventions/attributes',
].map((name) => [name, `/modules/${fileURLToPath(import.meta.resolve(name)).slice(packages.length)}`]));

const html = `<!doctype html><title>shop</title><script type="importmap">${JSON.stringify({ imports })}</script><button id="pay">Pay</button>
<script type="module">import * as Sentry from '@sentry/browser'; window.Sentry = Sentry;
document.getElementById('pay').addEventListener('click', function payNow() { undefined.missing(); });</script>`;

async function serve(path) {
  if (path === '/sentry') return { type: 'text/html', text: html };
  if (path.startsWith('/modules/')) return { type: 'text/javascript', text: await readFile(packages + decodeURIComponent(path.slice('/modules/'.length))) };
  return undefined;
}

await withPage(async (page) => {
  await page.goto(new URL('/sentry', page.url()).href);
  await page.waitForFunction(() => window.Sentry !== undefined);
  const answers = [];
  page.on('response', (r) => r.url().includes('/api/7/envelope/') && answers.push(r.status()));
  await page.evaluate(([to, key]) => {
    const { Sentry } = window;
    Sentry.init({ dsn: `http://${key}@${to}/7`, release: 'shop@2.0.0' });
    Sentry.setUser({ id: 'sentry-web' });
    console.log('before'); // a breadcrumb
  }, [host, appKey]);
  await page.click('#pay');
  await page.evaluate(() => window.Sentry.flush(5000));
  if (answers.length < 2 || answers.some((status) => status !== 200)) throw new Error(`answers are ${answers}`);
}, { expected: /missing/, serve, which: 'full' });
process.exit(0);
