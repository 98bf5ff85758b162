import { expect, test } from 'vitest';
import type { Field } from '../../components/filter/field';
import { nameOf, rowsOf } from './rows';

const country: Field = { path: 'cc', name: 'Country', group: '', kind: 'text', decode: (text) => text };
const property = (name: string, kind: 'text' | 'number') => ({ name, kind, hidden: false });

test('each property stands once, with the events that have it and what people say', () => {
  const rows = rowsOf(
    { events: [{ key: 'buy', properties: [property('price', 'number'), property('code', 'text')] }, { key: 'refund', properties: [property('price', 'number'), property('code', 'number')] }], custom: [property('plan', 'text')] },
    { 'sg.price': { label: 'Price', description: 'in euros', hidden: false }, 'up.cc': { label: '', description: '', hidden: true } },
    [country, { ...country, path: 'chr' }],
    { sg: {}, up: { cc: { type: 'l' }, fac: { type: 'd' }, 'custom.plan': { type: 'l' }, 'custom.late': { type: 'n' }, 'cmp.c': { type: 's' } } },
  );
  expect(rows.map(({ path, kind, of, events, hidden }) => [path, kind, of, events.join(), hidden])).toEqual([
    ['sg.price', 'number', 'event', 'buy,refund', false],
    ['sg.code', 'any', 'event', 'buy,refund', false],
    ['custom.plan', 'text', 'custom', '', false],
    ['up.cc', 'text', 'user', '', true],
    ['up.fac', 'moment', 'user', '', false],
    ['custom.late', 'number', 'custom', '', false],
    ['cmp.c', 'text', 'campaign', '', false],
  ]);
  expect(rows.slice(0, 2).map(nameOf)).toEqual(['Price', 'code']);
});
