import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import type { Field } from '../../components/filter/field';
import { useFields } from './fields';

/** What tells who somebody is, which not everybody may ask by. */
const personal: ReadonlySet<string> = new Set(['up.name', 'up.email', 'up.username']);

/** The properties that figures can be filtered by: those of users at the time, and of some events. */
export function useScopeFields(app: App, events: readonly string[]): Field[] {
  const member = useQuery(me).data;
  const withPeople = member !== undefined && may(member, app._id, 'users', 'r');
  const all = useFields(app._id, 'events', events, true);
  return useMemo(() => all.filter((f) => f.path !== 'up.did' && (withPeople || !personal.has(f.path))), [all, withPeople]);
}
