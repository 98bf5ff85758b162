// The web SDK while its server comes and goes, see unsteady_test.go.
// Arguments: server URL, app key.
import { say } from './say.mjs';
import { emptied, withPage } from './page.mjs';

const [url, appKey] = process.argv.slice(2);

await withPage(async (page) => {
  const empty = () => emptied(page, appKey);
  const steps = (phase) => page.evaluate((name) => {
    for (let i = 0; i < 5; i++) window.Countly.add_event({ key: 'step', count: 1, sum: 0.5, segmentation: { phase: name } });
  }, phase);

  await page.evaluate(([server, key]) => {
    window.Countly.init({
      app_key: key, url: server, device_id: 'unsteady', interval: 20, fail_timeout: 1, session_update: 3600, ignore_bots: false,
    });
    window.Countly.begin_session(true);
  }, [url, appKey]);
  await steps('steady');
  await empty();
  await say('sent');

  await steps('answers lost');
  await page.evaluate(() => window.Countly.session_duration(10));
  await say('sending');
  await empty();
  await say('sent again');

  await steps('refused');
  await page.evaluate(() => {
    window.Countly.userData.increment_by('visits', 3);
    window.Countly.userData.save();
  });
  await say('refused');
  await steps('gone');
  await page.evaluate(() => window.Countly.session_duration(7));
  await say('gone');
  await empty();
  await say('back');

  await steps('slow');
  await say('waiting');
  await steps('queued behind');
  await page.evaluate(() => window.Countly.end_session(4, true));
  await say('queued');
  await empty();
}, { expected: /^Failed to load resource|CORS policy/ });
process.exit(0);
