import { expect, test } from 'vitest';
import { drawable, isNumeric, numberOf, placeOf, quoted, textOf } from './result';

const result = (columns: [string, string][], rows: unknown[][]) => ({ columns: columns.map(([name, type]) => ({ name, type })), rows, truncated: false, read: 0, took: 0 });

test.each([
  ['BIGINT', true],
  ['UBIGINT', true],
  ['INTEGER', true],
  ['TINYINT', true],
  ['DOUBLE', true],
  ['DECIMAL(18,3)', true],
  ['HUGEINT', true],
  ['VARCHAR', false],
  ['INTERVAL', false],
  ['BIGINT[]', false],
  ['TIMESTAMP WITH TIME ZONE', false],
])('%s is a number: %s', (type, want) => expect(isNumeric(type)).toBe(want));

test('values have texts and numbers', () => {
  expect([null, undefined, 'a', 1.5, true, [1, null], { a: 1 }].map(textOf)).toEqual(['', '', 'a', '1.5', 'true', '[1,null]', '{"a":1}']);
  expect([null, '', 'x', '12', 3, Infinity, [1]].map(numberOf)).toEqual([undefined, undefined, undefined, 12, 3, undefined, undefined]);
});

test('the first column that has no numbers names the others', () => {
  const got = drawable(result([['users', 'BIGINT'], ['day', 'DATE'], ['note', 'VARCHAR'], ['sum', 'DOUBLE']], [[1, '2031-05-01', 'x', null], ['9007199254740993', '2031-05-02', 'y', 2.5]]));
  expect(got).toEqual({ names: ['2031-05-01', '2031-05-02'], ordered: true, series: [{ name: 'users', values: [1, 9007199254740992] }, { name: 'sum', values: [undefined, 2.5] }] });
});

test('with numbers alone, the first column has the names', () => {
  expect(drawable(result([['hour', 'INTEGER'], ['n', 'BIGINT']], [[1, 2]]))).toEqual({ names: ['1'], ordered: false, series: [{ name: 'n', values: [2] }] });
});

test.each([
  ['no rows', result([['a', 'VARCHAR'], ['n', 'BIGINT']], [])],
  ['one column', result([['n', 'BIGINT']], [[1]])],
  ['no numbers', result([['a', 'VARCHAR'], ['b', 'VARCHAR']], [['x', 'y']])],
])('nothing can be drawn of %s', (_, got) => expect(drawable(got)).toBeUndefined());

test.each([
  ['country', 'country'],
  ['total price', '"total price"'],
  ['Größe', '"Größe"'],
  ['a"b', '"a""b"'],
])('%s stands as %s in statements', (name, want) => expect(quoted(name)).toBe(want));

test.each([
  [{ line: 2, character: 3 }, 'ab\ncdef', 5],
  [{ line: 2, character: 3 }, 'ab\n😀d', 6],
  [{ line: 9, character: 1 }, 'ab\nc', 3],
  [{ line: 1, character: 99 }, 'ab', 2],
  [{ line: 1 }, 'ab', undefined],
  [{}, 'ab', undefined],
])('the place of %o in %o', (params, sql, want) => expect(placeOf(params, sql)).toBe(want));
