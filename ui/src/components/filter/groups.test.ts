import { expect, it } from 'vitest';
import type { Field } from './field';
import { fromWire, kinds, readFilter } from './filter';
import { withGroup } from './groups';

const fields = kinds.map((kind): Field => ({ path: kind, name: kind, group: '', kind, decode: (text) => text }));

it.each([
  [{ text: 'DE' }, '{"text":{"$in":["DE"]}}'],
  [{ text: '5' }, '{"text":{"$in":["5"]}}'],
  [{ text: null }, '{"text":{"$exists":false}}'],
  [{ number: '2.5' }, '{"number":{"$eq":2.5}}'],
  [{ number: 'many' }, undefined],
  [{ number: '' }, undefined],
  [{ bool: 'false' }, '{"bool":{"$eq":false}}'],
  [{ any: 'red' }, '{"any":{"$in":["red"]}}'],
  [{ any: 5 }, '{"any":{"$eq":5}}'],
  [{ any: ['a'] }, undefined],
  [{ any: '5' }, undefined],
  [{ any: '["a","b"]' }, undefined],
  [{ unlisted: 'red' }, '{"unlisted":{"$in":["red"]}}'],
  [{ text: 'DE', number: '1' }, '{"$and":[{"text":{"$in":["DE"]}},{"number":{"$eq":1}}]}'],
  [{ text: 'DE', any: '1' }, undefined],
] as const)('narrows to %j', (keys, want) => {
  const filter = withGroup('', keys, fields);
  expect(filter).toBe(want);
  if (filter === undefined) return;
  expect(fromWire(readFilter(filter), (path) => fields.find((f) => f.path === path)?.kind ?? 'any')).toBeDefined();
  expect(withGroup(filter, keys, fields)).toBe('');
});
