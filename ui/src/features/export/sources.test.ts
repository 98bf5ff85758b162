import { expect, it } from 'vitest';
import { paramsOf, type Order } from './sources';

const plain: Order = { source: 'people', query: '', fields: [], sort: '', limit: undefined, format: 'csv', name: 'People' };
const base = { app_id: 'a', type: 'csv', filename: 'People' };

it.each<[Partial<Order>, object]>([
  [{}, { ...base, collection: 'app_usersa', query: {} }],
  [{ source: 'rows', query: '{"e":"x"}' }, { ...base, collection: 'drill_events', query: { e: 'x' } }],
  [{ fields: ['name', 'cc'] }, { ...base, collection: 'app_usersa', query: {}, projection: { name: 1, cc: 1 } }],
  [{ sort: '-lac', limit: 10 }, { ...base, collection: 'app_usersa', query: {}, sort: { lac: -1 }, limit: 10 }],
  [{ sort: 'lac' }, { ...base, collection: 'app_usersa', query: {}, sort: { lac: 1 } }],
  [{ sort: '-' }, { ...base, collection: 'app_usersa', query: {} }],
])('%j', (part, want) => expect(paramsOf({ ...plain, ...part }, 'a')).toEqual(want));
