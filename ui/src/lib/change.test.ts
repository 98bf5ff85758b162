import { describe, expect, it } from 'vitest';
import { changeIn, changeOf, wholeDays } from './change';
import { formats } from './format';

describe('changeOf', () => {
  const en = formats('en');
  it.each([
    [112, 100, '+12%', 'up'],
    [0, 4, '−100%', 'down'],
    [5, 5, '0%', 'same'],
    [100_001, 100_000, '0%', 'same'],
    [99_999, 100_000, '0%', 'same'],
    [3, 0, '', 'new'],
  ])('from %d of %d', (now, was, text, trend) => expect(changeOf(now, was, en)).toMatchObject({ text, trend }));
  it('is nothing between nothing and nothing', () => expect(changeOf(0, 0, en)).toBeUndefined());
});

describe('changeIn', () => {
  const en = formats('en');
  const part = { first: '2031-05-01', last: '2031-05-01', until: 11 };
  const of = (n: number) => n;
  it.each([
    ['new since the last full hour, from nothing', { ...part, total: 2, now: 0, before: 0 }, 'new'],
    ['nothing from nothing', { ...part, total: 0, now: 0, before: 0 }, undefined],
    ['a rise in the parts compared', { ...part, total: 9, now: 4, before: 2 }, 'up'],
    ['a fall to nothing, whatever came after', { ...part, total: 9, now: 0, before: 2 }, 'down'],
    ['nothing where nothing can be compared yet', { ...part, until: 0, total: 2, now: 0, before: 0 }, undefined],
  ])('%s', (_, sums, want) => expect(changeIn(sums, of, en)?.trend).toBe(want));
});

describe('wholeDays', () => {
  const before = { from: '2031-05-01', to: '2031-05-07' };
  it('takes all of what is over', () => {
    const week = { from: '2031-05-08', to: '2031-05-14' };
    expect(wholeDays(week, before, '2031-05-15')).toEqual({ now: week, before, against: { first: '2031-05-01', last: '2031-05-07', until: 24 } });
  });
  it('leaves today out on both sides', () => {
    expect(wholeDays({ from: '2031-05-08', to: '2031-05-14' }, before, '2031-05-14')).toEqual({
      now: { from: '2031-05-08', to: '2031-05-13' },
      before: { from: '2031-05-01', to: '2031-05-06' },
      against: { first: '2031-05-01', last: '2031-05-06', until: 24, withoutToday: true },
    });
  });
  it('keeps to a shorter one before', () => {
    const got = wholeDays({ from: '2031-03-01', to: '2031-03-31' }, { from: '2031-02-01', to: '2031-02-28' }, '2031-03-31');
    expect(got?.before).toEqual({ from: '2031-02-01', to: '2031-02-28' });
  });
  it('has nothing of today alone', () => {
    expect(wholeDays({ from: '2031-05-14', to: '2031-05-14' }, { from: '2031-05-13', to: '2031-05-13' }, '2031-05-14')).toBeUndefined();
  });
});
