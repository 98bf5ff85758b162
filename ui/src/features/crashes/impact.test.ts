import { describe, expect, it } from 'vitest';
import { axisOf, onAxis, parsePart, saidOf, shownOf, toneOf } from './impact';
import type { Property } from './impactApi';

const property = (value: string, odds: number, adjusted: number): Property => ({
  kind: 'user',
  path: 'up.p',
  value,
  hit: 10,
  other: 20,
  hitPercent: 50,
  otherPercent: 20,
  odds: { value: odds, low: odds / 2, high: odds * 2 },
  adjusted,
});

describe('the impact of a group', () => {
  it('marks only what chance does not explain', () => {
    expect(toneOf(property('a', 4, 0.001))).toBe('down');
    expect(toneOf(property('a', 0.2, 0.049))).toBe('up');
    expect(toneOf(property('a', 9, 0.05))).toBe('none');
  });
  it('draws twice and half as far from even, and keeps odds without bound on the axis', () => {
    expect([onAxis(2), onAxis(1), onAxis(0.5), onAxis(0), onAxis(undefined), onAxis(1e9)]).toEqual([1, 0, -1, -8, 8, 8]);
    expect(axisOf([property('a', 4, 0)])).toBe(3);
    expect(axisOf([])).toBe(1);
  });
  it('shows what is sure, or else a few to look at', () => {
    const sure = [property('a', 4, 0.01), property('b', 3, 0.02)];
    const chance = ['c', 'd', 'e', 'f', 'g', 'h'].map((name) => property(name, 1, 0.9));
    expect(shownOf([...sure, ...chance], 10)).toEqual({ sure: 2, rows: sure });
    expect(shownOf(chance, 10)).toEqual({ sure: 0, rows: chance.slice(0, 5) });
    expect(shownOf(sure, 1)).toEqual({ sure: 2, rows: sure.slice(0, 1) });
  });
  it('says fewer or more only where the interval holds no zero', () => {
    const said = (low: number, high: number, followed = 20, few = false) => saidOf({ followed, few, difference: { value: 0, low, high } });
    expect([said(-9, -1), said(1, 9), said(-1, 9), said(-9, 0), said(0, 9)]).toEqual(['fewer', 'more', 'same', 'same', 'same']);
    expect([said(-9, -1, 0), said(-9, -1, 9, true), saidOf({ followed: 9, few: false })]).toEqual(['early', 'few', 'few']);
  });
  it('reads a part from an address', () => {
    expect([parsePart('cost'), parsePart('path'), parsePart(''), parsePart('x')]).toEqual(['cost', 'path', 'properties', 'properties']);
  });
});
