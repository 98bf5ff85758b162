// Drives the unmodified Node.js SDK through one person's story. Arguments: server URL, app key.
import { createRequire } from 'node:module';
import { until } from './say.mjs';
import { storage } from './storage.mjs';

const require = createRequire(import.meta.url);
const Countly = require('countly-sdk-nodejs');

const [url, appKey] = process.argv.slice(2);
const store = storage();
const empty = () => until('an empty queue', store.empty);

Countly.init({
  app_key: appKey, url, device_id: 'node-anonymous', app_version: '3.4.1',
  country_code: 'DE', city: 'Bremen', interval: 20, session_update: 3600, fail_timeout: 1,
  require_consent: true, custom_storage_method: store.method, max_events: 10,
  metrics: { _os: 'Android', _os_version: '14.1', _device: 'Pixel 9', _resolution: '1080x2400', _carrier: 'metro pcs', _locale: 'pt_BR', _density: '420dpi' },
});
Countly.add_consent(['sessions', 'events', 'views', 'users', 'crashes', 'location']);
Countly.begin_session(true);
for (let i = 0; i < 25; i++) {
  Countly.add_event({ key: 'purchase', count: 2, sum: 1.5, dur: 3, segmentation: { plan: i % 2 ? 'pro' : 'free', size: i % 5, 'dotted.value': '1.5' } });
}
Countly.add_event({ key: 'open', count: 1 });
Countly.track_view('home');
Countly.track_view('settings');
Countly.user_details({ name: 'Ada Example', email: 'ada@example.org', byear: 1990, custom: { tier: 'gold', visits: 1 } });
Countly.userData.increment_by('visits', 4);
Countly.userData.push('tags', 'a');
Countly.userData.push_unique('tags', 'b');
Countly.userData.save();
Countly.session_duration(30);
await empty();
Countly.change_id('node-known', true);
Countly.add_event({ key: 'open', count: 1 });
Countly.session_duration(12);
Countly.end_session(8);
await empty();
process.exit(0);
