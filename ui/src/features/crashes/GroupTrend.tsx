import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { ChartCard } from '../../components/chart/ChartCard';
import type { SeriesSpec } from '../../components/chart/spec';
import { Coming, Failed } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { GranularityChoice, useGranularity } from '../../components/time/GranularityChoice';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat, useLocale } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { stepParam } from '../../lib/granularity';
import { useTime, useView } from '../../lib/useView';
import { course as courseOfSessions, type Row } from '../../parts/figures/api';
import { AboutFigures } from '../../parts/cards/AboutFigures';
import { usePinned } from '../../parts/notes/usePinned';
import { presentOf, steps, type Step } from '../../parts/figures/figures';
import { course, type Question } from '../../parts/trends/api';
import { People } from '../../parts/trends/People';
import { crashKey, type Group } from './api';
import { slotOf } from './figures';

/** How often a group was reported in the period, and by how many people. */
export function GroupTrend({ app, group }: { app: App; group: Group }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const format = useFormat();
  const [view, set] = useView();
  const [people, setPeople] = useState(false);
  const { period, span } = useTime(app);
  const step = useGranularity(span);
  const bucket = stepParam(step);
  const periodName = usePeriodText()(period);
  const filter = useMemo(() => ({ 'sg.group': group._id }), [group._id]);
  const question: Question = { event: crashKey, measure: 't', filter, by: [], period, bucket, before: undefined };
  const reports = useQuery({ ...course(app, question), placeholderData: keepPreviousData });
  const sessions = useQuery({ ...courseOfSessions(app, period, step), placeholderData: keepPreviousData });
  const data = useMemo(() => {
    if (reports.data === undefined || sessions.data === undefined) return undefined;
    const by = reports.data.data[bucket] ?? {};
    return { rows: sessions.data, of: (row: Row) => by[slotOf(row._id)] };
  }, [reports.data, sessions.data, bucket]);
  const named = useMemo(() => steps(data?.rows ?? [], locale, span), [data, locale, span]);
  const { marks, act, below } = usePinned(app, named);
  const error = reports.error ?? sessions.error;
  if (data === undefined) return error === null ? <Coming height={360} /> : <Failed error={error} retry={() => [reports, sessions].forEach((q) => void q.refetch())} />;
  const present = presentOf(data.rows, app.timezone);
  const title = t('crashes.trend');
  const spec: SeriesSpec = {
    kind: 'series',
    steps: named,
    continuous: false,
    present,
    marks,
    format: format.count,
    formatTick: format.short,
    series: [{ name: t('crashes.reports'), values: data.rows.map((row) => data.of(row)?.t ?? 0) }],
  };
  const count = (key: 't' | 'u', name: string): Column<Step> => ({ key, title: name, numeric: true, value: (s) => data.of(s.row)?.[key] ?? 0, text: (s) => format.count(data.of(s.row)?.[key] ?? 0) });
  return (
    <>
      <ChartCard
        title={title}
        about={`${app.name}, ${periodName}`}
        spec={spec}
        columns={[{ key: 'date', title: t('overview.date'), fixed: true, value: (s) => s.row._id, text: (s) => s.label, sortable: false }, count('t', t('crashes.reports')), count('u', t('crashes.usersHit'))]}
        rows={present === undefined ? named : named.slice(0, present + 1)}
        file={fileNamed([app.name, group.name], span)}
        as={view.as}
        onAs={(as) => set({ as })}
        act={act}
        actions={
          <>
            <Button size="xs" variant="default" className="no-print" onClick={() => setPeople(true)}>
              {t('crashes.people')}
            </Button>
            <GranularityChoice span={span} what={title} />
            <AboutFigures app={app} what={title} terms={['crashReports', 'crashHit']} path="/o" params={{ method: 'segmentation', event: crashKey, queryObject: filter }} at={reports.dataUpdatedAt} />
          </>
        }
      >
        {below}
      </ChartCard>
      {people && <People app={app} question={question} name={group.name} onClose={() => setPeople(false)} />}
    </>
  );
}
