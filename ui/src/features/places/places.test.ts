import { expect, it } from 'vitest';
import { picked } from '../../parts/metrics/pick';
import type { Place } from './api';
import { circleAt, circleOf, empty } from './draft';
import { countryOf, pointsOf } from './inside';

it('knows the country that a page is narrowed to', () => {
  expect(countryOf(picked('', 'countries', 'DE'))).toBe('DE');
  expect(countryOf(picked(picked('', 'cities', 'Berlin'), 'countries', 'DE'))).toBe('DE');
  for (const none of ['', '{', '{"up.cc":{"$in":["DE","FR"]}}', '{"up.cc":{"$nin":["DE"]}}', '{"up.cc":{"$in":["Unknown"]}}', '{"$or":[{"up.cc":{"$in":["DE"]}}]}']) {
    expect(countryOf(none)).toBeUndefined();
  }
});

it('draws cities that it knows, small ones last', () => {
  const city = (name: string, region: string, lat: number) => ({ name, region, lat, lng: 1 });
  const known = { known: true, regions: {}, cities: [city('Frankfurt', 'HE', 50), city('Frankfurt', 'BB', 52), city('Ulm', 'BW', 48)] };
  const row = (name: string, value: number) => ({ _id: name, name, value });
  expect(pointsOf([row('Ulm', 2), row('Unknown', 9), row('Frankfurt', 5)], known).map((p) => [p.name, p.value, p.lat])).toEqual([['Frankfurt', 5, 50], ['Ulm', 2, 48]]);
  expect(pointsOf([row('Ulm', 0)], known)).toEqual([]);
  expect(pointsOf([row('Ulm', 1)], undefined)).toEqual([]);
});

it('makes a circle of a draft once it is one', () => {
  const full = { ...empty, title: ' Shop ', lat: 52.5, lng: 13.4 };
  expect(circleOf(full)).toEqual({ name: 'Shop', lat: 52.5, lng: 13.4, km: 10, draft: true });
  expect(circleOf({ ...full, unit: 'mi', radius: 2 })?.km).toBeCloseTo(3.218688);
  for (const wrong of [empty, { ...full, lat: 91 }, { ...full, lng: -181 }, { ...full, radius: 0 }, { ...full, radius: -1 }, { ...full, radius: '' }, { ...full, radius: 20_038 }, { ...full, radius: 20_000, unit: 'mi' as const }]) {
    expect(circleOf(wrong)).toBeUndefined();
  }
});

it('places circles by latitude and longitude', () => {
  const place: Place = { _id: 'p', title: 'Shop', radius: 500, unit: 'm', geo: { coordinates: [13.4, 52.5] }, app: null, address: '' };
  expect(circleAt(place)).toEqual({ name: 'Shop', lat: 52.5, lng: 13.4, km: 0.5 });
});
