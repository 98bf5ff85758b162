import type { Permission } from '../../access/me';
import { uses, type Action } from '../../access/rights';

export type Role = 'none' | 'user' | 'admin';
export const actions = ['c', 'r', 'u', 'd'] as const satisfies readonly Action[];

export const nothing: Permission = { _: { a: [], u: [] }, c: {}, r: {}, u: {}, d: {} };

/** What a member is to an app. */
export function roleOf(p: Permission, app: string): Role {
  if (p._.a.includes(app)) return 'admin';
  return uses(p, app) ? 'user' : 'none';
}

function without(p: Permission, app: string): Permission {
  const keep = (rules: Permission['c']) => Object.fromEntries(Object.entries(rules).filter(([id]) => id !== app));
  return {
    _: { a: p._.a.filter((id) => id !== app), u: p._.u.map((group) => group.filter((id) => id !== app)).filter((group) => group.length > 0) },
    c: keep(p.c),
    r: keep(p.r),
    u: keep(p.u),
    d: keep(p.d),
  };
}

/** The permission with another role in an app. A new user may read everything; administrators need no rights of their own. */
export function withRole(p: Permission, app: string, role: Role): Permission {
  if (roleOf(p, app) === role) return p;
  const bare = without(p, app);
  switch (role) {
    case 'none':
      return bare;
    case 'admin':
      return { ...bare, _: { ...bare._, a: [...bare._.a, app] } };
    case 'user':
      return { ...bare, _: { ...bare._, u: [...bare._.u, [app]] }, r: { ...bare.r, [app]: { all: true, allowed: {} } } };
  }
}

/** Whether a user of an app may do something with a feature, or with all of them. */
export function allows(p: Permission, app: string, action: Action, feature: string | undefined): boolean {
  const rights = p[action][app];
  if (rights?.all === true) return true;
  return feature !== undefined && rights?.allowed?.[feature] === true;
}

/** Gives or takes a right. Taking one feature out of all leaves the others. */
export function withRight(p: Permission, app: string, action: Action, feature: string | undefined, on: boolean, features: readonly string[]): Permission {
  const set = (all: boolean, allowed: Record<string, boolean>): Permission => ({ ...p, [action]: { ...p[action], [app]: { all, allowed } } });
  if (feature === undefined) return set(on, {});
  const now = p[action][app];
  const given = now?.all === true ? features : features.filter((f) => now?.allowed?.[f] === true);
  const next = on ? [...new Set([...given, feature])] : given.filter((f) => f !== feature);
  return set(false, Object.fromEntries(next.map((f) => [f, true])));
}
