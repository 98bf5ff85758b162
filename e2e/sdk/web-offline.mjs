// Drives the unmodified web SDK with checksums: offline first, then as one person and another,
// asking for every feature that a server may offer. Arguments: server URL, app key, salt.
import { emptied, withPage } from './page.mjs';

const [url, appKey, salt] = process.argv.slice(2);

await withPage(async (page) => {
  const asked = [];
  page.on('request', (r) => asked.push(r.url()));
  await page.evaluate(([server, key, s]) => {
    const { Countly } = window;
    Countly.init({
      app_key: key, url: server, salt: s, offline_mode: true, force_post: true, app_version: '2.0',
      interval: 20, fail_timeout: 1, session_update: 3600, ignore_bots: false, remote_config: true,
    });
    Countly.begin_session(true);
    Countly.add_event({ key: 'read', count: 1, segmentation: { page: 'one & only = 100 % "é" +' } });
    Countly.track_pageview('/offline');
  }, [url, appKey, salt]);
  await page.waitForFunction((key) => JSON.parse(localStorage.getItem(`${key}/cly_queue`) ?? '[]').length >= 2, appKey, { polling: 20 });
  if (asked.some((a) => a.startsWith(`${url}/i`))) throw new Error(`the SDK sent while offline: ${asked.join(' ')}`);

  const failed = [];
  page.on('response', (r) => { if (r.url().startsWith(url) && !r.ok()) failed.push(`${r.status()} ${r.url()}`); });
  await page.evaluate(() => window.Countly.disable_offline_mode('ada'));
  await emptied(page, appKey);

  const content = page.waitForRequest((r) => r.url().startsWith(`${url}/o/sdk/content`)); // the SDK asks four seconds after its start
  const offers = await page.evaluate(() => {
    const { Countly } = window;
    Countly.add_log('opened the cart');
    Countly.log_error(new Error('no price'), { cart: '3' });
    Countly.report_conversion('spring', 'friend');
    Countly.recordDirectAttribution('countly', JSON.stringify({ cid: 'spring', cuid: 'friend' }));
    Countly.recordRatingWidgetWithID({ widget_id: 'w1', rating: 4, comment: 'fine' });
    Countly.report_trace({ type: 'device', name: 'load', stz: Date.now() - 900, etz: Date.now(), app_metrics: { duration: 900 }, apm_metrics: { duration: 900 } });
    Countly.userData.increment_by('visits', 4);
    Countly.userData.push_unique('tags', 'a');
    Countly.userData.save();
    Countly.enrollUserToAb(['colour']);
    Countly.feedback.showNPS();
    Countly.feedback.showSurvey();
    Countly.presentRatingWidgetWithID('w1');
    Countly.initializeRatingWidgets(['w1']);
    Countly.content.enterContentZone();
    const config = (api) => new Promise((done) => { Countly.fetch_remote_config(null, null, (err, got) => done(err ? 'refused' : got), api); });
    const widgets = new Promise((done) => { Countly.get_available_feedback_widgets((got, err) => done(err ? 'refused' : got)); });
    return Promise.all([config(), config('legacy'), widgets]);
  });
  if (JSON.stringify(offers) !== '[{},{},[]]') throw new Error(`offers nobody made: ${JSON.stringify(offers)}`);
  await emptied(page, appKey);

  await page.evaluate(() => {
    const { Countly } = window;
    Countly.change_id('bob', false);
    Countly.add_event({ key: 'read', count: 1, segmentation: { page: 'two' } });
    Countly.end_session(3, true);
  });
  await emptied(page, appKey);
  await (await content).response();
  await page.waitForLoadState('networkidle');
  // Nobody made the widget; the SDK asks for it at once, not from its queue.
  const wrong = failed.filter((f) => !f.startsWith(`404 ${url}/o/feedback/widget`));
  if (wrong.length > 0) throw new Error(`answers that are no success: ${wrong.join('; ')}`);
}, { expected: /^Failed to load resource: .* 404 / }); // which one is checked above
process.exit(0);
