import { expect, it } from 'vitest';
import * as v from '../../api/schema';
import { byColumn, byField, fileOf, selection, type Listing } from './listing';

const list: Listing = { key: ['log'], path: '/o', params: { method: 'log', app_id: 'a' }, row: v.unknown(), order: byColumn(['name', 'time']), most: 1000 };

it.each([
  [{ search: '', sort: undefined }, { method: 'log', app_id: 'a', sSearch: undefined }],
  [{ search: 'x', sort: { key: 'time', desc: true } }, { method: 'log', app_id: 'a', iSortCol_0: 1, sSortDir_0: 'desc', sSearch: 'x' }],
  [{ search: '', sort: { key: 'unknown', desc: true } }, { method: 'log', app_id: 'a', sSearch: undefined }],
])('selection of %j', (state, want) => expect(selection(list, state)).toEqual(want));

it.each([
  [true, { sort: { ts: -1 } }],
  [false, { sort: { ts: 1 } }],
])('byField, descending %j', (desc, want) => expect(byField({ key: 'ts', desc })).toEqual(want));

it('makes a file of the whole list as it is narrowed and ordered', () => {
  expect(fileOf(list, { search: 'x', sort: { key: 'name', desc: false } }, 'xlsx', 'Log')).toEqual({
    type: 'xlsx',
    filename: 'Log',
    path: '/o',
    prop: 'aaData',
    data: { method: 'log', app_id: 'a', iSortCol_0: 0, sSortDir_0: 'asc', sSearch: 'x', iDisplayLength: 1000 },
  });
});
