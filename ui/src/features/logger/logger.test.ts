import { expect, it } from 'vitest';
import { merged, parametersOf, readable, type Logged } from './api';

const row = (id: string, seq: number) => ({ _id: id, seq }) as Logged;

it('puts what is new before what is known, each once', () => {
  const known = [row('b', 2), row('a', 1)];
  expect(merged([row('d', 4), row('c', 3), row('b', 2)], known).map((r) => r._id)).toEqual(['d', 'c', 'b', 'a']);
  expect(merged([], known)).toEqual(known);
});

it('keeps no more than the server does', () => {
  const known = Array.from({ length: 1000 }, (_, i) => row(`k${i}`, 1000 - i));
  const all = merged([row('new', 1001)], known);
  expect([all.length, all[0]?._id, all.at(-1)?.seq]).toEqual([1000, 'new', 2]);
});

it.each([
  ['{"device_id":"d1","events":"[{\\"key\\":\\"buy\\"}]"}', [['device_id', 'd1'], ['events', '[\n  {\n    "key": "buy"\n  }\n]']]],
  ['', []],
  ['a=1', [['', 'a=1']]],
])('parameters of %s', (query, want) => expect(parametersOf(query)).toEqual(want));

it.each([
  ['plain', 'plain'],
  ['12', '12'],
  ['{"a":1}', '{\n  "a": 1\n}'],
  [{ a: 1 }, '{\n  "a": 1\n}'],
])('readable(%j)', (value, want) => expect(readable(value)).toBe(want));
