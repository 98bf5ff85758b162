import { SegmentedControl, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ChartCard } from '../../components/chart/ChartCard';
import { Definition } from '../../components/Definition';
import type { Column } from '../../components/table/columns';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat, useLocale } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { useTime, useView } from '../../lib/useView';
import { usePinned } from '../../parts/notes/usePinned';
import { steps, type Step } from '../../parts/figures/figures';
import type { Shared } from './ActiveUsersPage';
import { paramsOf, type Report } from './api';
import { useDefinition } from './useDefinition';

const views = ['rolling', 'weeks', 'months'] as const;

/** The people of each day with those of the 7 and 30 days up to it, or of calendar weeks or months. */
export function CourseCard(props: Shared & { data: Report }) {
  const { app, question, data } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const locale = useLocale();
  const [view, set] = useView();
  const { period, span } = useTime(app);
  const periodName = usePeriodText()(period);
  const definition = useDefinition(props, data);
  const which = views.find((one) => one === view.figure) ?? 'rolling';
  const named: Step<{ _id: string }>[] = steps<{ _id: string }>(which === 'rolling' ? data.days : data[which], locale, span);
  const { marks, act, below } = usePinned(app, named);
  const title = t('active.course');
  const shared = {
    title,
    about: `${t(`active.about.${which}`)}, ${periodName}`,
    file: fileNamed([t('nav.active'), title], span),
    as: view.as,
    onAs: (as: 'chart' | 'table') => set({ as }),
    act,
    actions: (
      <>
        <SegmentedControl
          size="xs"
          aria-label={t('active.cut')}
          value={which}
          onChange={(next) => set({ figure: next === 'rolling' ? '' : next })}
          data={views.map((value) => ({ value, label: t(`active.views.${value}`) }))}
        />
        <Definition what={title} path="/o/active_users/report" params={paramsOf(app, question)} fields={definition} />
      </>
    ),
  };
  const numbers = { format: format.count, formatTick: format.short };
  if (which === 'rolling') {
    const rows = steps(data.days, locale, span);
    const present = data.today === '' ? undefined : rows.length - 1;
    const keys = ['d', 'w', 'm'] as const;
    const columns: Column<(typeof rows)[number]>[] = [
      { key: 'date', title: t('overview.date'), fixed: true, value: (s) => s.row._id, text: (s) => s.label, sortable: false },
      ...keys.map((key): Column<(typeof rows)[number]> => ({ key, title: t(`active.${key}`), numeric: true, value: (s) => s.row[key], text: (s) => format.count(s.row[key]) })),
      { key: 'dm', title: t('active.stickiness'), numeric: true, form: 'percent', value: (s) => s.row.dm, text: (s) => format.share(s.row.dm / 100) },
    ];
    const last = rows.at(-1)?.row;
    return (
      <ChartCard
        {...shared}
        told
        spec={{ kind: 'series', steps: rows, continuous: false, present, marks, series: keys.map((key) => ({ name: t(`active.${key}`), values: rows.map((s) => s.row[key]) })), ...numbers }}
        columns={columns}
        rows={rows}
      >
        {last !== undefined && (
          <Text size="sm" mt="xs">
            {t('active.said', { when: rows.at(-1)?.label ?? '', d: format.count(last.d), w: format.count(last.w), m: format.count(last.m) })}
          </Text>
        )}
        {below}
      </ChartCard>
    );
  }
  const rows = steps(data[which], locale, span);
  const open = rows.findIndex((s) => !s.row.over);
  const columns: Column<(typeof rows)[number]>[] = [
    { key: 'date', title: t(`active.unit.${which}`), fixed: true, value: (s) => s.row._id, text: (s) => s.label, sortable: false },
    { key: 'u', title: t('metric.users'), numeric: true, value: (s) => s.row.u, text: (s) => format.count(s.row.u) },
  ];
  return (
    <ChartCard
      {...shared}
      spec={{ kind: 'series', steps: rows, continuous: false, columns: true, marks, series: [{ name: t('metric.users'), values: rows.map((s) => s.row.u) }], ...numbers }}
      columns={columns}
      rows={rows}
    >
      {open >= 0 && (
        <Text size="xs" c="dimmed" mt="xs">
          {t(`active.goesOn.${which}`)}
        </Text>
      )}
      {below}
    </ChartCard>
  );
}
