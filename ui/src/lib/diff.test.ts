import { expect, it } from 'vitest';
import { differences, writeJSON } from './diff';

it.each<[string, unknown, unknown, unknown[]]>([
  ['nothing', { a: 1 }, { a: 1 }, []],
  ['a value', { a: 1, b: 2 }, { a: 1, b: 3 }, [{ path: 'b', before: 2, after: 3 }]],
  ['a value within', { p: { x: { y: true } } }, { p: { x: { y: false } } }, [{ path: 'p.x.y', before: true, after: false }]],
  ['a field more', {}, { a: 'x' }, [{ path: 'a', before: undefined, after: 'x' }]],
  ['a field less', { a: [1] }, {}, [{ path: 'a', before: [1], after: undefined }]],
  ['a list', { a: [1, 2] }, { a: [2, 1] }, [{ path: 'a', before: [1, 2], after: [2, 1] }]],
  ['an object that is emptied', { a: { b: 1 } }, { a: {} }, [
    { path: 'a', before: undefined, after: {} },
    { path: 'a.b', before: 1, after: undefined },
  ]],
  ['a new document', undefined, { a: 1 }, [{ path: 'a', before: undefined, after: 1 }]],
  ['a document that goes', { a: 1 }, undefined, [{ path: 'a', before: 1, after: undefined }]],
])('finds %s', (_, before, after, want) => expect(differences(before, after)).toEqual(want));

it.each([
  ['text', 'text'],
  [3, '3'],
  [['a'], '["a"]'],
  [null, 'null'],
])('writes %j', (value, want) => expect(writeJSON(value)).toBe(want));
