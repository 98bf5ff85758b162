import { expect, it } from 'vitest';
import { selection } from '../../components/table/listing';
import { filterOf, parametersOf, readable, requestLog, whyOf, wordsOf } from './api';

it.each([
  [{}, undefined],
  [{ kind: 'events' }, { 't.events': { $exists: true } }],
  [{ outcome: 'taken' }, { c: false }],
  [{ kind: 'crash', outcome: 'refused' }, { 't.crash': { $exists: true }, c: { $ne: false } }],
  [{ outcome: 'problem' }, { p: { $not: { $size: 0 } } }],
  [{ outcome: 'unheard of' }, undefined],
])('filter of %j', (only, want) => expect(filterOf(only)).toEqual(want));

it('is asked for as a table, a page at a time, in the order of a column', () => {
  const list = requestLog('a', { outcome: 'taken' });
  expect(selection(list, { search: '"><b>', sort: { key: 'id', desc: true } })).toEqual({
    method: 'logs', app_id: 'a', sEcho: 1, filter: { c: false }, sort: { id: -1 }, sSearch: '"><b>',
  });
});

it.each([
  ['ignored_device', 'ignored device'],
  ['Invalid parameter "a_b"', 'Invalid parameter "a_b"'],
])('%s reads %s', (refusal, want) => expect(wordsOf(refusal)).toBe(want));

it.each([
  ['Request does not match checksum', 'checksum'],
  ['checksum_missing', 'checksum'],
  ['Missing parameter "app_key" or "device_id"', 'device'],
  ['malformed', 'device'],
  ['ignored_device', 'ignored'],
  ['App is locked', undefined],
])('why %s', (refusal, want) => expect(whyOf(refusal)).toBe(want));

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
