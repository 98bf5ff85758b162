import { describe, expect, it } from 'vitest';
import { usual } from '../../lib/view';
import { sessionKey } from '../../parts/events/useEventNames';
import { activityParams, paramsOf } from './api';
import { agesOf, chosenEvents, chosenOf, eventsText, possibleUnits, usualUnit } from './question';

const month = { from: '2031-05-01', to: '2031-05-30' };
const app = { _id: 'a', timezone: 'Europe/Berlin' };
const period = { kind: 'preset', preset: '30days' } as const;

describe('an address', () => {
  it('without choices asks for sessions', () => {
    expect(chosenOf(usual, month)).toEqual({ start: [sessionKey], first: true, back: [sessionKey], mode: 'on', unit: 'day', filter: {}, by: '', count: '' });
  });
  it('holds each choice', () => {
    const view = {
      ...usual,
      events: '["open","buy"]',
      only: '{"start":"recurring","return":"[\\"buy\\"]","mode":"streak","count":"custom.company"}',
      by: 'week',
      filter: '{"up.cc":"DE"}',
      segment: 'sg.plan',
    };
    expect(chosenOf(view, month)).toEqual({ start: ['open', 'buy'], first: false, back: ['buy'], mode: 'streak', unit: 'week', filter: { 'up.cc': 'DE' }, by: 'sg.plan', count: 'custom.company' });
  });
  it('may hold anything', () => {
    const view = { ...usual, events: '{"a":1}', only: '{"start":"never","return":"[1,\\"\\"]","mode":"?"}', by: 'hour', filter: '[' };
    expect(chosenOf(view, month)).toEqual({ start: [sessionKey], first: true, back: [sessionKey], mode: 'on', unit: 'day', filter: {}, by: '', count: '' });
  });
  it('has at most six events, each once', () => expect(chosenOf({ ...usual, events: '["a","a","b","c","d","e","f","g"]' }, month).start).toEqual(['a', 'b', 'c', 'd', 'e', 'f']));
});

describe('a list of events', () => {
  it('is empty in the address where it is sessions', () => expect([eventsText([]), eventsText([sessionKey]), eventsText(['a', sessionKey])]).toEqual(['', '', `["a","${sessionKey}"]`]));
  it('drops the usual sessions with the first choice', () => {
    expect(chosenEvents([sessionKey], [sessionKey, 'buy'])).toEqual(['buy']);
    expect(chosenEvents(['buy'], ['buy', sessionKey])).toEqual(['buy', sessionKey]);
    expect(chosenEvents([sessionKey], [])).toEqual([]);
  });
});

describe('units', () => {
  it.each([
    [{ from: '2031-05-01', to: '2031-05-30' }, 'day', ['day', 'week', 'month']],
    [{ from: '2031-03-01', to: '2031-05-30' }, 'week', ['day', 'week', 'month']],
    [{ from: '2030-06-01', to: '2031-05-31' }, 'month', ['day', 'week', 'month']],
    [{ from: '2029-01-01', to: '2031-05-31' }, 'month', ['week', 'month']],
    [{ from: '2010-01-01', to: '2031-05-31' }, 'month', ['month']],
  ] as const)('of %j', (span, usually, possible) => {
    expect(usualUnit(span)).toBe(usually);
    expect(possibleUnits(span)).toEqual(possible);
  });
});

it.each([
  ['2031-05-01', 'day', '2031-05-30', 29],
  ['2031-05-30', 'day', '2031-05-30', 1],
  ['2030-05-30', 'day', '2031-05-30', 30],
  ['2031-05-04', 'week', '2031-05-05', 1], // a Sunday and the Monday after it
  ['2031-05-05', 'week', '2031-05-11', 1],
  ['2031-03-01', 'week', '2031-05-30', 13],
  ['2030-12-31', 'month', '2031-02-01', 2],
  ['2020-01-01', 'month', '2031-02-01', 24],
] as const)('from %s by %s until %s there are %d ages', (from, unit, today, want) => expect(agesOf({ from, to: from }, unit, today)).toBe(want));

describe('a request', () => {
  const plain = { ...chosenOf(usual, month), period, ages: 29 };
  it('leaves out what is usual for the server', () => {
    expect(paramsOf(app, plain)).toEqual({ app_id: 'a', period: '30days', unit: 'day', start_type: 'first', mode: 'on', span: 29 });
    expect(activityParams(app, plain)).toEqual({ app_id: 'a', period: '30days', unit: 'day' });
  });
  it('has every choice', () => {
    const asked = { ...plain, start: ['open', 'look'], back: ['buy'], first: false, mode: 'on_or_after', filter: { 'sg.plan': 'pro' }, by: 'up.cc', count: 'custom.company' } as const;
    expect(paramsOf(app, { ...asked, start: [...asked.start], back: [...asked.back] })).toMatchObject({
      start: '["open","look"]', return: '["buy"]', start_type: 'recurring', mode: 'on_or_after', query: '{"sg.plan":"pro"}', breakdown: 'up.cc', breakdown_limit: 5, count_by: 'custom.company',
    });
    expect(activityParams(app, { ...asked, start: [...asked.start] })).toMatchObject({ events: '["open","look"]', count_by: 'custom.company' });
  });
});
