import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartCard } from '../../components/chart/ChartCard';
import { Definition } from '../../components/Definition';
import { GoesOn } from '../../components/GoesOn';
import { FigureList, Section } from '../../components/Section';
import { Coming, Failed, Notice } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat, useLocale } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { today } from '../../lib/period';
import { useTime, useView } from '../../lib/useView';
import { NoFigures } from '../../parts/empty/NoFigures';
import { steps } from '../../parts/figures/figures';
import { stepId } from '../retention/figures';
import { shade } from '../retention/HeatTable';
import { useAgeName } from '../retention/names';
import { agesOf, possibleUnits, usualUnit } from '../retention/question';
import { nameOfKeys } from '../../parts/trends/series';
import { lifetimeParams, lifetimes, type Asked, type Cell, type Curve, type Lifetimes } from './api';
import type { Shared } from './Controls';
import { spokenOf } from './lifetime';
import { ofPurchase } from './purchases';
import { useLifetimeDefinition } from './useDefinition';
import './revenue.css';

/** What a person is worth, by how long ago they were first seen: a curve, and the cohorts. */
export function LifetimePart(shared: Shared): ReactNode {
  const { app, question } = shared;
  const { t } = useTranslation();
  const [view] = useView();
  const { span, before } = useTime(app);
  const unit = possibleUnits(span).find((one) => one === view.by) ?? usualUnit(span);
  const asked: Asked = { ...question, by: ofPurchase(question.by) ? '' : question.by, unit, ages: agesOf(span, unit, today(app.timezone)) + 1 };
  const [task, setTask] = useState<string>();
  const { data, error, isFetching, refetch } = useQuery({ ...lifetimes(app, asked, setTask), placeholderData: keepPreviousData });
  const earlier = useQuery({
    ...lifetimes(app, { ...asked, by: '', period: before === undefined ? question.period : { kind: 'custom', ...before } }),
    enabled: before !== undefined,
    placeholderData: keepPreviousData,
  }).data;
  if (error !== null && data === undefined) return <Failed error={error} retry={() => void refetch()} />;
  if (data === undefined) return task === undefined ? <Coming height={420} /> : <GoesOn task={task} />;
  if (data.users === 0) {
    return (
      <div className="card">
        <NoFigures app={app} title={t('revenue.nobody')} text={t('revenue.nobodyHint')} />
      </div>
    );
  }
  const compared = before === undefined || earlier?.unit !== data.unit ? undefined : earlier;
  return (
    <>
      {task !== undefined && isFetching && <GoesOn task={task} />}
      {error !== null && <Failed error={error} retry={() => void refetch()} />}
      <Numbers data={data} before={compared} />
      <CurveCard {...shared} asked={asked} data={data} before={compared} />
      <Cohorts app={app} data={data} />
    </>
  );
}

/** Who was first seen, and what the ages that say most are worth. */
function Numbers({ data, before }: { data: Lifetimes; before: Lifetimes | undefined }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const ageName = useAgeName(data.unit);
  const was = (text: string) => t('overview.from', { before: text });
  const figures = spokenOf(data).map(({ age, point }) => {
    const then = before?.curve[age];
    const note = then === undefined || then === null ? t('revenue.ofPeople', { share: format.percent(point.paying_percent / 100), users: format.count(point.users) }) : was(format.amount(then.ltv));
    return { name: t('revenue.ltvAt', { age: ageName(age) }), value: format.amount(point.ltv), note };
  });
  return <FigureList figures={[{ name: t('revenue.newPeople'), value: format.count(data.users), note: before && was(format.count(before.users)) }, ...figures]} />;
}

/** What a person has spent up to each age. */
function CurveCard(props: Shared & { asked: Asked; data: Lifetimes; before: Lifetimes | undefined }): ReactNode {
  const { app, asked, fields, data, before } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const [view, set] = useView();
  const { period, span } = useTime(app);
  const periodName = usePeriodText()(period);
  const ageName = useAgeName(data.unit);
  const definition = useLifetimeDefinition(props);
  const title = t('revenue.curve');
  // Ages that are over for nobody are left out; those of earlier days may go further.
  const known = Math.max(...[data.curve, ...(before === undefined || data.groups !== undefined ? [] : [before.curve])].map((curve) => curve.filter((point) => point !== null).length));
  const rows = data.curve.slice(0, known).map((_, age) => ({ age, label: ageName(age), tick: String(age) }));
  const about = <Definition what={title} path="/o/revenue/ltv" params={lifetimeParams(app, asked)} fields={definition} />;
  if (data.curve.every((point) => point === null)) {
    return (
      <section className="card pad" aria-label={title}>
        <div className="retention-about no-print">{about}</div>
        <Notice title={t('revenue.tooSoon')} text={t(`revenue.tooSoonHint.${data.unit}`)} />
      </section>
    );
  }
  const groups = data.groups ?? [];
  const cut = groups.length > 0;
  const nameOf = ({ value, other }: (typeof groups)[number]) => (other === true ? t('revenue.othersAll') : nameOfKeys({ [asked.by]: value }, [asked.by], fields, t('revenue.absent')));
  const worth = (curve: Curve) => curve.map((point) => point?.ltv);
  const lines: { name: string; values: (number | undefined)[]; quiet?: boolean }[] = [
    { name: cut ? t('revenue.all') : t('revenue.ltv'), values: worth(data.curve), ...(cut ? { quiet: true } : {}) },
    ...(cut || before === undefined ? [] : [{ name: t('revenue.before'), values: worth(before.curve), quiet: true }]),
    ...groups.map((g) => ({ name: nameOf(g), values: worth(g.curve) })),
  ];
  type Row = (typeof rows)[number];
  const columns: Column<Row>[] = [
    { key: 'age', title: t('revenue.age'), fixed: true, value: (r) => r.age, text: (r) => r.label },
    ...lines.map(({ name, values }, n): Column<Row> => ({
      key: `line${String(n)}`,
      title: name,
      numeric: true,
      form: 'amount',
      value: (r) => values[r.age] ?? '',
      text: (r) => (values[r.age] === undefined ? '–' : format.amount(values[r.age] ?? 0)),
    })),
    {
      key: 'paid',
      title: t('revenue.def.paid'),
      numeric: true,
      form: 'percent',
      value: (r) => data.curve[r.age]?.paying_percent ?? '',
      text: (r) => (data.curve[r.age] === null ? '–' : format.percent((data.curve[r.age]?.paying_percent ?? 0) / 100)),
    },
    { key: 'people', title: t('revenue.people'), numeric: true, value: (r) => data.curve[r.age]?.users ?? '', text: (r) => (data.curve[r.age] === null ? '–' : format.count(data.curve[r.age]?.users ?? 0)) },
  ];
  return (
    <ChartCard
      title={title}
      about={`${t('revenue.curveAbout')}, ${periodName}`}
      spec={{ kind: 'series', steps: rows, continuous: true, series: lines, format: format.amount, formatTick: format.short }}
      columns={columns}
      rows={rows}
      file={fileNamed([app.name, title], span)}
      as={view.as}
      onAs={(as) => set({ as })}
      actions={about}
    >
      <Text size="sm" mt="xs">
        {spokenOf(data)
          .map(({ age, point }) => t('revenue.said', { age: ageName(age), ltv: format.amount(point.ltv), share: format.percent(point.paying_percent / 100), users: format.count(point.users) }))
          .join(' ')}
      </Text>
    </ChartCard>
  );
}

interface CohortRow {
  id: string;
  name: string;
  users: number;
  cells: readonly (Cell | null)[];
}

/** The cohorts: what a person of each has spent up to each age. */
function Cohorts({ app, data }: { app: Shared['app']; data: Lifetimes }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const locale = useLocale();
  const { span } = useTime(app);
  const ageName = useAgeName(data.unit);
  const named = steps(data.rows.map((row) => ({ _id: stepId(row._id, data.unit) })), locale);
  const rows = data.rows.map((row, i): CohortRow => ({ id: row._id, name: named[i]?.label ?? row._id, users: row.users, cells: row.cells }));
  const most = Math.max(0, ...rows.flatMap((row) => row.cells.map((cell) => cell?.ltv ?? 0)));
  const title = t('revenue.cohorts');
  const columns: Column<CohortRow>[] = [
    { key: 'name', title: t('revenue.cohort'), fixed: true, value: (r) => r.id, text: (r) => r.name },
    { key: 'users', title: t('revenue.people'), numeric: true, value: (r) => r.users, text: (r) => format.count(r.users) },
    ...data.curve.map((_, age): Column<CohortRow> => {
      const worth = (r: CohortRow) => r.cells[age]?.ltv ?? undefined;
      const text = (r: CohortRow) => (worth(r) === undefined ? '' : format.amount(worth(r) ?? 0));
      return {
        key: `age${String(age)}`,
        title: ageName(age),
        numeric: true,
        form: 'amount',
        value: (r) => worth(r) ?? '',
        text,
        cell: (r) => {
          const cell = r.cells[age];
          if (cell === null || cell === undefined || cell.ltv === null) return null;
          const said = t('revenue.cellSaid', { revenue: format.amount(cell.revenue), paying: format.count(cell.paying), users: format.count(r.users) });
          return (
            <span className="heat-cell" data-open={!cell.over} style={{ background: shade(most <= 0 ? 0 : Math.max(0, cell.ltv) / most) }} title={said}>
              {text(r)}
              {!cell.over && (
                <>
                  <span aria-hidden>*</span>
                  <span className="visually-hidden">{` ${t('revenue.open')}`}</span>
                </>
              )}
            </span>
          );
        },
      };
    }),
  ];
  return (
    <Section title={title} lead={t('revenue.cohortsLead')}>
      <div className="heat">
        <DataTable caption={title} columns={columns} rows={rows} file={fileNamed([app.name, title], span)} pageSize={62} />
      </div>
      {rows.some((row) => row.users > 0 && row.cells.some((cell) => cell !== null && !cell.over)) && (
        <Text size="xs" c="dimmed">
          {`* ${t('revenue.openHint')}`}
        </Text>
      )}
    </Section>
  );
}
