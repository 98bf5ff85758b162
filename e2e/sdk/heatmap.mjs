// Drives the unmodified web SDK: people click and scroll, then a window is opened for a heat map, and the SDK loads the server's script.
// Arguments: server URL, app key, token, and what the heat map is to show: the numbers of places of clicks and of dead clicks.
import { emptied, withPage } from './page.mjs';

const [url, appKey, token, clicks, dead] = process.argv.slice(2);
const html = `<!doctype html><meta charset="utf-8"><title>shop</title><body style="margin:0">
<h1>shop</h1><button id="buy" style="position:absolute;left:100px;top:100px;width:80px;height:40px">Buy</button>
<div style="height:3000px;background:linear-gradient(#fff,#ccc)"></div>
<script src="/countly.min.js"></script>
<script>
Countly.init({ app_key: ${JSON.stringify(appKey)}, url: ${JSON.stringify(url)}, device_id: 'clicker', interval: 20, fail_timeout: 1, ignore_bots: false });
Countly.track_sessions();
Countly.track_pageview('Shop');
Countly.track_clicks();
Countly.track_scrolls();
document.getElementById('buy').addEventListener('click', () => Countly.add_event({ key: 'buy' }));
</script>`;
const story = { serve: (path) => (path === '/shop' ? { type: 'text/html', text: html } : undefined) };

if (token === undefined) {
  await withPage(async (page) => {
    await page.goto(new URL('/shop', page.url()).href);
    const pause = () => page.waitForTimeout(1100); // the SDK takes one click a second
    await page.mouse.click(140, 120); // the button, which reports an event
    await page.waitForTimeout(3500);
    for (let i = 0; i < 3; i++) { // a rage, at a place where nothing happens
      await page.mouse.click(597 + i, 400);
      await pause();
    }
    await page.mouse.wheel(0, 1500);
    await page.waitForFunction(() => window.scrollY > 1000);
    await page.waitForTimeout(3000);
    await page.evaluate(() => window.Countly._internals.processScrollView());
    await emptied(page, appKey);
  }, story);
} else {
  await withPage(async (page) => {
    await page.evaluate((asked) => { window.name = `cly:${JSON.stringify(asked)}`; }, { token, purpose: 'heatmap', app_key: appKey, url, period: '7days', lang: 'en' });
    const sent = [];
    page.on('request', (r) => sent.push(`${r.url()} ${r.postData() ?? ''}`));
    await page.goto(new URL('/shop', page.url()).href);
    const canvas = page.locator('canvas[data-points]');
    const shows = (n) => page.waitForFunction((want) => document.querySelector('canvas[data-points]')?.dataset.points === want, n, { timeout: 20_000 });
    await shows(clicks);
    const heat = async (x, y) => canvas.evaluate((c, [px, py]) => {
      const scale = c.width / c.clientWidth;
      return c.getContext('2d').getImageData(Math.round(px * scale), Math.round(py * scale), 1, 1).data[3];
    }, [x, y]);
    if (await heat(140, 120) === 0 || await heat(598, 400) === 0 || await heat(900, 900) !== 0) throw new Error('the heat is not where people clicked');
    await page.getByRole('button', { name: 'Dead clicks' }).click();
    await shows(dead);
    if (await heat(140, 120) !== 0 || await heat(598, 400) === 0) throw new Error('dead clicks are not where nothing followed');
    await page.getByRole('button', { name: 'Scrolling' }).click();
    await shows('1');
    await page.getByLabel('Devices').selectOption('phone');
    await page.getByText('Nothing was recorded on this page.').waitFor();
    if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
    // At each start the SDK reports its health (hc), for every visitor.
    const visits = sent.filter((to) => /^\/i[? ]/.test(to.slice(url.length)) && to.startsWith(url) && !/[?& ]hc=/.test(to));
    if (visits.length > 0) throw new Error(`the SDK recorded a visit of who looks at a heat map: ${visits.join(', ')}`);
    if (await page.locator('#cly-loader').isVisible()) throw new Error('the SDK still says that it loads');
    await page.getByRole('button', { name: 'Close heat map' }).click();
    if (await canvas.count() !== 0 || await page.evaluate(() => window.name) !== '') throw new Error('the heat map does not close');
  }, story);
}
process.exit(0);
