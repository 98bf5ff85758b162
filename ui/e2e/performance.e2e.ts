import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { look } from './browser';
import { admin, api, open, rowsOf, shop, stage } from './stage';

const day = 86_400_000;

/** Loads of two pages: seconds until the largest paint, by person. The one of the first page is good, those of the other are not. */
const loads: [person: string, page: string, lcp: number, ago: number][] = [
  ['one', 'shop.example/', 1200, 1],
  ['two', 'shop.example/', 1800, 0],
  ['three', 'shop.example/item/17?ref=mail', 3000, 1],
  ['three', 'shop.example/item/18', 5000, 0],
];

const trace = (type: string, name: string, metrics: object) => JSON.stringify({ type, name, apm_metrics: metrics, stz: 1, etz: 2 });

const fill = () => {
  const now = Date.now();
  const at = (who: string, ago: number, apm: string) => ({ device_id: who, timestamp: now - ago * day, apm });
  return api.call('/i/bulk', {
    app_key: shop.key,
    requests: [
      ...['one', 'two', 'three'].map((who) => ({ device_id: who, timestamp: now - 2 * day, begin_session: 1, metrics: { _os: who === 'three' ? 'Android' : 'iOS', _app_version: who === 'one' ? '1.0' : '2.0' } })),
      ...loads.map(([who, page, lcp, ago]) => at(who, ago, trace('device', page, { largest_contentful_paint: lcp, cumulative_layout_shift: 0.02, interaction_to_next_paint: 150 }))),
      at('one', 0, trace('device', 'app_start', { duration: 640 })),
      at('one', 0, trace('device', 'MainScreen', { slow_rendering_frames: 0, frozen_frames: 0 })),
      at('two', 0, trace('device', 'MainScreen', { slow_rendering_frames: 7, frozen_frames: 1 })),
      at('two', 0, trace('device', 'Load cart', { duration: 90, items: 12 })),
      at('one', 0, trace('network', 'https://api.example/items/1', { response_time: 120, response_code: 200, response_payload_size: 2048 })),
      at('two', 0, trace('network', 'https://api.example/items/2?token=x', { response_time: 480, response_code: 503, response_payload_size: 10 })),
    ],
  });
};

stage();

const visit = (page: Page, query = '') => open(page, `/performance${query}`, 'Performance');
const card = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) });

test('an app without traces says how to send some', async () => {
  const { page } = admin;
  await visit(page);
  await page.getByText('No traces in this period').waitFor();
  await page.getByText("from 'web-vitals'").waitFor();
  await look(page, 'performance-none');
});

test('cards, the course and the table of a measure', async () => {
  const { page } = admin;
  await fill();
  await expect.poll(async () => (await api.call<{ measures: { id: string; n: number }[] }>('/o/performance', { app_id: shop._id, period: '7days' })).measures.find((m) => m.id === 'lcp')?.n).toBe(4);
  await visit(page, '?period=7days');
  // Of 1200, 1800, 3000 and 5000 the third is the 75th percentile, within one percent.
  await expect.poll(() => card(page, 'LCP').textContent()).toMatch(/(2\.9\d|3(\.0\d)?)\s*s/);
  await expect.poll(() => card(page, 'LCP').textContent()).toContain('Needs improvement');
  await expect.poll(() => card(page, 'INP').textContent()).toContain('Good');
  await expect.poll(() => card(page, 'Network errors').textContent()).toContain('50%');
  await expect.poll(() => card(page, 'Frozen frames').textContent()).toContain('50%');
  await page.getByRole('img', { name: /^LCP over time/ }).locator('canvas').waitFor();
  // Pages are grouped; the table is exact.
  await expect.poll(async () => (await rowsOf(page, /^LCP by Name, /)).map((row) => row.slice(0, 4).map((text) => text.replaceAll(/\s/g, ' ')))).toEqual([
    ['shop.example/', '2', '2', '1.20 s'],
    ['shop.example/item/{id}', '2', '1', '3 s'],
  ]);
  await look(page, 'performance');
});

test('a measure is chosen with the keyboard, broken down, filtered, and kept in the address', async () => {
  const { page } = admin;
  await card(page, 'Response time').focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/figure=response_time/);
  await page.getByRole('img', { name: /^Response time over time/ }).locator('canvas').waitFor();
  await page.getByRole('radiogroup', { name: 'Broken down by' }).getByText('App version').click();
  await page.waitForURL(/segment=app_version/);
  await expect.poll(async () => (await rowsOf(page, /^Response time by App version, /)).map((row) => row.slice(0, 2)).sort()).toEqual([['1.0', '1'], ['2.0', '1']]);
  await page.reload();
  await expect.poll(async () => (await rowsOf(page, /^Response time by App version, /)).length).toBe(2);
  await page.getByRole('button', { name: 'About Response time' }).click();
  await page.getByText('GET /o/performance/course').waitFor();
  await look(page, 'performance-about');
  await page.keyboard.press('Escape');
  await visit(page, `?period=7days&filter=${encodeURIComponent('{"up.p":{"$in":["Android"]}}')}`);
  await expect.poll(() => card(page, 'LCP').textContent()).toMatch(/5\s*s.*Poor/s);
});

test('the people behind a figure, and all metrics of a trace', async () => {
  const { page } = admin;
  await visit(page, '?period=7days&figure=response_code');
  await page.getByRole('button', { name: 'Users with failed requests' }).click();
  await expect.poll(async () => (await rowsOf(page, /^Users/)).map((row) => row[0])).toEqual(['two']);
  await look(page, 'performance-people');
  await page.keyboard.press('Escape');
  await visit(page, '?period=7days&figure=trace_time');
  await page.getByRole('button', { name: 'Load cart' }).click();
  await expect.poll(async () => (await rowsOf(page, 'Load cart')).map((row) => row.slice(0, 3))).toEqual([['duration', '1', '90'], ['items', '1', '12']]);
  await look(page, 'performance-trace');
});
