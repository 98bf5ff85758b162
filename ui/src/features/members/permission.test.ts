import { describe, expect, it } from 'vitest';
import { allows, nothing, roleOf, withRight, withRole } from './permission';

const features = ['core', 'events', 'users'];

describe('withRole', () => {
  it('makes a reader of everything, an administrator, and nobody again', () => {
    const user = withRole(nothing, 'a', 'user');
    expect(user).toEqual({ ...nothing, _: { a: [], u: [['a']] }, r: { a: { all: true, allowed: {} } } });
    const admin = withRole(user, 'a', 'admin');
    expect(admin).toEqual({ ...nothing, _: { a: ['a'], u: [] } });
    expect(withRole(admin, 'a', 'none')).toEqual(nothing);
  });

  it('leaves other apps alone', () => {
    const both = withRole({ ...nothing, _: { a: [], u: [['a', 'b']] }, r: { a: { all: true }, b: { allowed: { core: true } } } }, 'a', 'none');
    expect([roleOf(both, 'a'), roleOf(both, 'b'), both.r]).toEqual(['none', 'user', { b: { allowed: { core: true } } }]);
  });

  it('changes nothing for the same role', () => {
    const user = withRight(withRole(nothing, 'a', 'user'), 'a', 'r', 'users', false, features);
    expect(withRole(user, 'a', 'user')).toBe(user);
  });
});

describe('withRight', () => {
  const user = withRole(nothing, 'a', 'user');
  it('takes one out of all', () => {
    const less = withRight(user, 'a', 'r', 'users', false, features);
    expect(less.r.a).toEqual({ all: false, allowed: { core: true, events: true } });
    expect(features.map((f) => allows(less, 'a', 'r', f))).toEqual([true, true, false]);
  });
  it('gives one, and all', () => {
    const one = withRight(user, 'a', 'u', 'events', true, features);
    expect(one.u.a).toEqual({ all: false, allowed: { events: true } });
    const all = withRight(one, 'a', 'u', undefined, true, features);
    expect([allows(all, 'a', 'u', undefined), allows(all, 'a', 'u', 'anything'), allows(all, 'a', 'd', 'core')]).toEqual([true, true, false]);
    expect(allows(withRight(all, 'a', 'u', undefined, false, features), 'a', 'u', 'core')).toBe(false);
  });
});
