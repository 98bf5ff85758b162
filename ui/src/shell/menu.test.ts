// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import type { Me, Permission } from '../access/me';
import { features } from '../features';
import { router } from '../router';
import { allowed, entries, finders, pathOf, starts } from './menu';

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
const pagesFor = (m: Me | undefined, app: string | undefined, modules?: string[]) => allowed(entries, m, app, modules).map((p) => p.id);
const paths = entries.map((p) => pathOf(p.route, 'a'));

describe('allowed', () => {
  it('has everything for an administrator', () => {
    expect(pagesFor(member(none, true), 'a')).toEqual(entries.map((p) => p.id));
  });

  it('has only what a reader may read', () => {
    const reader = member({ ...none, _: { a: [], u: [['a']] }, r: { a: { allowed: { users: true } } } });
    expect(pagesFor(reader, 'a')).toEqual(['profiles', 'subjects', 'settings', 'tokens', 'reference', 'account', 'about']);
  });

  it('has nothing of what is switched off', () => {
    const admin = member(none, true);
    expect(pagesFor(admin, 'a', ['logger'])).not.toContain('audit');
    expect(pagesFor(admin, 'a', ['logger', 'systemlogs'])).toEqual(expect.arrayContaining(['audit', 'requests', 'members']));
  });

  it('has nothing about an app without one, and nothing at all for nobody', () => {
    expect(pagesFor(member(none), undefined)).toEqual(['tokens', 'reference', 'account', 'about']);
    expect(pagesFor(undefined, 'a')).toEqual([]);
  });
});

describe('the list of features', () => {
  it('has keys, ids and paths of their own', () => {
    const ids = [...entries.map((p) => `page-${p.id}`), ...starts.map((s) => s.id), ...finders.map((f) => f.id)];
    for (const list of [ids, paths, entries.flatMap((p) => p.key ?? []), features.map((f) => f.name)]) expect(new Set(list).size).toBe(list.length);
  });

  it('has pages below their app, or beside all', () => {
    expect(paths.slice(0, 2)).toEqual(['/apps/a', '/apps/a/users']);
    expect(paths.at(-1)).toBe('/manage/about');
    expect(pathOf({ fullPath: '/apps/$appId/events/$key' }, 'a', { key: 'a/b c' })).toBe('/apps/a/events/a%2Fb%20c');
  });

  it('leads to every page that needs no more than an app', () => {
    const listed = new Set([...entries, ...starts].map(({ route }) => route.fullPath));
    const open = Object.keys(router.routesByPath).filter((path) => path !== '/' && !/\$(?!appId)/.test(path));
    const old = '/apps/$appId/explore'; // leads on to where its questions are asked now
    const beside = ['/apps/$appId/crash-rules', '/manage/jira']; // opened from the pages of crashes and of trackers
    expect(open.filter((path) => !listed.has(path as never) && !['/apps/$appId', '/manage', old, ...beside].includes(path))).toEqual([]);
  });
});
