import { describe, expect, it } from 'vitest';
import { steps } from '../figures/figures';
import { clockOf } from './usePinned';

const span = { from: '2031-05-13', to: '2031-06-10' };
const named = (_id: string) => steps([{ _id }], 'en', span)[0] ?? { row: { _id } };

describe('the moment of a note that is pinned to a step', () => {
  it.each([
    ['2031-5-14', '2031-05-14T12:00'],
    ['2031-5-14 9:00', '2031-05-14T09:00'],
    ['2031-w20', '2031-05-13T12:00'], // the week begins the day before the span
    ['2031-6', '2031-06-01T12:00'],
  ])('of %s is %s', (id, want) => expect(clockOf(named(id))).toBe(want));
});

describe('the days of steps', () => {
  it.each([
    ['2031-5-14', { from: '2031-05-14', to: '2031-05-14' }],
    ['2031-w20', { from: '2031-05-13', to: '2031-05-18' }],
    ['2031-5', { from: '2031-05-13', to: '2031-05-31' }],
    ['2031-6', { from: '2031-06-01', to: '2031-06-10' }],
  ])('of %s are cut to the period', (id, want) => expect(named(id)).toMatchObject({ days: want }));
  it('are not known without the period', () => expect(steps([{ _id: '2031-5-14' }], 'en')[0]).not.toHaveProperty('days'));
});
