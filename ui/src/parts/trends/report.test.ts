import { describe, expect, it } from 'vitest';
import { usual } from '../../lib/view';
import { orderOf, paramOf, parseMeasure, valueOf, type Measure } from './measure';
import { reportOf, searchOf, slotsOf, visualizationOf, zoneOf } from './report';

describe('measures', () => {
  it.each(['t', 'u', 'per_user', 'sessions', 'median:sg.price', 'p95:dur', 'avg:sg.a:b', 'ratio_u:visit'])('%s stands in an address', (text) => expect(parseMeasure(text)).toBe(text));
  it.each(['', 'x', 'median:', 'nothing:sg.price'])('%j is none', (text) => expect(parseMeasure(text)).toBe('t'));

  it.each<[Measure, object | undefined]>([
    ['t', undefined],
    ['avg_s', undefined],
    ['sessions', { fn: 'sessions' }],
    ['median:sg.price', { fn: 'median', of: 'sg.price' }],
    ['p90:dur', { fn: 'percentile', of: 'dur', p: 90 }],
    ['ratio_t:visit', { fn: 'ratio', of: { fn: 'count' }, to: { fn: 'count', event: 'visit' } }],
  ])('%s is asked for as %j', (measure, want) => expect(paramOf(measure)).toEqual(want));

  it('filters both sides of a ratio', () => {
    expect(paramOf('ratio_u:visit', { 'up.cc': 'DE' })).toEqual({ fn: 'ratio', of: { fn: 'users' }, to: { fn: 'users', event: 'visit', query: { 'up.cc': 'DE' } } });
  });

  const figures = { u: 2, t: 4, s: 10, dur: 60, m: [7] };
  it.each<[Measure, number]>([['t', 4], ['u', 2], ['s', 10], ['dur', 60], ['per_user', 2], ['avg_s', 2.5], ['avg_dur', 15], ['median:s', 7], ['sessions', 7]])('%s is %d', (measure, want) => expect(valueOf(measure, figures)).toBe(want));

  it('of nothing are 0 or missing', () => {
    expect(valueOf('t', undefined)).toBe(0);
    expect(valueOf('avg_s', undefined)).toBeUndefined();
    expect(valueOf('per_user', { u: 0, t: 0, s: 0, dur: 0 })).toBeUndefined();
    expect(valueOf('median:s', { u: 1, t: 1, s: 0, dur: 0, m: [null] })).toBeUndefined();
  });
});

it('reads a report from an address, whatever it holds', () => {
  expect(reportOf({ events: '["a","b","a"]', figure: 'u', segment: '["sg.x","up.cc","up.p","up.av"]', tab: 'stacked' })).toEqual({ events: ['a', 'b'], measure: 'u', by: ['sg.x', 'up.cc', 'up.p'], count: '', days: '', picture: 'stacked' });
  expect(reportOf({ events: 'x', figure: '?', segment: 'sg.x', tab: 'events' })).toEqual({ events: [], measure: 't', by: ['sg.x'], count: '', days: '', picture: 'line' });
});

it('has the days of a clock that is one', () => {
  const days = (text: string) => reportOf({ ...usual, only: JSON.stringify({ days: text }) }).days;
  expect([days('user'), days('mine'), days('moon')]).toEqual(['user', 'mine', '']);
  expect([zoneOf('', 'Asia/Tokyo'), zoneOf('user', 'Asia/Tokyo')]).toEqual(['Asia/Tokyo', 'Asia/Tokyo']);
});

it('counts what the address says', () => {
  expect(reportOf({ ...usual, only: '{"count":"sessions"}' }).count).toBe('sessions');
});

describe('steps of a span', () => {
  const days = { from: '2031-05-30', to: '2031-06-02' };
  it('are days', () => expect(slotsOf(days, 'day').map((s) => s.key)).toEqual(['2031.5.30', '2031.5.31', '2031.6.1', '2031.6.2']));
  it('are weeks, those of a year that has them', () => expect(slotsOf({ from: '2030-12-29', to: '2031-01-06' }, 'week')).toEqual([{ _id: '2030-w52', key: '2030.w52' }, { _id: '2031-w1', key: '2031.w1' }, { _id: '2031-w2', key: '2031.w2' }]));
  it('are months', () => expect(slotsOf(days, 'month')).toEqual([{ _id: '2031-5', key: '2031.5' }, { _id: '2031-6', key: '2031.6' }]));
  it('are hours', () => {
    const hours = slotsOf({ from: days.from, to: days.from }, 'hour');
    expect(hours).toHaveLength(24);
    expect(hours[9]).toEqual({ _id: '2031-5-30 9:00', key: '2031.5.30.9' });
  });
});

describe('bookmarks', () => {
  it('keep a report', () => {
    const view = { ...usual, events: '["a","b"]', figure: 'median:dur', tab: 'bar', by: 'week', period: '90days', segment: '["sg.x"]', filter: '{"cc":"DE"}', only: '{"count":"custom.company","days":"user"}' };
    const kept = { event_key: 'a', query_obj: view.filter, by_val: view.segment, visualization: visualizationOf(view) ?? '' };
    expect({ ...usual, ...searchOf(kept) }).toEqual(view);
  });
  it('of other programs are read, too', () => {
    expect(searchOf({ event_key: 'a', query_obj: '{}', by_val: '[]', visualization: 'bars' })).toMatchObject({ events: '["a"]', filter: '', segment: '', tab: '', period: '30days' });
  });
  it('are refused where they are too long', () => expect(visualizationOf({ ...usual, events: JSON.stringify(['ä'.repeat(990)]) })).toBeUndefined());
});

describe('groups', () => {
  it.each<[Measure, string, object[]]>([
    ['t', 't', []],
    ['dur', 'dur', []],
    ['per_user', 'm0', [{ fn: 'per_user' }]],
    ['avg_s', 'm0', [{ fn: 'avg', of: 's' }]],
    ['median:sg.price', 'm0', [{ fn: 'median', of: 'sg.price' }]],
  ])('are ordered by %s', (measure, by, measures) => expect(orderOf(measure)).toEqual({ by, measures }));
});
