import type { Me, Permission } from './me';

export type Action = 'c' | 'r' | 'u' | 'd';

/** Whether a member administers an app. */
export function administers(member: Pick<Me, 'global_admin' | 'permission'>, app: string): boolean {
  return member.global_admin || member.permission._.a.includes(app);
}

/** Whether a member may do something with a feature of an app; the server decides in the end, by the same rules. */
export function may(member: Pick<Me, 'global_admin' | 'permission'>, app: string, feature: string, action: Action): boolean {
  if (administers(member, app)) return true;
  if (!uses(member.permission, app)) return false;
  const rights = member.permission[action][app];
  return rights !== undefined && (rights.all === true || rights.allowed?.[feature] === true);
}

/** Whether an app is among those that a permission lets one use. */
export function uses(permission: Permission, app: string): boolean {
  return permission._.u.flat().includes(app);
}

/** Whether there is an app whose core figures a permission lets one read. */
export function readsSome(permission: Permission): boolean {
  const member = { global_admin: false, permission };
  return [...permission._.a, ...permission._.u.flat()].some((app) => may(member, app, 'core', 'r'));
}
