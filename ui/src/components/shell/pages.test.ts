import { describe, expect, it } from 'vitest';
import type { Me, Permission } from '../../features/account/api';
import { pages, pagesFor, pathOf } from './pages';

const none: Permission = { _: { a: [], u: [] }, c: {}, r: {}, u: {}, d: {} };
const member = (permission: Permission, global_admin = false): Me => ({
  _id: '1',
  full_name: '',
  username: '',
  email: '',
  created_at: 0,
  last_login: 0,
  password_changed: 0,
  permission,
  global_admin,
});
const ids = (m: Me | undefined, app: string | undefined) => pagesFor(m, app).map((p) => p.id);

describe('pagesFor', () => {
  it('has everything for an administrator', () => {
    expect(ids(member(none, true), 'a')).toEqual(pages.map((p) => p.id));
  });

  it('has only what a reader may read', () => {
    const reader = member({ ...none, _: { a: [], u: [['a']] }, r: { a: { allowed: { users: true } } } });
    expect(ids(reader, 'a')).toEqual(['profiles', 'subjects', 'settings', 'tokens', 'account', 'about']);
  });

  it('has nothing of what is switched off', () => {
    const admin = member(none, true);
    expect(pagesFor(admin, 'a', ['logger']).map((p) => p.id)).not.toContain('audit');
    expect(pagesFor(admin, 'a', ['logger', 'systemlogs']).map((p) => p.id)).toEqual(expect.arrayContaining(['audit', 'requests', 'members']));
  });

  it('has nothing about an app without one, and nothing at all for nobody', () => {
    expect(ids(member(none), undefined)).toEqual(['tokens', 'account', 'about']);
    expect(ids(undefined, 'a')).toEqual([]);
  });
});

describe('pages', () => {
  it('have keys, ids and paths of their own', () => {
    for (const list of [pages.map((p) => p.id), pages.map((p) => p.path), pages.flatMap((p) => p.key ?? [])]) {
      expect(new Set(list).size).toBe(list.length);
    }
  });

  it('lie below their app, or beside all', () => {
    expect(pages.map((p) => pathOf(p, 'a')).slice(0, 2)).toEqual(['/apps/a', '/apps/a/users']);
    expect(pages.map((p) => pathOf(p, 'a')).at(-1)).toBe('/manage/about');
  });
});
