import { MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { myApps, type App } from '../access/apps';
import { me } from '../access/me';
import { may } from '../access/rights';
import { useOnly } from '../lib/useView';

/** How many apps are counted together at most. */
export const mostApps = 20;

/** Other apps: those that the reader may count, those that are chosen, and what chooses them. */
export interface ChosenApps {
  others: readonly App[];
  chosen: readonly App[];
  choose: (ids: readonly string[]) => void;
}

const none: readonly App[] = [];

/** The apps that the address counts together with one. The reader has the right to a feature in them. */
export function useChosenApps(app: App, feature: string): ChosenApps {
  const member = useQuery(me).data;
  const { data: mine } = useQuery(myApps);
  const [only, choose] = useOnly();
  const others = useMemo(() => (member === undefined ? none : (mine ?? none).filter((a) => a._id !== app._id && may(member, a._id, feature, 'r'))), [app._id, feature, member, mine]);
  const ids = only.apps ?? '';
  const chosen = useMemo(() => {
    const list = ids.split(',');
    return others.filter((a) => list.includes(a._id)).slice(0, mostApps - 1);
  }, [ids, others]);
  return { others, chosen, choose: (next) => choose('apps', next.join(',')) };
}

/** Chooses apps whose people are counted together with those of the app at hand. */
export function AppsChoice({ others, chosen, choose }: ChosenApps) {
  const { t } = useTranslation();
  if (others.length === 0) return null;
  return (
    <MultiSelect
      label={t('app.together')}
      placeholder={chosen.length === 0 ? t('app.otherApps') : undefined}
      data={others.map((a) => ({ value: a._id, label: a.name }))}
      value={chosen.map((a) => a._id)}
      maxValues={mostApps - 1}
      searchable
      clearable
      onChange={choose}
    />
  );
}
