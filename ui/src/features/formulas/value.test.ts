import { expect, test } from 'vitest';
import { formats } from '../../lib/format';
import { keyOf, parseShown, shownOf, shownText, usualShown, wireOf, write, type Shown } from './value';

const en = formats('en-GB');

test.each<[Shown, number, string]>([
  [{ kind: 'number', places: 2, unit: '' }, 1234.5, '1,234.50'],
  [{ kind: 'number', places: 0, unit: 'kg' }, 2.6, '3\u00a0kg'],
  [{ kind: 'integer', places: 2, unit: '' }, 2.4, '2'],
  [{ kind: 'percent', places: 1, unit: '' }, 0.125, '12.5%'],
  [{ kind: 'currency', places: 2, unit: 'EUR' }, -3, '-€3.00'],
  [{ kind: 'duration', places: 2, unit: '' }, 90, '1\u00a0min 30\u00a0s'],
  [{ kind: 'duration', places: 0, unit: '' }, -5, '−5\u00a0s'],
])('%j writes %d', (shown, value, want) => expect(write(shown, value, 'en-GB', en)).toBe(want));

test('what there is no value of is a dash', () => expect(write(usualShown, undefined, 'en-GB', en)).toBe('–'));

test.each<Shown>([
  { kind: 'number', places: 3, unit: 'kg' },
  { kind: 'integer', places: 0, unit: '' },
  { kind: 'percent', places: 1, unit: '' },
  { kind: 'currency', places: 2, unit: 'USD' },
  { kind: 'duration', places: 0, unit: '' },
])('%j is kept and read back, by the server and by an address', (shown) => {
  expect(shownOf(wireOf(shown))).toEqual(shown);
  expect(parseShown(shownText(shown))).toEqual(shown);
});

test('an address that says something else is as usual', () => {
  expect(['', 'x.1.', 'number.11.', 'number.a.'].map(parseShown)).toEqual([undefined, undefined, undefined, undefined]);
  expect(parseShown('number.1.a.b')).toEqual({ kind: 'number', places: 1, unit: 'a.b' });
});

test.each([
  ['Revenue per user', [], 'revenue_per_user'],
  ['Größe!', [], 'grosse'],
  ['売上', [], 'formula'],
  ['a', ['a', 'a_2'], 'a_3'],
] as const)('%s has a key', (title, taken, want) => expect(keyOf(title, taken)).toBe(want));
