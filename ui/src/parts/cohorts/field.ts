import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { Field } from '../../components/filter/field';
import { cohortNames } from './api';

/** The property of the cohorts that people are in, where there are any and one may read them. */
export function useCohortField(appID: string): Field[] {
  const { t } = useTranslation();
  const member = useQuery(me).data;
  const names = useQuery({ ...cohortNames(appID), enabled: member !== undefined && may(member, appID, 'cohorts', 'r') }).data;
  return useMemo(() => {
    const ids = Object.keys(names ?? {});
    if (names === undefined || ids.length === 0) return [];
    ids.sort((a, b) => (names[a] ?? a).localeCompare(names[b] ?? b));
    return [{ path: 'chr', name: t('cohorts.one'), group: t('profiles.person'), kind: 'text', values: ids, decode: (id) => names[id] ?? id }];
  }, [t, names]);
}
