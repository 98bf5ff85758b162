// Runs the lines of docs/reference/performance.md on a page with the unmodified SDK and npm's web-vitals: somebody looks at the page, clicks, waits for a
// late picture and goes on to another page, where the SDK sends what is left. Arguments: server URL, app key, file of the lines.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { emptied, withPage } from './page.mjs';

const [url, appKey, file] = process.argv.slice(2);
const lines = await readFile(file, 'utf8');
const library = await readFile(join(dirname(createRequire(import.meta.url).resolve('web-vitals')), 'web-vitals.js'), 'utf8');

const start = `Countly.init({ app_key: ${JSON.stringify(appKey)}, url: ${JSON.stringify(url)}, device_id: 'reader', app_version: '3.1', require_consent: true, interval: 20, session_update: 3600, ignore_bots: false });
Countly.add_consent(['sessions', 'apm']);
Countly.begin_session(true);`;
const html = (more) => `<!doctype html><title>shop</title><link rel="icon" href="data:,"><script type="importmap">{"imports":{"web-vitals":"/web-vitals.js"}}</script><script src="/countly.min.js"></script><script>${start}</script>${more}`;
const pages = {
  '/web-vitals.js': { type: 'text/javascript', text: library },
  '/vitals.js': { type: 'text/javascript', text: lines },
  '/item/17': { type: 'text/html', text: html('<h1>Tea</h1><div id="late"></div><p>The best tea there is.</p><button onclick="for (const t = Date.now(); Date.now() - t < 80; );">Buy</button><script type="module" src="/vitals.js"></script>') },
  '/next': { type: 'text/html', text: html('<h1>Next</h1>') },
};

await withPage(
  async (page) => {
    const at = (path) => new URL(path, page.url()).href;
    await page.goto(`${at('/item/17')}?token=secret`, { waitUntil: 'load' });
    await page.waitForTimeout(300);
    await page.evaluate(() => { // what stands below moves, without anybody having asked for it
      document.querySelector('#late').style.height = '200px';
    });
    await page.waitForTimeout(700); // beyond the half second after input in which moves are expected
    await page.getByRole('button').click();
    await page.waitForTimeout(1500);
    await page.goto(at('/next'), { waitUntil: 'load' });
    await emptied(page, appKey);
  },
  { serve: (path) => pages[path] },
);
process.exit(0);
