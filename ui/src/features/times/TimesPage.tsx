import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartCard } from '../../components/chart/ChartCard';
import type { HeatSpec } from '../../components/chart/spec';
import { Page } from '../../components/Page';
import { Failed, Loading, Notice } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { useFormat } from '../../i18n';
import { useView } from '../../lib/useView';
import { me } from '../account/api';
import { may } from '../account/rights';
import type { App } from '../apps/api';
import { eventList } from '../events/api';
import { timesOfDay } from '../overview/api';
import { weekOf } from './week';

const sessions = '[CLY]_session';

/** When people come, by the clocks of their devices. */
export function TimesPage({ app }: { app: App }) {
  const { t } = useTranslation();
  const [view, set] = useView();
  const what = view.segment === '' ? sessions : view.segment;
  const member = useQuery(me).data;
  const readable = member !== undefined && may(member, app._id, 'core', 'r');
  const events = useQuery({ ...eventList(app._id), enabled: readable }).data?.list ?? [];
  return (
    <Page
      title={t('nav.times')}
      lead={t('times.lead')}
      actions={
        <Select
          aria-label={t('times.what')}
          searchable
          allowDeselect={false}
          value={what}
          data={[{ value: sessions, label: t('metric.sessions') }, ...events.map((key) => ({ value: key, label: key }))]}
          onChange={(value) => set({ segment: value === null || value === sessions ? '' : value })}
        />
      }
    >
      <Times app={app} what={what} name={what === sessions ? t('metric.sessions') : what} />
    </Page>
  );
}

interface Hour {
  day: string;
  hour: number;
  count: number;
}

function Times({ app, what, name }: { app: App; what: string; name: string }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const [view, set] = useView();
  const { data, error, refetch } = useQuery(timesOfDay(app, what));
  const week = useMemo(() => data && weekOf(data, i18n.language), [data, i18n.language]);
  const spec = useMemo(
    (): HeatSpec => ({
      kind: 'heat',
      name,
      xs: week?.hours ?? [],
      ys: week?.days ?? [],
      values: week?.values ?? [],
      format: (n) => format.count(n),
      formatTick: (n) => format.short(n),
    }),
    [week, name, format],
  );
  if (error !== null && week === undefined) return <Failed error={error} retry={() => void refetch()} />;
  if (week === undefined) return <Loading />;
  if (week.values.flat().every((n) => n === 0)) {
    return (
      <div className="card">
        <Notice title={t('overview.empty')} text={t('times.emptyHint')} />
      </div>
    );
  }
  const rows = week.values.flatMap((row, y) => row.map((count, hour): Hour => ({ day: week.days[y] ?? '', hour, count })));
  const columns: Column<Hour>[] = [
    { key: 'day', title: t('times.day'), fixed: true, value: (h) => h.day, text: (h) => h.day, sortable: false },
    { key: 'hour', title: t('times.hour'), fixed: true, value: (h) => h.hour, text: (h) => week.hours[h.hour]?.label ?? '' },
    { key: 'count', title: name, numeric: true, value: (h) => h.count, text: (h) => format.count(h.count) },
  ];
  return (
    <ChartCard
      title={t('times.title', { what: name })}
      about={t('times.about')}
      spec={spec}
      columns={columns}
      rows={rows}
      file={`${app.name} ${name} ${t('nav.times')}`}
      as={view.as}
      onAs={(as) => set({ as })}
    />
  );
}
