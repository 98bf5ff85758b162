import { expect, test } from 'vitest';
import { look, openPage, shoot } from './browser';
import { admin, api, browser, open, rowsOf, server, shop, stage } from './stage';

const day = 86_400_000;

stage({
  app: { type: 'mobile', timezone: 'UTC' },
  fill: async () => {
    const noon = Math.floor(Date.now() / day) * day - 10 * day + day / 2;
    const crash = (name: string) => ({ _error: `${name}\n\tat com.shop.Cart.pay(Cart.java:12)`, _os: 'Android', _app_version: '2.0' });
    await api.call('/i/bulk', {
      app_key: shop.key,
      requests: Array.from({ length: 160 }, (_, n) => {
        const os = n % 2 === 0 ? 'iOS' : 'Android';
        const hit = os === 'Android' ? n % 4 === 1 : n % 16 === 0;
        const back = hit ? n % 10 === 1 : n % 10 < 7;
        const at = noon + n * 1000;
        const of = { device_id: `d${n}`, app_key: shop.key };
        const metrics = { _os: os, _app_version: '2.0' };
        const event = (key: string, after: number) => ({ ...of, timestamp: at + after, events: [{ key, count: 1, timestamp: at + after }] });
        return [
          { ...of, timestamp: at, begin_session: 1, metrics },
          event('search', 100),
          ...(hit ? [event('pay', 200), { ...of, timestamp: at + 300, crash: crash('PayError: no card') }] : n % 20 === 2 ? [event('pay', 200)] : []),
          ...(n === 3 ? [{ ...of, timestamp: at + 400, crash: crash('RareError: once') }] : []),
          ...(back ? [{ ...of, timestamp: at + 3 * day, begin_session: 1, ignore_cooldown: 'true', metrics }] : []),
        ];
      }).flat(),
    });
  },
});

const group = async (name: RegExp) => {
  const { page } = admin;
  await open(page, '/crashes', 'Crashes');
  await page.getByRole('link', { name }).first().click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  return page.getByRole('region', { name: 'Impact', exact: true });
};

test('the impact of a group: whom it hits, what it costs and what comes before it', async () => {
  const { page } = admin;
  const impact = await group(/PayError/);
  await impact.getByText(/values? differs? by more than chance explains/).waitFor();
  const found = impact.getByRole('list', { name: 'Properties' });
  await found.getByText('Platform: Android').waitFor();
  await found.getByText('80% of affected users, 36.4% of others').first().waitFor();
  await look(page, 'crash-impact-properties');

  await impact.getByText('Cost', { exact: true }).click();
  const week = impact.getByRole('region', { name: 'Within 7 days' });
  await week.getByText(/percentage points fewer than similar users/).waitFor();
  await impact.getByRole('region', { name: 'Within 30 days' }).getByText('Nobody was affected long enough ago.').waitFor();
  await impact.getByRole('combobox', { name: 'Goal' }).click();
  await page.getByRole('option', { name: 'search' }).click();
  await impact.getByRole('region', { name: 'search, Within 1 day' }).getByText('No difference beyond what chance explains.').waitFor();
  expect(page.url()).toContain('goal');
  await look(page, 'crash-impact-cost');

  await impact.getByText('Path', { exact: true }).click();
  await impact.getByText(/The paths into 50 sessions with this crash, of 50 users/).waitFor();
  const steps = await rowsOf(page, 'Sessions by step');
  expect(steps[0]?.slice(0, 4)).toEqual(['pay', '58', '50', '86.2%']);
  await look(page, 'crash-impact-path');
});

test('of a group that hit one user, nothing is said', async () => {
  const impact = await group(/RareError/);
  await impact.getByText('Too few users to tell.').waitFor();
  await impact.getByText('Cost', { exact: true }).click();
  await impact.getByRole('region', { name: 'Within 7 days' }).getByText('Too few users to tell.').waitFor();
  await impact.getByText('Path', { exact: true }).click();
  await impact.getByText(/At least 10 sessions with the crash/).waitFor();
  await look(admin.page, 'crash-impact-few');
});

test('impact dark, on a phone, in German', async () => {
  await group(/PayError/);
  const address = new URL(admin.page.url()).pathname;
  const storageState = await admin.context.storageState();
  const { page, context, faults } = await openPage(browser, server.url, { storageState, colorScheme: 'dark', viewport: { width: 390, height: 844 }, locale: 'de-DE' });
  const shown = { properties: 'Plattform: Android', cost: 'Innerhalb von 7 Tagen', path: 'Sitzungen nach Schritt' };
  for (const [part, text] of Object.entries(shown)) {
    await page.goto(`${address}?tab=${part}`);
    const impact = page.getByRole('region', { name: 'Auswirkung', exact: true });
    await impact.getByText(text).first().waitFor();
    await shoot(page, `crash-impact-${part}-phone`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), `${part} scrolls sideways`).toBe(false);
  }
  expect(faults).toEqual([]);
  await context.close();
});
