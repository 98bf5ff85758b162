// The bulk mode of the Node.js SDK while its server comes and goes, see unsteady_test.go.
// Arguments: server URL, app key.
import { createRequire } from 'node:module';
import { say, until } from './say.mjs';
import { storage } from './storage.mjs';

const require = createRequire(import.meta.url);
const { Bulk } = require('countly-sdk-nodejs');

const [url, appKey] = process.argv.slice(2);
const store = storage();
const bulk = new Bulk({
  app_key: appKey, url, interval: 20, fail_timeout: 1, bulk_size: 3, max_events: 2, custom_storage_method: store.method,
});
const user = bulk.add_user({ device_id: 'unsteady' });
bulk.start();
const steps = (phase) => {
  for (let i = 0; i < 5; i++) user.add_event({ key: 'step', count: 1, sum: 0.5, segmentation: { phase } });
};
const empty = () => until('an empty queue', () => store.empty() && bulk.queue_size() === 0);

user.begin_session({});
steps('steady');
await empty();
await say('sent');

steps('answers lost');
bulk.add_request({ device_id: 'unsteady', session_duration: 10 });
await say('sending');
await empty();
await say('sent again');

steps('refused');
user.custom_increment_by('visits', 3);
user.custom_save();
await say('refused');
steps('gone');
bulk.add_request({ device_id: 'unsteady', session_duration: 7 });
await say('gone');
await empty();
await say('back');

steps('slow');
await say('waiting');
steps('queued behind');
bulk.add_request({ device_id: 'unsteady', session_duration: 4, end_session: 1 });
await say('queued');
await empty();
process.exit(0);
