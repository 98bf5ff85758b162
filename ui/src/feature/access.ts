import type { Me } from '../access/me';
import { may, readsSome, type Action } from '../access/rights';

/** Who may use a part of a feature; an empty one lets everybody. */
export interface Access {
  /** The feature of the members' rights, for an app. */
  feature?: string;
  /** What one must be allowed to do with it; reading when absent. */
  action?: Action;
  /** For global administrators, or for those who may read some app. */
  only?: 'admin' | 'reader';
  /** The part of the server that it belongs to, where that can be switched off. */
  module?: string;
}

/** Whether a member has an access, for an app or without one. What is switched off nobody has, once that is known. */
export function isAllowed(access: Access, member: Me | undefined, app: string | undefined, modules?: readonly string[]): boolean {
  const { feature, action = 'r', only, module } = access;
  if (member === undefined) return false;
  if (module !== undefined && modules?.includes(module) === false) return false;
  if (only === 'admin' && !member.global_admin) return false;
  if (only === 'reader' && !(member.global_admin ? app !== undefined : readsSome(member.permission))) return false;
  return feature === undefined || (app !== undefined && may(member, app, feature, action));
}
