import { expect, it } from 'vitest';
import type { Entry } from './api';
import { appOf, subjectOf } from './subject';

const entry = (a: string, i: Record<string, unknown>, app_id?: string): Entry => ({ _id: '', a, i, ts: 0, u: '', ip: '', user_id: '', ...(app_id === undefined ? {} : { app_id }) });
const apps = [{ _id: '1', name: 'Shop' }];

it.each([
  ['of the entry, as it is called now', entry('notes_save', {}, '1'), 'Shop'],
  ['that was created', entry('apps_create', { after: { _id: '1', name: 'Old name' } }), 'Shop'],
  ['that is there no more', entry('apps_delete', { before: { _id: '2', name: 'Gone' } }), 'Gone'],
  ['that is there no more, with its id', entry('apps_delete', { before: { _id: '2', name: 'Gone' } }, '2'), 'Gone'],
  ['that nothing names', entry('notes_save', {}, '3'), '3'],
  ['of the parameters', entry('apps_create', { args: { name: 'Shop two' } }), 'Shop two'],
  ['of none', entry('users_create', { after: { _id: '1', full_name: 'Bo' } }), undefined],
])('names the app %s', (_, e, want) => expect(appOf(e, apps)).toBe(want));

it.each([
  ['a member', entry('users_create', { after: { full_name: 'Bo Li', username: 'bo' } }), 'Bo Li'],
  ['who was removed', entry('users_delete', { before: { full_name: '', username: 'bo' } }), 'bo'],
  ['a token', entry('token_create', { after: { purpose: 'nightly' } }), 'nightly'],
  ['a note', entry('notes_save', { args: { note: 'Sale' } }), 'Sale'],
  ['no app, which has a column', entry('apps_create', { after: { name: 'Shop' } }), undefined],
  ['nothing of settings', entry('change_configs', { before: { api: {} }, update: { api: {} } }), undefined],
])('names the subject: %s', (_, e, want) => expect(subjectOf(e)).toBe(want));
