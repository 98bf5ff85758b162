import { describe, expect, it } from 'vitest';
import { countryOf, places, zoneAt } from './places';

const list = places();

it('knows where the zones are', () => {
  expect(list.length).toBeGreaterThan(400);
  for (const { country, zone, latitude, longitude } of list) {
    expect(country).toMatch(/^[A-Z]{2}$/);
    expect(() => new Intl.DateTimeFormat('en', { timeZone: zone }), zone).not.toThrow();
    expect(Math.abs(latitude), zone).toBeLessThan(90);
    expect(Math.abs(longitude), zone).toBeLessThanOrEqual(180);
  }
});

describe('zoneAt', () => {
  it.each([
    ['Munich', 48.1, 11.6, 'DE', 'Europe/Berlin'],
    ['Gothenburg', 57.7, 12, 'SE', 'Europe/Stockholm'],
    ['San Francisco', 37.8, -122.4, 'US', 'America/Los_Angeles'],
    ['Boston', 42.4, -71, 'US', 'America/New_York'],
    ['Perth, from the sea', -32, 112, undefined, 'Australia/Perth'],
    ['the east of Russia, beyond 180 degrees', 65, 189, 'RU', 'Asia/Anadyr'],
    ['a country without a zone of its own', 42.6, 21.1, 'XK', 'Europe/Skopje'],
  ])('of %s', (_, latitude, longitude, country, want) => {
    expect(zoneAt(list, latitude, longitude, country)).toBe(want);
  });
});

it.each([
  ['Europe/Berlin', 'DE'],
  ['America/Sao_Paulo', 'BR'],
  ['UTC', undefined],
])('%s is in %s', (zone, country) => expect(countryOf(zone)).toBe(country));
