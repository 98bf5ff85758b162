// Drives the unmodified web SDK through one person's story. Arguments: server URL, app key.
import { emptied, withPage } from './page.mjs';

const [url, appKey] = process.argv.slice(2);

await withPage(async (page) => {
  await page.evaluate(([server, key]) => {
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
  }, [url, appKey]);
  await emptied(page, appKey);
  const consent = page.waitForRequest((r) => r.url().includes('consent=') || (r.postData() ?? '').includes('consent='));
  await page.evaluate(() => {
    const { Countly } = window;
    Countly.change_id('web-known', true);
    Countly.add_event({ key: 'checkout', count: 3, sum: 1 });
    Countly.end_session(5, true);
  });
  await consent; // the SDK gathers consent for a second before it sends it
  await emptied(page, appKey);
}, { which: 'full' });
process.exit(0);
