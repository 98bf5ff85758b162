import { describe, expect, it } from 'vitest';
import { formats } from './format';

describe('formats', () => {
  const en = formats('en');
  const de = formats('de');

  it('writes numbers as the language does', () => {
    expect([en.count(0), en.count(1), en.count(100_000_000)]).toEqual(['0', '1', '100,000,000']);
    expect(de.count(1234.56)).toBe('1.234,6');
    expect([en.short(999_999), en.short(100_000_000)]).toEqual(['999,999', '100M']);
    expect(en.percent(-0.125)).toBe('-12.5%');
  });

  it.each([
    [0, '0 s'],
    [59.4, '59 s'],
    [59.6, '1 min'],
    [61, '1 min 1 s'],
    [3600, '1 h'],
    [5400, '1 h 30 min'],
    [86399, '23 h 59 min'],
    [90000, '1 d 1 h'],
    [8_639_000, '99 d 23 h'],
    [8_650_000, '100 d'],
    [864_000_000, '10,000 d'],
  ])('writes %d seconds as %s', (seconds, want) => {
    expect(en.duration(seconds).replaceAll('\u00a0', ' ')).toBe(want);
  });
});
