// The Node.js SDK while its server comes and goes, see unsteady_test.go.
// Arguments: server URL, app key.
import { createRequire } from 'node:module';
import { say, until } from './say.mjs';
import { storage } from './storage.mjs';

const require = createRequire(import.meta.url);
const Countly = require('countly-sdk-nodejs');

const [url, appKey] = process.argv.slice(2);
const store = storage();
Countly.init({
  app_key: appKey, url, device_id: 'unsteady', interval: 20, session_update: 3600, fail_timeout: 1, max_events: 10,
  custom_storage_method: store.method,
});
const steps = (phase) => {
  for (let i = 0; i < 5; i++) Countly.add_event({ key: 'step', count: 1, sum: 0.5, segmentation: { phase } });
};
const empty = () => until('an empty queue', store.empty);

Countly.begin_session(true);
steps('steady');
await empty();
await say('sent');

steps('answers lost');
Countly.session_duration(10);
await say('sending');
await empty();
await say('sent again');

steps('refused');
Countly.userData.increment_by('visits', 3);
Countly.userData.save();
await say('refused');
steps('gone');
Countly.session_duration(7);
await say('gone');
await empty();
await say('back');

steps('slow');
await say('waiting');
steps('queued behind');
Countly.end_session(4);
await say('queued');
await empty();
process.exit(0);
