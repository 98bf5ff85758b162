import { describe, expect, it } from 'vitest';
import { possible, stepOfView, usualStep, type Granularity } from './granularity';
import { addDays, daysIn, type Span } from './period';

const of = (days: number, to = '2031-05-14'): Span => ({ from: addDays(to, 1 - days), to });

describe('granularity', () => {
  it.each<[number, Granularity, Granularity[]]>([
    [1, 'hour', ['hour']],
    [2, 'day', ['hour', 'day']],
    [30, 'day', ['hour', 'day', 'week', 'month']],
    [90, 'day', ['day', 'week', 'month']],
    [365, 'week', ['day', 'week', 'month']],
    [1500, 'month', ['week', 'month']],
  ])('of %d days is %s', (days, usual, can) => {
    expect([usualStep(of(days)), possible(of(days))]).toEqual([usual, can]);
  });

  it('draws about a hundred points whatever the span', () => {
    for (let days = 1; days <= 3000; days += 13) {
      const span = of(days);
      const step = usualStep(span);
      const points = { hour: 24, day: 1, week: 1 / 7, month: 1 / 30.4 }[step] * daysIn(span);
      expect(points, `${days} days by ${step}`).toBeLessThanOrEqual(102);
    }
  });

  it('takes what is chosen where it can be', () => {
    expect([stepOfView('week', of(30)), stepOfView('hour', of(365)), stepOfView('x', of(1))]).toEqual(['week', 'week', 'hour']);
    expect([stepOfView('hour', of(30), ['day', 'month']), stepOfView('', of(1), ['day', 'month'])]).toEqual(['day', 'day']);
  });
});
