import { Badge, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { GroupRow } from './api';

/** The states of groups, by what the API calls the list of those that have them. */
export const states = ['unresolved', 'resolved', 'resolving', 'new', 'reoccurred', 'hidden', 'fatal', 'nonfatal'] as const;
export type State = (typeof states)[number];

/** The states that a group has and that are worth a word. */
export function statesOf(g: GroupRow): State[] {
  const has: Partial<Record<State, boolean | undefined>> = {
    fatal: !g.nonfatal,
    nonfatal: g.nonfatal,
    new: g.is_new,
    reoccurred: g.is_renewed,
    resolving: g.is_resolving,
    resolved: g.is_resolved,
    hidden: g.is_hidden,
  };
  return states.filter((s) => has[s] === true);
}

const colours: Partial<Record<State, string>> = { fatal: 'red', new: 'indigo', reoccurred: 'orange', resolving: 'blue', resolved: 'green' };

/** The states of a group, each in a word. */
export function StateBadges({ group }: { group: GroupRow }) {
  const { t } = useTranslation();
  return (
    <Group gap={6} component="span">
      {statesOf(group).map((s) => (
        <Badge key={s} size="sm" variant="light" color={colours[s] ?? 'gray'} component="span" tt="none" autoContrast>
          {t(`crashes.states.${s}`)}
        </Badge>
      ))}
    </Group>
  );
}
