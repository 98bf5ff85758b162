import { describe, expect, it } from 'vitest';
import { countRules, fromWire, isComplete, nothing, operators, operatorsOf, readFilter, ruleOf, toWire, type Group, type Kind, type Operator, type Rule } from './filter';

const kinds: Record<string, Kind> = { cc: 'text', sc: 'number', lac: 'moment', hasInfo: 'bool', 'custom.x': 'any' };
const kindOf = (path: string): Kind => kinds[path] ?? 'text';
const rule = (path: string, op: Operator, texts: string[] = [], numbers: number[] = []): Rule => ({ path, op, texts, numbers });
const all = (...parts: Group['parts']): Group => ({ all: true, parts });
const any = (...parts: Group['parts']): Group => ({ all: false, parts });

describe('filters', () => {
  it.each([
    ['nothing', nothing, {}],
    ['is', all(rule('cc', 'is', ['DE', 'FR'])), { cc: { $in: ['DE', 'FR'] } }],
    ['is not', all(rule('cc', 'isNot', ['DE'])), { cc: { $nin: ['DE'] } }],
    ['contains, whatever stands in it', all(rule('did', 'contains', ['a.b*(c)\\'])), { did: { $regex: 'a\\.b\\*\\(c\\)\\\\', $options: 'i' } }],
    ['begins', all(rule('did', 'begins', ['^x'])), { did: { $regex: '^\\^x', $options: 'i' } }],
    ['equals', all(rule('sc', 'equals', [], [0])), { sc: { $eq: 0 } }],
    ['differs', all(rule('sc', 'differs', [], [3])), { sc: { $ne: 3 } }],
    ['above', all(rule('sc', 'above', [], [-1.5])), { sc: { $gt: -1.5 } }],
    ['below', all(rule('sc', 'below', [], [7])), { sc: { $lt: 7 } }],
    ['between', all(rule('sc', 'between', [], [1, 2])), { sc: { $gte: 1, $lte: 2 } }],
    ['since', all(rule('lac', 'since', [], [1e9])), { lac: { $gte: 1e9 } }],
    ['until', all(rule('lac', 'until', [], [1e9])), { lac: { $lt: 1e9 } }],
    ['yes', all(rule('hasInfo', 'yes')), { hasInfo: { $eq: true } }],
    ['no', all(rule('hasInfo', 'no')), { hasInfo: { $eq: false } }],
    ['known', all(rule('custom.x', 'known')), { 'custom.x': { $exists: true } }],
    ['unknown', all(rule('custom.x', 'unknown')), { 'custom.x': { $exists: false } }],
    ['all of two', all(rule('cc', 'is', ['DE']), rule('cc', 'isNot', ['FR'])), { $and: [{ cc: { $in: ['DE'] } }, { cc: { $nin: ['FR'] } }] }],
    ['any of one', any(rule('cc', 'is', ['DE'])), { $or: [{ cc: { $in: ['DE'] } }] }],
    [
      'groups in groups',
      any(rule('cc', 'is', ['DE']), all(rule('sc', 'above', [], [1]), any(rule('cc', 'known'), rule('sc', 'known')))),
      { $or: [{ cc: { $in: ['DE'] } }, { $and: [{ sc: { $gt: 1 } }, { $or: [{ cc: { $exists: true } }, { sc: { $exists: true } }] }] }] },
    ],
  ])('are written and read back: %s', (_, group, wire) => {
    expect(toWire(group)).toEqual(wire);
    expect(fromWire(wire, kindOf)).toEqual(group);
  });

  it('leave out what is not complete', () => {
    const group = any(rule('cc', 'is'), rule('sc', 'between', [], [1]), all(rule('cc', 'contains', [''])), rule('cc', 'known'));
    expect(toWire(group)).toEqual({ $or: [{ cc: { $exists: true } }] });
    expect(countRules(group)).toBe(4);
  });

  it.each([
    ['no object', 5],
    ['an operator of its own', { $nor: [{ a: 1 }] }],
    ['a condition that no menu has', { cc: { $size: 2 } }],
    ['an expression', { cc: { $regex: 'a|b', $options: 'i' } }],
    ['numbers in a list', { sc: { $in: [1, 2] } }],
    ['a bound alone', { $and: [{ sc: { $gte: 1 } }, { cc: 'DE' }, { sc: { $lte: 2 } }] }],
    ['a bound of another property', { $and: [{ sc: { $gte: 1 } }, { tsd: { $lte: 2 } }] }],
    ['a list that is none', { $or: {} }],
    ['two groups in one', { $or: [], $and: [] }],
  ])('are not shown when they are more than the editor knows: %s', (_, wire) => {
    expect(fromWire(wire, kindOf)).toBeUndefined();
  });

  it('are read as the server keeps them', () => {
    expect(fromWire({ cc: { $ne: 'FR' } }, kindOf)).toEqual(all(rule('cc', 'isNot', ['FR'])));
    expect(fromWire({ $and: [{ sc: { $gte: 1 } }, { sc: { $lte: 2 } }, { cc: 'DE' }] }, kindOf)).toEqual(all(rule('sc', 'between', [], [1, 2]), rule('cc', 'is', ['DE'])));
    expect(fromWire({ $or: [{ cc: 'DE' }, { $or: [{ sc: 1 }, { cc: 'FR' }], sc: { $gt: 1 } }] }, kindOf)).toEqual(
      any(rule('cc', 'is', ['DE']), all(any(rule('sc', 'equals', [], [1]), rule('cc', 'is', ['FR'])), rule('sc', 'above', [], [1]))),
    );
    expect(fromWire({ cc: 'DE', sc: 3, hasInfo: true }, kindOf)).toEqual(all(rule('cc', 'is', ['DE']), rule('sc', 'equals', [], [3]), rule('hasInfo', 'yes')));
  });
});

it('has operators for every kind, and begins with one', () => {
  for (const kind of ['text', 'number', 'bool', 'any', 'moment'] as const) {
    expect(operatorsOf(kind).length).toBeGreaterThan(2);
    expect(operators[ruleOf('x', kind).op]).toContain(kind);
  }
  expect(isComplete(ruleOf('x', 'bool'))).toBe(true);
  expect(isComplete(ruleOf('x', 'text'))).toBe(false);
});

it.each([
  ['', {}],
  [' ', {}],
  ['{"a":1}', { a: 1 }],
  ['[1]', undefined],
  ['{', undefined],
])('readFilter(%j)', (text, want) => expect(readFilter(text)).toEqual(want));
