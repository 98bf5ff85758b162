import { describe, expect, it } from 'vitest';
import { usual } from '../../lib/view';
import type { Flow } from './api';
import { draftOf, fromFlow, partsOf, periodOf, searchOf, stepOf, toSent, usualFlow, walked, walksAt, type Draft } from './draft';

const full: Draft = {
  kind: 'views',
  at: '[CLY]_view:/a:b',
  end: '[CLY]_session',
  direction: 'around',
  steps: 7,
  nodes: 3,
  bound: 1800,
  hidden: ['[CLY]_view:/x'],
  by: 'up.cc',
  filter: { 'up.p': { $in: ['Web'] } },
  rest: { end: { 'sg.plan': 'pro' }, options: { hold: ['sg.id'] } },
};

const kept = (draft: Draft): Flow => {
  const { type, start, end, exclude, user_segmentation = {}, options } = toSent(draft);
  return { _id: 'f', name: 'F', type, start, end, exclude, user_segmentation: { ...user_segmentation }, period: '30days', options: { ...options }, created: 0 };
};

describe('the flow of an address', () => {
  it.each([usualFlow, full, { ...usualFlow, direction: 'before' as const, at: 'Buy', bound: 'user' as const }])('is read as it is written: %j', (draft) => {
    expect(draftOf({ ...usual, ...searchOf(draft) })).toEqual(draft);
  });

  it('leaves out what is as usual', () => {
    expect(searchOf(usualFlow)).toEqual({ tab: '', events: '', only: '', segment: '', filter: '' });
  });

  it('is as usual where it makes no sense', () => {
    const only = JSON.stringify({ direction: 'up', steps: '0', nodes: '26', bound: '1.5', rest: '[1]' });
    expect(draftOf({ tab: 'x', events: '{', only, segment: '', filter: '[' })).toEqual(usualFlow);
  });
});

describe('a flow as it is sent', () => {
  it('is about its start', () => {
    expect(toSent(usualFlow)).toEqual({ type: 'events', start: { event: '[CLY]_session' }, end: {}, exclude: [], options: { nodes: 6, after: 4 } });
  });

  it('has what was chosen', () => {
    expect(toSent(full)).toEqual({
      type: 'views',
      start: { event: '[CLY]_view', name: '/a:b' },
      end: { event: '[CLY]_session', query: { 'sg.plan': 'pro' } },
      exclude: [{ event: '[CLY]_view', name: '/x' }],
      user_segmentation: { 'up.p': { $in: ['Web'] } },
      options: { hold: ['sg.id'], nodes: 3, before: 7, after: 7, bound: 'window', window: 1800, expand: 'up.cc' },
    });
  });

  it('ends with what its steps lead up to', () => {
    expect(toSent({ ...usualFlow, direction: 'before', at: 'Buy' })).toMatchObject({ start: {}, end: { event: 'Buy' }, options: { before: 4, nodes: 6 } });
    expect(toSent({ ...usualFlow, direction: 'before', at: 'Buy' }).options).not.toHaveProperty('after');
  });

  it.each([usualFlow, full, { ...usualFlow, direction: 'before' as const, at: 'Buy' }])('is opened as it was kept: %j', (draft) => {
    expect(fromFlow(kept(draft), () => undefined)).toEqual(draft);
  });

  it('is opened as other programs keep it', () => {
    const flow: Flow = { ...kept(usualFlow), type: 'views', start: { event: '[CLY]_view', vid: 'v1' }, exclude: [{ event: '[CLY]_view', vid: 'gone' }], options: {} };
    expect(fromFlow(flow, (vid) => (vid === 'v1' ? '/home' : undefined))).toEqual({ ...usualFlow, kind: 'views', at: '[CLY]_view:/home', hidden: ['[CLY]_view:gone'], steps: 20, nodes: 10 });
  });
});

it('steps are texts', () => {
  expect(stepOf({ event: '[CLY]_view', name: '/a' })).toBe('[CLY]_view:/a');
  expect(stepOf({ event: 'Buy', name: 'x' })).toBe('Buy');
  expect(stepOf({ other: true })).toBeUndefined();
  expect(partsOf('a:b')).toEqual({ event: 'a:b' });
});

describe('a walk', () => {
  it('goes on from a step, up to it, or without it', () => {
    const from: Draft = { ...usualFlow, end: 'Buy', hidden: ['Look'], rest: { at: { a: 1 }, end: { b: 1 } } };
    expect(walked(from, 'start', 'Look')).toEqual({ ...from, at: 'Look', hidden: [], rest: { end: { b: 1 } } });
    expect(walked(from, 'start', 'Buy')).toEqual({ ...from, at: 'Buy', end: '', rest: {} });
    expect(walked(from, 'before', 'Cart')).toEqual({ ...from, at: 'Cart', direction: 'before', end: '', rest: {} });
    expect(walked(from, 'end', 'Cart')).toEqual({ ...from, end: 'Cart', rest: { at: { a: 1 } } });
    expect(walked(from, 'hide', 'Cart')).toEqual({ ...from, hidden: ['Look', 'Cart'] });
  });

  it('is offered where it changes something', () => {
    expect(walksAt(usualFlow, usualFlow.at)).toEqual(['before']);
    expect(walksAt({ ...usualFlow, end: 'Buy' }, 'Buy')).toEqual(['start', 'before']);
    expect(walksAt({ ...usualFlow, direction: 'before', at: 'Buy' }, 'Cart')).toEqual(['start', 'before', 'hide']);
  });
});

it('periods of kept flows are those of addresses', () => {
  expect(periodOf('7days', 'UTC')).toBe('7days');
  expect(periodOf('[1936612800000,1936699200000]', 'UTC')).toBe('2031-05-15..2031-05-16');
  expect(periodOf('hour', 'UTC')).toBeUndefined();
});
