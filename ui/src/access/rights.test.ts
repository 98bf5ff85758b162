import { expect, it } from 'vitest';
import type { Permission } from './me';
import { may, readsSome } from './rights';

const none: Permission = { _: { a: [], u: [] }, c: {}, r: {}, u: {}, d: {} };
const reader: Permission = { ...none, _: { a: ['2'], u: [['1', '3']] }, r: { 1: { allowed: { core: true } }, 3: { all: true }, 4: { all: true } } };

it.each([
  ['a global administrator everything', true, none, '9', 'users', 'd', true],
  ['an administrator of the app everything', false, reader, '2', 'users', 'd', true],
  ['a user what is allowed', false, reader, '1', 'core', 'r', true],
  ['a user nothing else', false, reader, '1', 'users', 'r', false],
  ['a user no other action', false, reader, '1', 'core', 'u', false],
  ['a user with all everything of the action', false, reader, '3', 'users', 'r', true],
  ['nobody without membership', false, reader, '4', 'core', 'r', false],
  ['nobody without anything', false, none, '1', 'core', 'r', false],
] as const)('%s', (_, global_admin, permission, app, feature, action, want) => {
  expect(may({ global_admin, permission }, app, feature, action)).toBe(want);
});

it.each([
  ['nothing', none, false],
  ['an app administered', { ...none, _: { a: ['1'], u: [] } }, true],
  ['an app used with other rights', { ...none, _: { a: [], u: [['1']] }, r: { 1: { allowed: { users: true } } } }, false],
  ['an app used', { ...none, _: { a: [], u: [['1', '3']] }, r: { 3: { all: true } } }, true],
] as const)('readsSome with %s', (_, permission, want) => expect(readsSome(permission as unknown as Permission)).toBe(want));
