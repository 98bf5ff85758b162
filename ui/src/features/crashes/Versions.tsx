import { Box, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useOwnTableState } from '../../components/table/useTableState';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { useTime } from '../../lib/useView';
import type { App } from '../../access/apps';
import { metricRows } from '../../parts/metrics/api';
import { hitByVersion, mostVersions } from './api';
import { decoded, valueOf } from './figures';
import { useQuestion } from './useCrashes';
import { writeMeasure } from './CrashTrend';

/** A version with its sessions and what ended them. */
interface Version {
  name: string;
  sessions: number;
  users: number;
  freeSessions: number | undefined;
  freeUsers: number | undefined;
  crashes: number | undefined;
}

/** How each version holds up: what comes with a release is seen here. */
export function Versions({ app }: { app: App }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { period, span } = useTime(app);
  const periodName = usePeriodText()(period);
  const all = useQuery(metricRows(app, 'app_versions', period)).data;
  const hit = useQuery(hitByVersion(app, useQuestion(app, false, 'daily'))).data;
  const table = useOwnTableState('-sessions', '');
  const rows = useMemo((): Version[] => {
    if (all === undefined || hit === undefined) return [];
    const by = new Map(Object.values(hit.segments).map((s) => [decoded(typeof s.keys['up.av'] === 'string' ? s.keys['up.av'] : ''), s]));
    return all.map(({ _id, t: sessions, u: users }) => {
      const name = decoded(_id);
      const both = { fatal: by.get(name), other: undefined };
      if (both.fatal === undefined && hit.page_data.total > mostVersions) return { name, sessions, users, crashes: undefined, freeSessions: undefined, freeUsers: undefined };
      return { name, sessions, users, crashes: both.fatal?.t ?? 0, freeSessions: valueOf('freeSessions', both, { t: sessions, u: users }), freeUsers: valueOf('freeUsers', both, { t: sessions, u: users }) };
    });
  }, [all, hit]);
  const share = (key: 'freeSessions' | 'freeUsers'): Column<Version> => ({
    key,
    title: t(`crashes.${key}`),
    numeric: true,
    form: 'share',
    value: (r) => r[key] ?? '',
    text: (r) => writeMeasure(key, r[key], format),
  });
  const count = (key: 'sessions' | 'users' | 'crashes', title: string): Column<Version> => ({ key, title, numeric: true, value: (r) => r[key] ?? '', text: (r) => (r[key] === undefined ? '–' : format.count(r[key])) });
  if (rows.length === 0) return null;
  const title = t('crashes.byVersion');
  return (
    <Box className="card" p="md" component="section" aria-label={title}>
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      <DataTable
        caption={`${title}, ${periodName}`}
        columns={[
          { key: 'name', title: t('crashes.version'), fixed: true, value: (r) => r.name, text: (r) => r.name },
          count('sessions', t('metric.sessions')),
          share('freeSessions'),
          count('users', t('metric.users')),
          share('freeUsers'),
          count('crashes', t('crashes.fatal')),
        ]}
        rows={rows}
        pageSize={5}
        file={fileNamed([app.name, title], span)}
        {...table}
      />
    </Box>
  );
}
