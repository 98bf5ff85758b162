import { Group, SegmentedControl, Select } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { Definition } from '../../components/Definition';
import { GoesOn } from '../../components/GoesOn';
import { Section } from '../../components/Section';
import { Coming, Failed } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useOwnTableState } from '../../components/table/useTableState';
import { useFormat } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { useFiltered, useTime, useView } from '../../lib/useView';
import { parseList, parseOnly, withOnly } from '../../lib/view';
import { EventChoice } from '../../parts/events/EventChoice';
import { FilterBar } from '../../parts/filters/filtered';
import { useEventNames } from '../../parts/events/useEventNames';
import { creditParams, credits, models, type Credit, type Dimension, type Question } from './api';
import { useValueName } from './useValueName';

/** The windows to choose from, in days. */
const windows = [1, 7, 14, 30, 60, 90] as const;

/** What conversions are credited to, by a model. */
export function CreditCard({ app: whole, by }: { app: App; by: Dimension }): ReactNode {
  const app = useFiltered(whole);
  const { t } = useTranslation();
  const format = useFormat();
  const [view, set] = useView();
  const { period, span } = useTime(app);
  const names = useEventNames(app._id);
  const name = useValueName();
  const table = useOwnTableState('-conversions');
  const [task, setTask] = useState<string>();
  const events = parseList(view.events).slice(0, 1);
  const q: Question = {
    period,
    event: events[0] ?? '',
    model: models.find((m) => m === view.segment) ?? 'last',
    window: windows.find((d) => String(d) === parseOnly(view.only).window) ?? 30,
    by,
  };
  const { data, error, isFetching, refetch } = useQuery({ ...credits(app, q, setTask), placeholderData: keepPreviousData });
  const titleOf = (id: string) => (id === '' ? t('campaigns.untouched') : id === '-' ? t('campaigns.unsaid') : id === 'Other' ? t('campaigns.otherValues') : name(by, id));
  const all = Math.max(1, data?.conversions ?? 0);
  const columns: Column<Credit>[] = [
    { key: 'name', title: t(`campaigns.dimension.${by}`), fixed: true, value: (r) => titleOf(r._id).toLocaleLowerCase(), text: (r) => titleOf(r._id) },
    { key: 'conversions', title: t('campaigns.conversions'), numeric: true, value: (r) => r.conversions, text: (r) => format.amount(r.conversions) },
    { key: 'share', title: t('metric.share'), numeric: true, form: 'percent', value: (r) => (100 * r.conversions) / all, text: (r) => format.percent(r.conversions / all) },
    { key: 'users', title: t('metric.users'), numeric: true, value: (r) => r.users, text: (r) => format.count(r.users) },
    { key: 'value', title: t('campaigns.value'), numeric: true, value: (r) => r.value, text: (r) => format.amount(r.value) },
  ];
  const title = t('campaigns.credit');
  return (
    <Section
      title={title}
      lead={`${t(`campaigns.about.${q.model}`)}${q.event === '' ? ` ${t('campaigns.installs')}` : ''}`}
      actions={<Definition what={title} path="/o/attribution" params={creditParams(app, q)} fields={[[t('campaigns.about.counts'), t(`campaigns.about.${q.model}`)]]} />}
    >
      <Group align="end" className="no-print">
        <EventChoice
          label={t('campaigns.conversion')}
          events={events}
          names={names}
          most={2}
          onChange={(next) => set({ events: next.length === 0 ? '' : JSON.stringify(next.slice(-1)) })}
        />
        <SegmentedControl
          aria-label={t('campaigns.model')}
          value={q.model}
          onChange={(next) => set({ segment: next === 'last' ? '' : next })}
          data={models.map((value) => ({ value, label: t(`campaigns.models.${value}`) }))}
        />
        <Select
          label={t('campaigns.window')}
          allowDeselect={false}
          value={String(q.window)}
          onChange={(next) => set({ only: withOnly(view.only, 'window', next === null || next === '30' ? '' : next) })}
          data={windows.map((d) => ({ value: String(d), label: t('campaigns.days', { count: d }) }))}
        />
      </Group>
      <FilterBar app={app} events={events} />
      {task !== undefined && isFetching && <GoesOn task={task} />}
      {error !== null && <Failed error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Coming height={160} />}
      {data !== undefined && <DataTable caption={title} columns={columns} rows={data.rows} file={fileNamed([t('nav.campaigns'), title], span)} empty={t('campaigns.noConversions')} {...table} />}
    </Section>
  );
}
