import { SegmentedControl, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ChangeMark } from '../../components/Change';
import { ChartCard } from '../../components/chart/ChartCard';
import type { SeriesSpec } from '../../components/chart/spec';
import { Definition } from '../../components/Definition';
import { withGroup } from '../../components/filter/groups';
import { PickButton } from '../../components/filter/PickButton';
import { GoesOn } from '../../components/GoesOn';
import { FigureList, Section } from '../../components/Section';
import { Coming, Failed } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useTableState } from '../../components/table/useTableState';
import { GranularityChoice, useGranularity } from '../../components/time/GranularityChoice';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat, useLocale } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { useTime, useView } from '../../lib/useView';
import { NoFigures } from '../../parts/empty/NoFigures';
import { usePinned } from '../../parts/notes/usePinned';
import { presentOf, steps } from '../../parts/figures/figures';
import { nameOfKeys } from '../../parts/trends/series';
import { report, reportParams, type Figures, type Report } from './api';
import type { Shared } from './Controls';
import { changed, drawable, formOf, isContinuous, main, measures, parseMeasure, shareOf, stepId, write, writeShort, type Measure } from './figures';
import { useReportDefinition } from './useDefinition';
import './revenue.css';

/** How many groups are drawn. */
const drawn = 5;

/** What people paid in a period: figures, one of them over time, and the values of a property. */
export function ReportPart(shared: Shared): ReactNode {
  const { app, question } = shared;
  const { t } = useTranslation();
  const { span, before } = useTime(app);
  const step = useGranularity(span);
  const [task, setTask] = useState<string>();
  const { data, error, isFetching, refetch } = useQuery({ ...report(app, question, step, before, setTask), placeholderData: keepPreviousData });
  if (error !== null && data === undefined) return <Failed error={error} retry={() => void refetch()} />;
  if (data === undefined) return task === undefined ? <Coming height={420} /> : <GoesOn task={task} />;
  const { totals } = data;
  const nothing = totals.transactions === 0 && totals.refunds === 0 && (data.compare?.totals.transactions ?? 0) === 0;
  return (
    <>
      {task !== undefined && isFetching && <GoesOn task={task} />}
      {error !== null && <Failed error={error} retry={() => void refetch()} />}
      <Numbers data={data} />
      {nothing ? (
        <div className="card">
          <NoFigures app={app} title={t('revenue.empty')} text={t('revenue.emptyHint')} />
        </div>
      ) : (
        <>
          <Chart {...shared} data={data} />
          {data.groups !== undefined && <Groups {...shared} data={data} />}
        </>
      )}
    </>
  );
}

/** The figures of the whole period. */
function Numbers({ data: { totals, compare } }: { data: Report }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const aside: Partial<Record<Measure, string>> = {
    ...(totals.refunds === 0 ? {} : { revenue: t('revenue.withRefunds', { refunds: format.amount(totals.refunds) }) }),
    ...(totals.paying_percent === null || totals.users === null ? {} : { paying: t('revenue.ofUsers', { share: format.percent(totals.paying_percent / 100), users: format.count(totals.users) }) }),
    ...(totals.transactions_per_payer === null ? {} : { transactions: t('revenue.perPayer', { number: format.count(totals.transactions_per_payer) }) }),
  };
  return (
    <FigureList
      figures={main.map((m) => {
        const was = compare?.totals[m];
        const note =
          compare === undefined ? aside[m] : was === null || was === undefined ? undefined : (
            <>
              <ChangeMark change={changed(totals[m], was, format)} /> {t('overview.from', { before: write(m, was, format) })}
            </>
          );
        return { name: t(`revenue.measure.${m}`), value: write(m, totals[m], format), note };
      })}
    />
  );
}

/** One figure over time: of all, beside earlier days, or of the largest groups. */
function Chart(props: Shared & { data: Report }): ReactNode {
  const { app, question, fields, data } = props;
  const { t } = useTranslation();
  const locale = useLocale();
  const format = useFormat();
  const [view, set] = useView();
  const { period, span, before } = useTime(app);
  const periodName = usePeriodText()(period);
  const step = useGranularity(span);
  const definition = useReportDefinition(props);
  const groupName = useGroupName(props);
  const pickOf = usePick(props);
  const measure = parseMeasure(view.figure);
  const name = t(`revenue.measure.${measure}`);
  const rows = steps(data.data.map((point) => ({ _id: stepId(point.at), point })), locale, span);
  const present = presentOf(rows.map((r) => r.row), app.timezone);
  const { marks, act, below } = usePinned(app, rows);
  const then = steps((data.compare?.data ?? []).map((point) => ({ _id: stepId(point.at), point })), locale, before);
  const groups = (data.groups ?? []).slice(0, drawn);
  const cut = groups.length > 0;
  const valuesOf = (points: readonly Figures[]) => points.map((p) => p[measure] ?? undefined);
  const series: SeriesSpec['series'] = cut
    ? groups.map((g) => ({ name: groupName(g.values), values: valuesOf(g.data ?? []), onPick: pickOf(g.values) }))
    : [
        { name, values: valuesOf(data.data) },
        ...(then.length === 0 ? [] : [{ name: t(`period.${view.compare}`), quiet: true, labels: then.map((s) => s.label), values: valuesOf(then.map((s) => s.row.point)) }]),
      ];
  type Row = (typeof rows)[number];
  const date: Column<Row> = { key: 'date', title: t('overview.date'), fixed: true, value: (r) => r.row._id, text: (r) => r.label, sortable: false };
  const place = new Map(rows.map((r, i) => [r, i]));
  const columns: Column<Row>[] = cut
    ? [date, ...groups.map((g, i): Column<Row> => {
        const of = (r: Row) => g.data?.[place.get(r) ?? -1]?.[measure];
        return { key: `g${String(i)}`, title: groupName(g.values), numeric: true, ...formOf(measure), value: (r) => of(r) ?? '', text: (r) => write(measure, of(r), format) };
      })]
    : [date, ...measures.map((m): Column<Row> => ({
        key: m,
        title: t(`revenue.measure.${m}`),
        numeric: true,
        ...formOf(m),
        value: (r) => r.row.point[m] ?? '',
        text: (r) => write(m, r.row.point[m], format),
      }))];
  const about = cut ? t('revenue.chartBy', { metric: name, property: fields.find((f) => f.path === question.by)?.name ?? question.by }) : name;
  return (
    <>
      <SegmentedControl
        className="no-print revenue-measures"
        size="xs"
        aria-label={t('metric.measure')}
        value={measure}
        onChange={(figure) => set({ figure: figure === 'revenue' ? '' : figure })}
        data={drawable.map((value) => ({ value, label: t(`revenue.measure.${value}`) }))}
      />
      <ChartCard
      told
        title={about}
        about={periodName}
        spec={{
          kind: 'series',
          steps: rows,
          continuous: isContinuous(measure),
          present,
          marks,
          format: (n) => write(measure, n, format),
          formatTick: (n) => writeShort(measure, n, format),
          series,
        }}
        columns={columns}
        rows={present === undefined ? rows : rows.slice(0, present + 1)}
        file={fileNamed([app.name, t('nav.revenue'), ...(cut ? [name] : [])], span)}
        as={view.as}
        onAs={(as) => set({ as })}
        act={act}
        actions={
          <>
            <GranularityChoice span={span} what={name} />
            <Definition what={t('nav.revenue')} path="/o/revenue/report" params={reportParams(app, question, step, before)} fields={definition} />
          </>
        }
      >
        <Text size="sm" mt="xs">
          {t('revenue.summary', { revenue: format.amount(data.totals.revenue), transactions: format.count(data.totals.transactions), count: data.totals.transactions, paying: format.count(data.totals.paying) })}
        </Text>
        {below}
      </ChartCard>
    </>
  );
}

/** What the values of a property are called. */
function useGroupName({ question, fields }: Pick<Shared, 'question' | 'fields'>): (values: readonly unknown[]) => string {
  const { t } = useTranslation();
  return (values) => nameOfKeys({ [question.by]: values[0] }, [question.by], fields, t('revenue.absent'));
}

/** Narrows the page to a value of the property. */
function usePick({ question, fields }: Pick<Shared, 'question' | 'fields'>): (values: readonly unknown[]) => (() => void) | undefined {
  const [view, set] = useView();
  return (values) => {
    const filter = withGroup(view.filter, { [question.by]: values[0] }, fields);
    return filter === undefined ? undefined : () => set({ filter, page: 1 });
  };
}

interface GroupRow extends Figures {
  id: string;
  name: string;
  share: number | undefined;
  was: Figures | undefined;
  pick: (() => void) | undefined;
}

/** What the values of a property come to. */
function Groups(props: Shared & { data: Report }): ReactNode {
  const { app, question, fields, data } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const { span, before } = useTime(app);
  const table = useTableState('');
  const groupName = useGroupName(props);
  const pickOf = usePick(props);
  const property = fields.find((f) => f.path === question.by)?.name ?? question.by;
  const title = t('revenue.groups', { property });
  const rows: GroupRow[] = (data.groups ?? []).map((g, i) => ({ ...g, id: String(i), name: groupName(g.values), share: shareOf(g, data.totals), was: data.compare?.groups?.[i], pick: pickOf(g.values) }));
  if (data.other !== undefined) rows.push({ ...data.other, id: 'other', name: t('revenue.others', { count: data.other.groups }), share: shareOf(data.other, data.totals), was: undefined, pick: undefined });
  const change = (r: GroupRow) => changed(r.revenue, r.was?.revenue, format);
  const columns: Column<GroupRow>[] = [
    { key: 'name', title: property, fixed: true, value: (r) => r.name, text: (r) => r.name, cell: (r) => <PickButton name={r.name} onPick={r.pick} /> },
    ...measures.slice(0, 1).map(numeric),
    { key: 'share', title: t('revenue.share'), numeric: true, form: 'share', value: (r) => r.share ?? '', text: (r) => (r.share === undefined ? '–' : format.share(r.share)) },
    ...measures.slice(1).map(numeric),
    ...(before === undefined ? [] : [{ key: 'change', title: `${t('metric.change')}, ${t('revenue.measure.revenue')}`, numeric: true, form: 'share', value: (r) => change(r)?.share ?? '', text: (r) => change(r)?.text ?? '–', cell: (r) => <ChangeMark change={change(r)} /> } satisfies Column<GroupRow>]),
  ];
  function numeric(m: Measure): Column<GroupRow> {
    return { key: m, title: t(`revenue.measure.${m}`), numeric: true, ...formOf(m), value: (r) => r[m] ?? '', text: (r) => write(m, r[m], format) };
  }
  return (
    <Section title={title} lead={t('revenue.groupsLead')}>
      <DataTable caption={title} columns={columns} rows={rows} file={fileNamed([app.name, title], span)} empty={t('app.nothingFound')} {...table} />
    </Section>
  );
}
