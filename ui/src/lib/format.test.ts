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
    expect([en.count(-0.01), en.amount(-0.001), en.amount(-1234.5)]).toEqual(['0', '0', '-1,234.50']);
  });

  it('writes shares alike', () => {
    expect([0, 0.0004, 0.07, 1].map(en.share)).toEqual(['0.0%', '<\u00a00.1%', '7.0%', '100.0%']);
    expect(de.share(0.0004)).toBe('<\u00a00,1\u00a0%');
  });

  it('calls all only what is all', () => {
    expect([0.9991, 0.9999999, 1].map(en.percent)).toEqual(['>\u00a099.9%', '>\u00a099.9%', '100%']);
    expect([0.9989, 0.99951, 1].map(en.share)).toEqual(['99.9%', '>\u00a099.9%', '100.0%']);
    expect([0, 0.00001].map(en.percent)).toEqual(['0%', '<\u00a00.1%']);
  });

  it('has the clock and the order of days of a region', () => {
    const [gb, fr] = [formats('en-GB'), formats('fr-FR')];
    expect([gb.day('2031-05-14'), gb.clock(Date.UTC(2031, 4, 14, 15), 'UTC')]).toEqual(['14 May 2031', '15:00']);
    expect([fr.day('2031-05-14'), fr.clock(Date.UTC(2031, 4, 14, 15), 'UTC')]).toEqual(['14 mai 2031', '15:00']);
  });

  it('writes changes with their sign', () => {
    expect([en.change(0.125), en.change(-0.5), en.change(0)]).toEqual(['+12.5%', '−50%', '0%']);
    expect([8.99, 9, 12.34, 455.286].map(en.change)).toEqual(['+899%', '×10', '×13.3', '×456']);
  });

  it('writes days and moments', () => {
    expect(en.day('2031-05-14')).toBe('May 14, 2031');
    expect(de.day('2031-05-14')).toBe('14.05.2031');
    const plain = (s: string) => s.replaceAll(/[\u202f\u2009]/g, ' ');
    expect(plain(en.days('2031-05-14', '2031-05-16'))).toBe('May 14 – 16, 2031');
    expect(plain(en.moment(Date.UTC(2031, 4, 14, 12), 'Asia/Tokyo'))).toBe('May 14, 2031, 9:00 PM');
    expect(plain(en.instant(Date.UTC(2031, 4, 14, 12, 0, 7), 'UTC'))).toBe('May 14, 2031, 12:00:07 PM');
    expect(plain(en.clock(Date.UTC(2031, 4, 14, 12), 'Asia/Tokyo'))).toBe('9:00 PM');
    expect(en.moment(0, 'No/Such')).not.toBe('');
  });

  it.each([
    [0, '0 B'],
    [1023, '1,023 B'],
    [1536, '1.5 KiB'],
    [5 * 1024 ** 3, '5 GiB'],
  ])('writes %d bytes', (n, want) => expect(en.bytes(n).replace('\u00a0', ' ')).toBe(want));

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
