import { describe, expect, it } from 'vitest';
import { addDays, compared, daysIn, neighbour, parsePeriod, spanOf, formatPeriod, isOpen, type Comparison, type Match, type Period, type Span } from './period';

const now = new Date('2026-03-01T10:00:00Z');

describe('spanOf', () => {
  it.each([
    ['today', '2026-03-01', '2026-03-01'],
    ['yesterday', '2026-02-28', '2026-02-28'],
    ['7days', '2026-02-23', '2026-03-01'],
    ['365days', '2025-03-02', '2026-03-01'],
    ['day', '2026-03-01', '2026-03-01'],
    ['prevMonth', '2026-02-01', '2026-02-28'],
    ['month', '2026-01-01', '2026-03-01'],
    ['2026-01-05..2026-01-06', '2026-01-05', '2026-01-06'],
  ])('of %s', (text, from, to) => {
    expect(spanOf(parsePeriod(text), 'UTC', now)).toEqual({ from, to });
  });

  it('knows the day of the zone', () => {
    const late = new Date('2026-02-28T23:30:00Z');
    expect(spanOf(parsePeriod('today'), 'Europe/Berlin', late).from).toBe('2026-03-01');
  });
});

const custom = (span: Span): Period => ({ kind: 'custom', ...span });

describe('compared', () => {
  const week = { from: '2026-02-23', to: '2026-03-01' };
  it.each<[Comparison, Match, string, string]>([
    ['previous', 'date', '2026-02-16', '2026-02-22'],
    ['previous', 'weekday', '2026-02-16', '2026-02-22'],
    ['year', 'date', '2025-02-23', '2025-03-01'],
    ['year', 'weekday', '2025-02-24', '2025-03-02'],
  ])('a week with %s by %s', (comparison, match, from, to) => {
    expect(compared(custom(week), week, comparison, match)).toEqual({ from, to });
  });

  it('keeps weekdays side by side and lengths alike, whatever the span', () => {
    for (let days = 1; days <= 60; days++) {
      const span = { from: '2024-02-29', to: addDays('2024-02-29', days - 1) };
      for (const comparison of ['previous', 'year'] as const) {
        const got = compared(custom(span), span, comparison, 'weekday');
        if (got === undefined) throw new Error('no span');
        expect(daysIn(got)).toBe(days);
        expect(new Date(got.from).getUTCDay()).toBe(new Date(span.from).getUTCDay());
        expect(got.to < span.from || comparison === 'year').toBe(true);
      }
    }
  });

  it('has no 29th of February in most years', () => {
    const leap = { from: '2024-02-29', to: '2024-02-29' };
    expect(compared(custom(leap), leap, 'year', 'date')?.from).toBe('2023-02-28');
  });

  it.each([
    ['day', '2026-11-22', '2026-10-01', '2026-10-22'],
    ['day', '2026-03-31', '2026-02-01', '2026-02-28'],
    ['prevMonth', '2026-11-22', '2026-09-01', '2026-09-30'],
    ['month', '2026-11-22', '2025-01-01', '2025-11-22'],
    ['today', '2026-11-22', '2026-11-21', '2026-11-21'],
  ])('%s on %s with the same part of the one before', (text, day, from, to) => {
    const p = parsePeriod(text);
    expect(compared(p, spanOf(p, 'UTC', new Date(`${day}T10:00:00Z`)), 'previous', 'date')).toEqual({ from, to });
  });

  it('is nothing when none is wanted', () => {
    expect(compared(custom(week), week, 'none', 'date')).toBeUndefined();
  });
});

describe('neighbour', () => {
  it('steps back and forth, not into the future', () => {
    const back = neighbour(parsePeriod('7days'), -1, 'UTC', now);
    if (back === undefined) throw new Error('no period before');
    expect(formatPeriod(back)).toBe('2026-02-16..2026-02-22');
    expect(formatPeriod(neighbour(back, 1, 'UTC', now) ?? back), 'again what goes on with time').toBe('7days');
    expect(neighbour(parsePeriod('7days'), 1, 'UTC', now)).toBeUndefined();
  });
});

describe('isOpen', () => {
  it.each([
    ['30days', true],
    ['yesterday', false],
    ['prevMonth', false],
    ['2026-02-01..2026-02-27', false],
    ['2026-02-01..2026-03-01', true],
  ])('%s: %s', (text, want) => expect(isOpen(parsePeriod(text), 'UTC', now)).toBe(want));
});
