// Drives the unmodified Node.js SDK with checksums, as one person and then another, through
// everything it can send. Arguments: server URL, app key, salt, an image.
import { createRequire } from 'node:module';
import { until } from './say.mjs';
import { storage } from './storage.mjs';

const require = createRequire(import.meta.url);
const Countly = require('countly-sdk-nodejs');

const [url, appKey, salt, image] = process.argv.slice(2);
const store = storage();
const empty = () => until('an empty queue', store.empty);

Countly.init({
  app_key: appKey, url, salt, force_post: true, app_version: '1.0', interval: 20, session_update: 3600, fail_timeout: 1,
  custom_storage_method: store.method,
});
Countly.begin_session(true);
Countly.add_event({ key: 'level', count: 1, segmentation: { name: 'one & only = 100 % "é" +', won: true, tries: 3 } });
Countly.add_log('opened the cart');
Countly.log_error(new Error('no price'), { cart: '3' });
Countly.report_conversion('spring', 'friend');
Countly.report_feedback({ widget_id: 'w1', rating: 4, comment: 'fine' });
Countly.report_trace({ type: 'device', name: 'app_start', stz: Date.now() - 900, etz: Date.now(), apm_metrics: { duration: 900 } });
const config = await new Promise((done, refused) => {
  Countly.fetch_remote_config(['colour'], [], (err, got) => { if (err) refused(new Error('remote config')); else done(got); });
});
if (Object.keys(config).length > 0) throw new Error(`remote config nobody made: ${JSON.stringify(config)}`);
await empty();

// The id was made by the SDK, so the first one of the developer's takes its profile over.
Countly.set_id('ada');
Countly.user_details({ name: 'Ada Example', picturePath: image, custom: { points: 2 } });
Countly.userData.increment('logins');
Countly.userData.increment_by('visits', 4);
Countly.userData.multiply('points', 21);
Countly.userData.max('best', 7);
Countly.userData.min('worst', -1);
Countly.userData.set_once('first', 'mail');
Countly.userData.set('plan', 'pro');
Countly.userData.save();
Countly.userData.set_once('first', 'search');
Countly.userData.push('tags', 'a');
Countly.userData.push('seen', 'x');
Countly.userData.save();
Countly.userData.push_unique('tags', 'a');
Countly.userData.pull('seen', 'x');
Countly.userData.unset('plan');
Countly.userData.save();
await empty();

// The second one is another person: the session ends, and a new one begins.
Countly.set_id('bob');
Countly.add_event({ key: 'level', count: 1, segmentation: { name: 'two', won: false } });
Countly.end_session(3);
await empty();
process.exit(0);
