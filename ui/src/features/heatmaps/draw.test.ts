import { expect, test } from 'vitest';
import { colourOf, depthOf, reachOf, spotsOf } from './draw';
import { nameOf } from './site';

const heat = { columns: 200, rows: 500, spots: [[0, 0, 1, 1, 0], [199, 499, 5, 0, 3], [100, 250, 2, 2, 0]] satisfies [number, number, number, number, number][] };

test('spots of a kind, the hottest first', () => {
  expect(spotsOf(heat, 'click').map((s) => s.clicks)).toEqual([5, 2, 1]);
  expect(spotsOf(heat, 'dead')).toEqual([{ x: 50.25, y: 50.1, clicks: 2 }, { x: 0.25, y: 0.1, clicks: 1 }]);
  expect(spotsOf(heat, 'rage')).toEqual([{ x: 99.75, y: 99.9, clicks: 3 }]);
});

test('how far visits came', () => {
  const reached = Array.from({ length: 101 }, (_, i) => (i <= 30 ? 8 : i <= 60 ? 4 : i <= 90 ? 2 : 0));
  const reach = reachOf({ reached });
  expect([reach[0], reach[60], reach[61], reach[100]]).toEqual([1, 0.5, 0.25, 0]);
  expect([0.75, 0.5, 0.25].map((share) => depthOf(reach, share))).toEqual([30, 60, 90]);
  expect(reachOf({ reached: reached.map(() => 0) })[0]).toBe(0);
});

test('colours go from cold to hot', () => {
  const [cold, , blue] = colourOf(0);
  const [hot, , none] = colourOf(1);
  expect([cold, blue, hot, none]).toEqual([0, 255, 255, 0]);
  expect(colourOf(7)).toEqual(colourOf(1));
});

test('the name of a window is what SDKs look for', () => {
  const name = nameOf({ token: 't', app_key: 'k', period: '7days', kind: 'click', device: 'all', lang: 'en' }, 'https://stats.example');
  expect(name.startsWith('cly:')).toBe(true);
  expect(JSON.parse(name.slice(4))).toMatchObject({ purpose: 'heatmap', token: 't', app_key: 'k', url: 'https://stats.example' });
});
