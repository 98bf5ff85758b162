import i18next from 'i18next';
import { beforeAll, expect, it } from 'vitest';
import settings from '../settings/en.json';
import type { Entry } from './api';
import own from './en.json';
import { changedFields, fieldText } from './fields';

beforeAll(() => i18next.init({ lng: 'en', resources: { en: { translation: { ...settings, ...own } } } }));

const entry = (i: Record<string, unknown>): Entry => ({ _id: '', a: 'apps_update', i, ts: 0, u: '', ip: '', user_id: '' });

it.each([
  ['labels, not names', { before: { name: 'a', timezone: 'UTC' }, after: { name: 'b', timezone: 'Europe/Berlin' } }, ['Name', 'Time zone']],
  ['nothing of what the server keeps by itself', { before: { name: 'a', edited_at: 1 }, after: { name: 'b', edited_at: 2 } }, ['Name']],
  ['that where there is nothing else', { before: { edited_at: 1 }, after: { edited_at: 2 } }, ['Edited']],
  ['a field of parts once', { before: { permission: { r: 1, u: 1 } }, after: { permission: { r: 2, u: 2 } } }, ['Rights']],
  ['settings by their own labels', { before: { api: { event_limit: 1 } }, update: { api: { event_limit: 2 } } }, ['Events per app']],
  ['names that no page labels as they read', { args: { some_thing: 1, otherThing: 2 } }, ['Some thing', 'Other thing']],
  ['words of demo data', { args: { environmentName: 'Shop', templateId: '1' } }, ['Population', 'Template']],
])('the column Changed shows %s', (_, i, want) => expect(changedFields(i18next.t, entry(i))).toEqual(want));

it('names parts after their field', () => expect(fieldText(i18next.t, 'permission.r.abc')).toBe('Rights: r.abc'));
