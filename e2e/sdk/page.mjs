// A page with the unmodified web SDK in headless Chromium, of another origin than the server.
// CHROMIUM names the browser; otherwise it is Chromium's headless shell where there is one, which takes less of the processor, unless the page asks what it runs in.
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const require = createRequire(import.meta.url);

const browsers = { shell: 'command -v chromium-headless-shell || command -v chromium', full: 'command -v chromium' };

/** Runs tell with the page, and fails if the page reported a problem that is not expected. serve returns what else is at a path: its type and its text. The full browser is that which people use. */
export async function withPage(tell, { expected = /^$/, serve = () => undefined, which = 'shell' } = {}) {
  const sdk = await readFile(require.resolve('countly-sdk-web/lib/countly.min.js'));
  const pages = createServer(async (req, res) => {
    const other = await serve(new URL(req.url, 'http://page').pathname);
    if (other) {
      res.setHeader('Content-Type', `${other.type}; charset=utf-8`);
      res.end(other.text);
      return;
    }
    if (req.url.startsWith('/countly.min.js')) {
      res.setHeader('Content-Type', 'text/javascript');
      res.end(sdk);
      return;
    }
    res.setHeader('Content-Type', 'text/html; charset=utf-8');
    res.end('<!doctype html><title>shop</title><h1>shop</h1><script src="/countly.min.js"></script>');
  });
  await new Promise((done) => { pages.listen(0, '127.0.0.1', done); });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? execFileSync('sh', ['-c', browsers[which]]).toString().trim(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  try {
    const page = await browser.newPage({
      userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36',
    });
    const problems = [];
    page.on('pageerror', (e) => problems.push(String(e)));
    page.on('console', (m) => m.type() === 'error' && problems.push(m.text()));
    await page.goto(`http://127.0.0.1:${pages.address().port}/`);
    await tell(page);
    const unexpected = problems.filter((p) => !expected.test(p));
    if (unexpected.length > 0) throw new Error(`the page reported: ${unexpected.join('; ')}`);
  } finally {
    await browser.close();
    pages.close();
  }
}

/** Waits until the SDK of the page keeps nothing to send. A request under way is still kept. */
export async function emptied(page, appKey) {
  await page.waitForFunction((key) => ['cly_queue', 'cly_event'].every(
    (name) => JSON.parse(localStorage.getItem(`${key}/${name}`) ?? '[]').length === 0,
  ), appKey, { timeout: 60_000, polling: 20 });
}
