import { expect, it } from 'vitest';
import type { Declaration, Schema } from './api';
import { changed, faultOf, fieldsOf } from './values';

const number: Declaration = { type: 'number', default: 15, min: 1, max: 60, per_app: true, per_member: false };
const flag: Declaration = { type: 'bool', default: true, min: 0, max: 0, per_app: false, per_member: false };
const schema: Schema = { api: { wait: number, strict: flag }, plugins: { x: flag }, look: { dark: flag } };

it('shows the settings with what holds, without the switches of features', () => {
  const shown = fieldsOf(schema, { api: { wait: 20, strict: 'yes' } }, false).map(([n, fields]) => [n, fields.map((f) => [f.name, f.value])]);
  expect(shown).toEqual([
    ['api', [['strict', true], ['wait', 20]]],
    ['look', [['dark', true]]],
  ]);
});

it('shows for an app only what may differ by app', () => {
  expect(fieldsOf(schema, {}, true).map(([n, fields]) => [n, fields.map((f) => f.name)])).toEqual([['api', ['wait']]]);
});

it.each([
  [number, 15, undefined],
  [number, '', 'number'],
  [number, 0, 'range'],
  [number, 61, 'range'],
  [{ ...number, max: 0 }, 61, undefined],
  [flag, false, undefined],
] as const)('%j with %j', (d, value, want) => expect(faultOf(d, value)).toBe(want));

it('sends only what differs', () => {
  const fields = fieldsOf(schema, {}, false).flatMap(([, list]) => list);
  expect(changed(fields, { 'api.wait': 20, 'api.strict': true, 'look.dark': false })).toEqual({ api: { wait: 20 }, look: { dark: false } });
  expect(changed(fields, {})).toEqual({});
});
