import { createHash } from 'node:crypto';
import { demoRequests, random, type DemoRequest } from './visitors';
import { ada, Api, withAda, type Server } from './server';

/** An app of the filled server. */
export interface FilledApp {
  _id: string;
  key: string;
}

/** The apps of a server that holds everything that makes a layout sweat. */
export interface Rich {
  api: Api;
  /** A year of visitors, from many countries, with names of any length. */
  shop: FilledApp;
  /** Nothing was ever sent to it. */
  empty: FilledApp;
  /** A single visitor; its name fills two lines, its figures are one and a hundred million. */
  giant: FilledApp;
  /** The id of the view of the shop that is visited most. */
  view: string;
  /** The id of a funnel of the shop. */
  funnel: string;
  /** The id of a cohort. */
  cohort: string;
  /** The id of the group of crashes of the shop that has the longest stack. */
  crash: string;
}

export { ada, withAda };

const countries = 'AE AR AT BE BG CH CL CN CO CZ DK EE EG FI GR HR HU ID IE IL IS IT KE KR LT LU LV MA MX MY NG NL NO NZ PH PK PL PT RO RS SA SE SG SI SK TH TN TW UA UY VN'.split(' ');
const long = 'A very long name that somebody typed without a thought for those who have to show it in a narrow column';
const unbroken = 'com.example.averylongpackagename.withoutanyspace.CheckoutConfirmationViewControllerDelegateImplementation';

/** Fills a server that was started with the first administrator. */
export async function fill(server: Server, now: number): Promise<Rich> {
  const api = await Api.of(server);
  const make = (name: string, timezone: string, type: string) => api.call<FilledApp>('/i/apps/create', { args: { name, timezone, type, country: 'DE' } });
  const shop = await make('Corner shop', 'Europe/Berlin', 'web');
  const empty = await make('Nothing yet', 'America/Argentina/ComodRivadavia', 'mobile');
  const giant = await make(`${long} (international edition)`, 'Pacific/Kiritimati', 'desktop');

  const requests = [...demoRequests({ now, days: 400, people: 90, seed: 7 }), ...travellers(now)].sort((a, b) => a.timestamp - b.timestamp);
  for (let i = 0; i < requests.length; i += 2000) await api.call('/i/bulk', { app_key: shop.key, requests: requests.slice(i, i + 2000) });
  await api.call('/i/bulk', { app_key: giant.key, requests: huge(now) });
  await api.call('/i/bulk', { app_key: shop.key, requests: viewers(now) });
  await api.call('/i/bulk', { app_key: shop.key, requests: crashed(now) });
  await api.call('/i/events/edit_map', { app_id: shop._id, event_map: { 'Product viewed': { name: 'Product page opened', desc: 'Someone opened the page of a product.' } } });

  const day = 86_400_000;
  for (const [note, ago, noteType] of [
    ['Version 2.4.1 is out', 3, 'public'],
    [`${long}. ${unbroken}`, 9, 'private'],
    ['Autumn sale', 21, 'public'],
  ] as const) {
    await api.call('/i/notes/save', { args: { app_id: shop._id, note, ts: now - ago * day, noteType } });
  }
  for (const [n, rights] of [{ all: true }, { all: false, allowed: { core: true } }].entries()) {
    await api.call('/i/users/create', {
      args: {
        username: `member-${n}`,
        full_name: n === 0 ? `Wilhelmina ${'Featherstonehaugh-'.repeat(4)}Smith` : 'Bo Li',
        email: `${'member'.repeat(n === 0 ? 8 : 1)}${n}@example.test`,
        password: 'Only-reading-1',
        permission: { _: { a: n === 0 ? [giant._id] : [], u: [[shop._id]] }, c: {}, r: { [shop._id]: rights }, u: {}, d: {} },
      },
    });
  }
  await api.call('/i/apps/update/plugins', { app_id: shop._id, args: { revenue: { iap_events: ['Purchase'] } } });
  await api.call('/i/token/create', { purpose: 'nightly report', endpoint: '/o/analytics', multi: 'true', apps: shop._id, ttl: 86400 * 30 });
  await api.call('/i/token/create', { purpose: long, multi: 'false', ttl: 0 });
  for (const [n, consent] of [{ sessions: true, events: true, views: false }, { sessions: true, crashes: true, events: false }, { events: true }].entries()) {
    await api.call('/i', { app_key: shop.key, device_id: `traveller-${n}`, consent });
  }
  await api.call('/o/export/requestQuery', {
    path: '/o/export/db', data: { collection: `app_users${shop._id}` }, app_id: shop._id, type: 'csv', filename: long,
  });
  for (const [name, shared] of [['Germans', true], [`${long} (a view)`, false]] as const) {
    await api.call('/i/explore/views/save', { app_id: shop._id, name, page: 'explore', state: 'filter={"cc":{"$in":["DE"]}}', shared: String(shared) });
  }
  const { result: funnel } = await api.call<{ result: string }>('/i/funnels/add', {
    app_id: shop._id,
    funnel_name: 'From the product to the purchase',
    funnel_desc: 'Everyone who looked at something, by the way that they took.',
    steps: ['[CLY]_session', 'Product viewed', 'Added to cart', 'Video played', 'Purchase'],
    queries: ['{}', '{"sg.category":{"$in":["books","music"]}}', '{}', '{}', '{}'],
    options: { window: 604_800, optional: [4], reentry: 'repeat' },
  });
  await api.call('/i/funnels/add', { app_id: shop._id, funnel_name: long, funnel_desc: unbroken, steps: [long, unbroken, 'Purchase'] });
  const { result: cohort } = await api.call<{ result: string }>('/i/cohorts/add', {
    app_id: shop._id,
    cohort_name: `Those who bought twice, ${long}`,
    cohort_desc: unbroken,
    steps: [
      { type: 'did', event: 'Purchase', period: '365days', times: { $gte: 2 }, query: { 'sg.category': { $in: ['books', 'music'] } } },
      { type: 'didnt', event: 'Video played', period: '30days', conj: 'or' },
    ],
    user_segmentation: { cc: { $nin: ['FR'] } },
  });
  await api.call('/i/cohorts/add', { app_id: shop._id, cohort_name: 'Testers', type: 'manual' });
  const view = `${shop._id}_${createHash('md5').update('/').digest('hex')}`;
  const groups = await api.call<{ aaData: { _id: string; error: string }[] }>(`/o?method=crashes&app_id=${shop._id}`, {});
  const crash = groups.aaData.reduce((a, b) => (b.error.length > a.error.length ? b : a))._id;
  return { api, shop, empty, giant, view, funnel, cohort, crash };
}

/** One visit each from many countries, and the names that people send. */
function travellers(now: number): DemoRequest[] {
  const dice = random(11);
  return countries.flatMap((country, n): DemoRequest[] => {
    const timestamp = now - Math.floor(dice() * 25 * 86_400_000) - 3_600_000;
    const clock = { timestamp, hour: new Date(timestamp).getUTCHours(), dow: new Date(timestamp).getUTCDay() };
    const visit = {
      device_id: `traveller-${n}`,
      ...clock,
      begin_session: 1 as const,
      country_code: country,
      city: n % 7 === 0 ? long.slice(0, 60) : `City of ${country}`,
      metrics: {
        _os: 'Android', _os_version: String(9 + (n % 6)), _device: n % 9 === 0 ? unbroken : `Model ${n}`, _manufacturer: `Maker ${n % 12}`,
        _resolution: `${720 + n}x${1280 + n}`, _density: '320dpi', _locale: 'en_US', _browser: 'Chrome', _browser_version: `${100 + n}.0`,
        _app_version: `1.${n % 14}.0-beta+build.${n}`, _store: n % 5 === 0 ? `https://www.example.org/${unbroken}?utm_source=newsletter` : 'direct', _carrier: `Carrier ${n % 15}`,
      },
      events: [
        { key: n % 2 === 0 ? long : unbroken, count: 1 + n, sum: n * 1234.5, dur: n * 60, ...clock, segmentation: { [long.slice(0, 40)]: `${unbroken} ${n}`, step: String(n) } },
        { key: `Rare event ${n}`, count: 1, ...clock, segmentation: {} },
      ],
      user_details: { name: n % 6 === 0 ? `${long} ${n}` : `Traveller ${n}`, email: `${unbroken}@example.org`, custom: { plan: 'free', note: `${unbroken} ${long}` } },
    };
    return [visit, { device_id: visit.device_id, ...clock, timestamp: timestamp + 60_000, session_duration: 60, end_session: 1 }];
  });
}

/** Crashes and errors of many versions, with stacks of any length. */
function crashed(now: number): DemoRequest[] {
  const dice = random(13);
  const deep = Array.from({ length: 40 }, (_, n) => `\tat ${n % 9 === 4 ? 'com.example.shop.checkout' : n % 2 === 0 ? 'android.view' : 'java.util.concurrent'}.${unbroken.slice(8, 60)}$${n}.run(Source${n}.java:${n * 17})`).join('\n');
  const errors: { text: string; os: string; nonfatal: boolean }[] = [
    { text: `java.lang.IllegalStateException: the cart is empty\n\tat com.example.shop.Cart.pay(Cart.java:128)\n\tat com.example.shop.CartView.onClick(CartView.kt:44)\n\tat android.view.View.performClick(View.java:6597)\n\tat android.os.Looper.loop(Looper.java:164)`, os: 'Android', nonfatal: false },
    { text: `${unbroken}: ${long}\n${deep}`, os: 'Android', nonfatal: false },
    { text: 'TypeError: Cannot read properties of undefined (reading "price")\n    at total (https://shop.example/assets/app.js:1:20391)\n    at node_modules/react-dom/index.js:2:1', os: 'Windows', nonfatal: true },
    { text: '0   Shop    0x00000001000e7a10 0x1000c0000 + 162320\n1   UIKitCore    0x00000001a2b3c4d8 0x1a2000000 + 12\n2   libsystem_kernel.dylib    0x00000001b2b3c4d8 0x1b2000000 + 8', os: 'iOS', nonfatal: false },
    ...Array.from({ length: 30 }, (_, n) => ({ text: `Error ${n}: something went wrong\n    at step${n} (app.js:${n}:1)`, os: 'macOS', nonfatal: n % 3 > 0 })),
  ];
  return Array.from({ length: 400 }, (_, i): DemoRequest => {
    const timestamp = now - Math.floor(dice() ** 2 * 40 * 86_400_000) - 3_600_000;
    const { text, os, nonfatal } = errors[Math.floor(dice() ** 3 * errors.length)] ?? { text: unbroken, os: 'iOS', nonfatal: false };
    return {
      device_id: `demo-${i % 40}`,
      timestamp,
      hour: 12,
      dow: 3,
      crash: {
        _error: text, _os: os, _nonfatal: nonfatal, _app_version: `2.${Math.floor(dice() * 6)}.0`, _os_version: String(10 + Math.floor(dice() * 7)),
        _device: i % 17 === 0 ? unbroken : `Model ${i % 9}`, _manufacture: `Maker ${i % 4}`, _orientation: i % 3 === 0 ? 'landscape' : 'portrait', _online: i % 5 > 0,
        _ram_current: 300 + (i % 700), _ram_total: 2048, _bat: i % 100, _run: i * 7, _logs: `app started\nproduct opened: ${i}\ncart opened\n${i % 7 === 0 ? unbroken : 'pay pressed'}`,
        _custom: { plan: i % 4 === 0 ? 'pro' : 'free', [long.slice(0, 40)]: `${unbroken} ${i % 3}` },
      },
    };
  });
}

/** Visits of pages with names of any length, over the last days. */
function viewers(now: number): DemoRequest[] {
  const dice = random(11);
  const names = ['/', '/cart', '/checkout', 'Settings', '/products/42', long, unbroken, '<b>&amp;</b>'];
  return Array.from({ length: 240 }, (_, i): DemoRequest => {
    const timestamp = now - Math.floor(dice() * 50) * 86_400_000 - i * 1000;
    const seen = names.slice(0, 1 + Math.floor(dice() * names.length));
    return {
      device_id: `demo-${i % 40}`,
      timestamp,
      hour: 12,
      dow: 3,
      begin_session: 1,
      end_session: 1,
      events: seen.map((name, n) => ({
        key: '[CLY]_view',
        count: 1,
        dur: Math.floor(dice() * 90),
        timestamp: timestamp + n,
        hour: 12,
        dow: 3,
        segmentation: { name, visit: '1', view: name, platform: i % 3 === 0 ? 'Web' : 'iOS', ...(n === 0 ? { start: '1' } : {}) },
      })),
    };
  });
}

function huge(now: number): DemoRequest[] {
  const timestamp = now - 60_000;
  const clock = { timestamp, hour: new Date(timestamp).getUTCHours(), dow: new Date(timestamp).getUTCDay() };
  const event = (key: string, count: number, sum: number) => ({ key, count, sum, dur: count, ...clock, segmentation: { side: count === 1 ? 'left' : 'right' } });
  return [
    {
      device_id: 'only', ...clock, begin_session: 1, session_duration: 120, country_code: 'PE', city: 'Lima', metrics: { _os: 'Windows', _app_version: '1.0' },
      events: [event('One', 1, 0.01), event('A hundred million', 100_000_000, 9_999_999_999.99), event('Half', 50_000_000, -1234.5)],
    },
  ];
}
