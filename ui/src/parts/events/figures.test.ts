import { expect, it } from 'vitest';
import { formats } from '../../lib/format';
import { figuresOf, nameOfEvent, parseEventFigure, sumOf, writeEvent } from './figures';

const rows = [
  { _id: 'a', c: 1, s: 0, dur: 30 },
  { _id: 'b', c: 2, s: 0, dur: 31 },
];

it('shows only the figures that were sent', () => {
  expect(figuresOf(rows)).toEqual(['c', 'dur']);
  expect(figuresOf([])).toEqual(['c']);
});

it('writes each in its unit', () => {
  const en = formats('en');
  expect(writeEvent('s', 1234.567, en)).toBe('1,234.57');
  expect([writeEvent('c', 1234, en), writeEvent('dur', sumOf(rows, 'dur'), en)]).toEqual(['1,234', '1\u00a0min 1\u00a0s']);
  expect(parseEventFigure('x')).toBe('c');
});

it.each([
  [undefined, 'buy'],
  [{ limits: { event_limit: 1 } }, 'buy'],
  [{ limits: { event_limit: 1 }, map: { buy: { name: '' } } }, 'buy'],
  [{ limits: { event_limit: 1 }, map: { buy: { name: 'Bought' } } }, 'Bought'],
])('nameOfEvent with %j', (list, want) => expect(nameOfEvent('buy', list)).toBe(want));
