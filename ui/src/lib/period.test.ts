import { describe, expect, it } from 'vitest';
import { dayOfWeek, formatPeriod, momentIn, neighbour, noon, parsePeriod, presets, today, wallClock, wirePeriod, weekOf, type Period } from './period';

describe('parsePeriod', () => {
  it.each(presets)('reads back %s', (preset) => {
    expect(formatPeriod(parsePeriod(preset))).toBe(preset);
  });

  it.each([
    ['2026-01-05..2026-01-31', '2026-01-05..2026-01-31'],
    ['2026-01-31..2026-01-05', '2026-01-05..2026-01-31'],
    ['2024-02-29..2024-02-29', '2024-02-29..2024-02-29'],
    ['2025-02-29..2025-03-01', '30days'],
    ['2026-01-05', '30days'],
    ['2026-01-05..2026-01-06..2026-01-07', '30days'],
    ['2026-13-01..2026-13-02', '30days'],
    ['', '30days'],
    [7, '30days'],
    [undefined, '30days'],
  ])('reads %s as %s', (text, want) => {
    expect(formatPeriod(parsePeriod(text))).toBe(want);
  });
});

describe('wirePeriod', () => {
  it('passes presets through', () => {
    expect(wirePeriod({ kind: 'preset', preset: 'prevMonth' }, 'UTC')).toBe('prevMonth');
  });

  it('gives moments inside the days of the zone', () => {
    const got = wirePeriod({ kind: 'custom', from: '2026-03-28', to: '2026-03-29' }, 'Europe/Berlin');
    expect(got).toBe(`[${Date.UTC(2026, 2, 28, 11)},${Date.UTC(2026, 2, 29, 10)}]`);
  });
});

describe('noon', () => {
  it.each([
    ['UTC', '2026-06-01T12:00:00.000Z'],
    ['Asia/Kolkata', '2026-06-01T06:30:00.000Z'],
    ['Asia/Kathmandu', '2026-06-01T06:15:00.000Z'],
    ['America/St_Johns', '2026-06-01T14:30:00.000Z'],
    ['Pacific/Kiritimati', '2026-05-31T22:00:00.000Z'],
    ['No/Such', '2026-06-01T12:00:00.000Z'],
  ])('of %s', (zone, want) => {
    expect(new Date(noon('2026-06-01', zone)).toISOString()).toBe(want);
  });
});

describe('today', () => {
  it('is a day of the zone', () => {
    const now = new Date('2026-06-01T22:30:00Z');
    expect(today('UTC', now)).toBe('2026-06-01');
    expect(today('Europe/Berlin', now)).toBe('2026-06-02');
    expect(today('America/New_York', now)).toBe('2026-06-01');
  });
});

describe('momentIn', () => {
  it.each([
    ['2026-03-29T01:30', 'Europe/Berlin', '2026-03-29T00:30:00.000Z'],
    ['2026-03-29T03:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-06-01T12:00', 'Asia/Kathmandu', '2026-06-01T06:15:00.000Z'],
  ])('%s in %s', (clock, zone, want) => {
    const got = momentIn(clock, zone) ?? 0;
    expect(new Date(got).toISOString()).toBe(want);
    expect(wallClock(got, zone)).toBe(clock);
  });

  it('is nothing for no time', () => expect(momentIn('x', 'UTC')).toBeUndefined());
});

describe('weeks', () => {
  it.each([
    ['2031-05-14', '2031-w20', '2031-05-12'],
    ['2031-05-18', '2031-w20', '2031-05-12'],
    ['2031-05-19', '2031-w21', '2031-05-19'],
    ['2026-12-31', '2026-w53', '2026-12-28'],
    ['2027-01-03', '2026-w53', '2026-12-28'],
    ['2027-01-04', '2027-w1', '2027-01-04'],
    ['2024-12-30', '2025-w1', '2024-12-30'],
  ])('%s is in %s', (day, week, monday) => expect([weekOf(day), dayOfWeek(week)]).toEqual([week, monday]));
  it('are no days', () => expect(dayOfWeek('2031-5-14')).toBeUndefined());
});

describe('neighbour', () => {
  const now = new Date('2026-03-31T12:00:00Z');
  const step = (text: string, ...directions: (1 | -1)[]) =>
    directions.reduce<Period | undefined>((p, d) => p && neighbour(p, d, 'UTC', now), parsePeriod(text));

  it('goes as far as the period is long', () => expect(step('7days', -1)).toEqual({ kind: 'custom', from: '2026-03-18', to: '2026-03-24' }));

  it.each(['7days', '30days', '90days', 'today', 'yesterday'])('there and back is %s again, which goes on with time', (preset) => {
    expect(step(preset, -1, 1)).toEqual({ kind: 'preset', preset });
    expect(step(preset, -1, -1, 1, 1)).toEqual({ kind: 'preset', preset });
  });

  it('ends with today', () => expect(step('7days', 1)).toBeUndefined());
});
