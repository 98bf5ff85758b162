/** One item of a bulk request, with the parameters of the protocol. */
export interface DemoRequest {
  device_id: string;
  timestamp: number;
  hour: number;
  dow: number;
  begin_session?: 1;
  end_session?: 1;
  session_duration?: number;
  country_code?: string;
  city?: string;
  metrics?: Record<string, string>;
  events?: DemoEvent[];
  crash?: object;
  user_details?: { name: string; email: string; custom: Record<string, string> };
}

export interface DemoEvent {
  key: string;
  count: number;
  sum?: number;
  dur?: number;
  timestamp: number;
  hour: number;
  dow: number;
  segmentation: Record<string, string>;
}

export interface DemoOptions {
  /** The end of the time that is filled, in ms. */
  now: number;
  days: number;
  people: number;
  seed: number;
}

/** Numbers from 0 to 1 that are the same for the same seed. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const places = [
  ['US', 'New York', 'en_US', 18],
  ['US', 'San Francisco', 'en_US', 9],
  ['DE', 'Berlin', 'de_DE', 12],
  ['DE', 'Munich', 'de_DE', 7],
  ['GB', 'London', 'en_GB', 9],
  ['FR', 'Paris', 'fr_FR', 7],
  ['BR', 'São Paulo', 'pt_BR', 7],
  ['IN', 'Bengaluru', 'hi_IN', 8],
  ['JP', 'Tokyo', 'ja_JP', 6],
  ['ES', 'Madrid', 'es_ES', 4],
  ['TR', 'Istanbul', 'tr_TR', 4],
  ['AU', 'Sydney', 'en_AU', 3],
  ['CA', 'Toronto', 'en_CA', 3],
  ['ZA', 'Cape Town', 'en_ZA', 2],
  ['PE', 'Lima', 'es_PE', 1],
] as const;

const machines = [
  ['Android', '14', 'Pixel 8', 'Google', '1080x2400', '420dpi', 'Chrome', '128.0', 16],
  ['Android', '13', 'Galaxy S23', 'Samsung', '1080x2340', '480dpi', 'Chrome', '127.0', 15],
  ['iOS', '17.5', 'iPhone 15', 'Apple', '1179x2556', '3x', 'Safari', '17.5', 22],
  ['iOS', '16.7', 'iPhone 12', 'Apple', '1170x2532', '3x', 'Safari', '16.7', 10],
  ['Windows', '11', 'PC', 'Dell', '1920x1080', '1x', 'Edge', '126.0', 17],
  ['macOS', '14.5', 'MacBook Air', 'Apple', '1440x900', '2x', 'Firefox', '129.0', 14],
  ['Linux', '6.1', 'PC', 'Lenovo', '2560x1440', '1x', 'Firefox', '128.0', 6],
] as const;

const sources = [
  ['google.com', 40],
  ['direct', 30],
  ['news.example.org', 12],
  ['github.com', 10],
  ['duckduckgo.com', 8],
] as const;

const carriers = [
  ['Vodafone', 30],
  ['T-Mobile', 28],
  ['Orange', 14],
  ['Jio', 12],
  ['Docomo', 8],
] as const;

const names = ['Ada', 'Alan', 'Barbara', 'Claude', 'Donald', 'Edsger', 'Frances', 'Grace', 'Hedy', 'John', 'Katherine', 'Margaret'];
const surnames = ['Byron', 'Fischer', 'Hamilton', 'Johnson', 'Keller', 'Lamarr', 'Liskov', 'Moreno', 'Okafor', 'Silva', 'Tanaka', 'Weber'];

type Weighted = readonly [...unknown[], number];

function pick<T extends Weighted>(list: readonly T[], dice: () => number): T {
  const weight = (item: T) => item[item.length - 1] as number;
  let left = dice() * list.reduce((sum, item) => sum + weight(item), 0);
  for (const item of list) {
    left -= weight(item);
    if (left <= 0) return item;
  }
  return list[list.length - 1] as T;
}

/** Requests as the visitors of a small shop would send them, in order of time. For a seed they are the same on every day, weekends too, moved with now. */
export function demoRequests({ now, days, people, seed }: DemoOptions): DemoRequest[] {
  const dice = random(seed);
  const out: DemoRequest[] = [];
  for (let n = 0; n < people; n++) {
    const person = makePerson(n, dice);
    const joined = Math.floor(dice() ** 0.7 * days);
    const habit = dice() ** 2 * 0.6 + 0.03;
    for (let day = joined; day < days; day++) {
      const start = now - (days - day) * 86_400_000 + Math.floor(dice() * 86_400_000);
      if (day !== joined && dice() > habit) continue;
      out.push(...visit(person, start, dice, day === joined));
    }
  }
  return out.filter((r) => r.timestamp <= now).sort((a, b) => a.timestamp - b.timestamp);
}

interface Person {
  id: string;
  name: string;
  country: string;
  city: string;
  metrics: Record<string, string>;
  plan: string;
}

function makePerson(n: number, dice: () => number): Person {
  const [country, city, locale] = pick(places, dice);
  const [os, version, device, maker, resolution, density, browser, browserVersion] = pick(machines, dice);
  const mobile = os === 'Android' || os === 'iOS';
  const one = (list: string[]) => list[Math.floor(dice() * list.length)] ?? '';
  return {
    id: `demo-${n}`,
    name: `${one(names)} ${one(surnames)}`,
    country,
    city,
    plan: dice() < 0.2 ? 'pro' : 'free',
    metrics: {
      _os: os,
      _os_version: version,
      _device: device,
      _manufacturer: maker,
      _device_type: mobile ? 'mobile' : 'desktop',
      _resolution: resolution,
      _density: density,
      _locale: locale,
      _browser: browser,
      _browser_version: browserVersion,
      _app_version: dice() < 0.7 ? '2.4.1' : '2.3.0',
      _store: pick(sources, dice)[0],
      ...(mobile ? { _carrier: pick(carriers, dice)[0] } : {}),
    },
  };
}

function visit(p: Person, start: number, dice: () => number, first: boolean): DemoRequest[] {
  const clock = (time: number) => ({ timestamp: time, hour: new Date(time).getUTCHours(), dow: new Date(time).getUTCDay() });
  const seconds = Math.max(5, Math.floor(-Math.log(1 - dice()) * 150));
  const events: DemoEvent[] = [];
  const add = (key: string, segmentation: Record<string, string>, more: Partial<DemoEvent> = {}) =>
    events.push({ key, count: 1, ...clock(start + 1000 * events.length), segmentation, ...more });
  const category = pick([['books', 40], ['music', 25], ['garden', 20], ['toys', 15]] as const, dice)[0];
  add('Product viewed', { category, plan: p.plan });
  if (dice() < 0.45) add('Added to cart', { category, plan: p.plan });
  if (dice() < 0.16) {
    const payment = pick([['card', 55], ['invoice', 25], ['wallet', 20]] as const, dice)[0];
    add('Purchase', { category, payment }, { sum: Math.round(500 + dice() * 9000) / 100 });
  }
  if (dice() < 0.2) add('Video played', { quality: dice() < 0.6 ? '1080p' : '720p' }, { dur: Math.floor(dice() * 240) });
  if (first) add('Signed up', { plan: p.plan });
  const base = { device_id: p.id };
  return [
    {
      ...base,
      ...clock(start),
      begin_session: 1,
      country_code: p.country,
      city: p.city,
      metrics: p.metrics,
      events,
      ...(first ? { user_details: { name: p.name, email: `${p.id}@example.org`, custom: { plan: p.plan } } } : {}),
    },
    { ...base, ...clock(start + seconds * 1000), session_duration: Math.min(seconds, 120), end_session: 1 },
  ];
}
