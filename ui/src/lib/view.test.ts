import { describe, expect, it } from 'vitest';
import { carried, parseList, parseOnly, parseView, usual, withOnly } from './view';

describe('parseView', () => {
  it('is as usual without anything', () => {
    expect(parseView({})).toEqual(usual);
  });

  it('takes what is known and drops what is not', () => {
    const got = parseView({ period: 'x', compare: 'year', match: 'moon', as: 'pie', page: '3', q: 42, sort: {}, hide: 'x'.repeat(9999) });
    expect(got).toEqual({ ...usual, compare: 'year', page: 3, q: '42', hide: 'x'.repeat(2000) });
  });

  it.each([-1, 0, 'x', null, Infinity])('has no page %s', (page) => expect(parseView({ page }).page).toBe(1));

  it('keeps lists that the router has already read', () => {
    expect(parseView({ events: ['a', 'b'] }).events).toBe('["a","b"]');
  });
});

it('carries the time from page to page', () => {
  expect(carried({ ...usual, q: 'x', page: 4, period: '7days' })).toEqual({ period: '7days', compare: 'none', match: 'date' });
});

it.each([
  ['["a","b"]', ['a', 'b']],
  ['["a",1]', ['a']],
  ['{', []],
  ['', []],
  ['"a"', []],
])('parseList(%s)', (text, want) => expect(parseList(text)).toEqual(want));

it.each([
  ['', {}],
  ['{"a":"x","n":3,"e":""}', { a: 'x' }],
  ['["a"]', {}],
  ['{', {}],
])('parseOnly(%s)', (text, want) => expect(parseOnly(text)).toEqual(want));

it.each([
  ['', 'a', 'x', '{"a":"x"}'],
  ['{"a":"x"}', 'b', 'y', '{"a":"x","b":"y"}'],
  ['{"a":"x","b":"y"}', 'a', '', '{"b":"y"}'],
  ['{"a":"x"}', 'a', '', ''],
])('withOnly(%s, %s, %s)', (text, key, value, want) => expect(withOnly(text, key, value)).toBe(want));
