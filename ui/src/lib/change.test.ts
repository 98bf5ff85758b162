import { describe, expect, it } from 'vitest';
import { changeOf, wholeDays } from './change';
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
