// Drives the unmodified web SDK in headless Chromium, from a page of another
// origin than the server, and prints, as JSON, what was sent. Arguments:
// server URL, app key. CHROMIUM names the browser.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const require = createRequire(import.meta.url);
const sdk = await readFile(require.resolve('countly-sdk-web/lib/countly.min.js'));
const [url, appKey] = process.argv.slice(2);

const pages = createServer((req, res) => {
  if (req.url.startsWith('/countly.min.js')) {
    res.setHeader('Content-Type', 'text/javascript');
    res.end(sdk);
    return;
  }
  res.setHeader('Content-Type', 'text/html; charset=utf-8');
  res.end('<!doctype html><title>shop</title><h1>shop</h1><script src="/countly.min.js"></script>');
});
await new Promise((done) => pages.listen(0, '127.0.0.1', done));

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
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
  await page.evaluate(async ([server, key]) => {
    const { Countly } = window;
    Countly.init({
      app_key: key, url: server, device_id: 'web-anonymous', app_version: '2.0', require_consent: true,
      interval: 20, fail_timeout: 1, session_update: 3600, country_code: 'FR', city: 'Lyon', ignore_bots: false,
    });
    Countly.add_consent(['sessions', 'events', 'views', 'users', 'crashes', 'location']);
    Countly.begin_session(true);
    for (let i = 0; i < 7; i++) Countly.add_event({ key: 'checkout', count: 1, sum: 2.25, segmentation: { step: i % 3, coupon: i % 2 === 0 } });
    Countly.track_pageview('/shop');
    Countly.track_pageview('/cart');
    Countly.user_details({ name: 'Grace Example', gender: 'F', custom: { level: 3 } });
    Countly.session_duration(25);
    await new Promise((r) => setTimeout(r, 300));
    Countly.change_id('web-known', true);
    Countly.add_event({ key: 'checkout', count: 3, sum: 1 });
    Countly.end_session(5, true);
    const waiting = () => JSON.parse(localStorage.getItem(`${key}/cly_queue`) ?? '[]').length + JSON.parse(localStorage.getItem(`${key}/cly_event`) ?? '[]').length;
    await new Promise((r) => setTimeout(r, 2000)); // the SDK gathers consent for a second before it tells
    for (let i = 0; i < 300; i++) {
      await new Promise((r) => setTimeout(r, 50));
      if (waiting() === 0) return;
    }
    throw new Error(`the SDK did not empty its queue: ${localStorage.getItem(`${key}/cly_queue`)}`);
  }, [url, appKey]);
  if (problems.length > 0) throw new Error(`the page reported: ${problems.join('; ')}`);
  console.log(JSON.stringify({ checkout: { c: 10, s: 16.75 }, duration: 30 }));
} finally {
  await browser.close();
  pages.close();
}
