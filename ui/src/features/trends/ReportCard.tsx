import { Anchor, Select, Text } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import { useModules } from '../../access/useModules';
import { ChartCard } from '../../components/chart/ChartCard';
import type { ChartSpec, PointAction, SeriesSpec } from '../../components/chart/spec';
import { Definition } from '../../components/Definition';
import type { Field } from '../../components/filter/field';
import { withGroup } from '../../components/filter/groups';
import { GoesOn } from '../../components/GoesOn';
import { FigureList } from '../../components/Section';
import { Coming, Failed } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { GranularityChoice } from '../../components/time/GranularityChoice';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat, useLocale } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import type { Period, Span } from '../../lib/period';
import type { Granularity } from '../../lib/granularity';
import { useTime, useView } from '../../lib/useView';
import { carried, making } from '../../lib/view';
import type { useEventNames } from '../../parts/events/useEventNames';
import { usePinned } from '../../parts/notes/usePinned';
import { presentOf, steps } from '../../parts/figures/figures';
import { breakdown, course as courseOf, paramsOf, type Question, type Whom } from '../../parts/trends/api';
import { Groups } from './Groups';
import { addsUp, formOf, isContinuous, isSeconds, write, writeShort, type Measure } from '../../parts/trends/measure';
import { People } from '../../parts/trends/People';
import { bucketOf, listText, pictures, slotsOf, zoneOf, type Picture, type Report } from '../../parts/trends/report';
import { drawn, lineOf, linesOf, named, nameOfKeys, type Line } from '../../parts/trends/series';
import { useDefinition, useMeasureName } from '../../parts/trends/useDefinition';
import type { useReport } from '../../parts/trends/useReport';

interface Props {
  app: App;
  held: ReturnType<typeof useReport>;
  questions: readonly Question[];
  step: Granularity;
  names: ReturnType<typeof useEventNames>;
  fields: readonly Field[];
  withPeople: boolean;
}

/** What a report asked and what came of it. */
interface Answered extends Pick<Props, 'questions' | 'step'> {
  /** The app and the answers that this was made from. */
  stamp: string;
  appID: string;
  report: Report;
  period: Period;
  span: Span;
  lines: readonly Line[];
}

/** The answer to a report: the picture, what it says, and below a breakdown its groups. It stays until the next one is there. */
export function ReportCard({ app, held, questions, step, names, fields, withPeople }: Props) {
  const { t } = useTranslation();
  const { period, span } = useTime(app);
  const [task, setTask] = useState<string>();
  const [last, keep] = useState<Answered>();
  const { measure, by } = held.report;
  const cut = by.length > 0;
  const plain = useQueries({ queries: questions.map((q) => ({ ...courseOf(app, q, setTask), enabled: !cut })) });
  const broken = useQueries({ queries: questions.map((q) => breakdown(app, q, setTask)) });
  const asked = cut ? broken : plain;
  const slots = slotsOf(span, step);
  const bucket = bucketOf(step);
  const lines = named(
    questions.flatMap(({ event }, i): Line[] => {
      const [whole, parts] = [plain[i]?.data, broken[i]?.data];
      if (!cut) return whole === undefined ? [] : [{ ...lineOf(names.nameOf(event), whole, measure, bucket, slots), question: i }];
      if (parts === undefined) return [];
      const nameOf = (keys: Record<string, unknown>) => nameOfKeys(keys, by, fields, t('trends.absent'));
      return linesOf(questions.length > 1 ? names.nameOf(event) : undefined, parts, measure, bucket, slots, by, nameOf, (count) => t('trends.others', { count })).map((line) => ({ ...line, question: i }));
    }),
  );
  const failed = asked.find((r) => r.error !== null && r.data === undefined);
  const waits = task !== undefined && asked.some((r) => r.isFetching);
  if (failed !== undefined) return <Failed error={failed.error} retry={() => void failed.refetch()} />;
  const stamp = JSON.stringify([app._id, questions, step, asked.map((r) => r.dataUpdatedAt)]);
  const now = asked.some((r) => r.data === undefined) ? undefined : { stamp, appID: app._id, questions, step, report: held.report, period, span, lines };
  if (now !== undefined && now.stamp !== last?.stamp) keep(now);
  const shown = now ?? (last?.appID === app._id ? last : undefined);
  if (shown === undefined) return waits ? <GoesOn task={task} /> : <Coming height={420} />;
  return (
    <>
      {waits && <GoesOn task={task} />}
      <Picture {...{ app, held, shown, names, fields, withPeople }} />
      {shown.report.by.length > 0 && shown.questions.map((q) => <Groups key={q.event} app={app} question={q} nameOf={names.nameOf} fields={fields} filter={held.view.filter} onFilter={(filter) => held.change({ filter, page: 1 })} />)}
    </>
  );
}

function Picture({ app, held, shown: answered, names, fields, withPeople }: Omit<Props, 'questions' | 'step'> & { shown: Answered }) {
  const { t } = useTranslation();
  const { view, change } = held;
  const { questions, step, report, period, span, lines } = answered;
  const { measure } = report;
  const format = useFormat();
  const locale = useLocale();
  const periodName = usePeriodText()(period);
  const measureName = useMeasureName(fields, names.nameOf, report.count)(measure);
  const title = report.events.map(names.nameOf).join(', ');
  const definition = useDefinition(app, { ...held, report }, names, fields);
  const wanted = held.report.picture;
  const picture: Picture = (wanted === 'stacked' || wanted === 'pie') && !addsUp(measure) ? 'bar' : wanted;
  const slots = slotsOf(span, step);
  const all = steps(slots, locale, span);
  const { marks, act, below } = usePinned(app, all);
  const [people, setPeople] = useState<Chosen>();
  const present = presentOf(slotsOf(span, step), zoneOf(report.days, app.timezone));
  const shown = [...lines].sort((a, b) => (b.total ?? 0) - (a.total ?? 0)).slice(0, drawn);
  const ordered = lines.filter((line) => shown.includes(line));
  const compared = ordered.some((line) => line.before !== undefined);
  // The values of a group narrow the report to it.
  const pickOf = ({ whom }: Line): (() => void) | undefined => {
    const [values] = whom?.groups ?? [];
    const filter = values === undefined ? undefined : withGroup(view.filter, Object.fromEntries(report.by.map((path, i) => [path, values[i]])), fields);
    return filter === undefined ? undefined : () => change({ filter, page: 1 });
  };
  const picks = ordered.map(pickOf);
  const onPick = picks.every((pick) => pick === undefined) ? {} : { onPick: (row: number) => picks[row]?.() };
  const numbers = { format: (n: number) => write(measure, n, format), formatTick: (n: number) => writeShort(measure, n, format) };
  const course: SeriesSpec = {
    kind: 'series',
    steps: all,
    continuous: isContinuous(measure),
    seconds: isSeconds(measure),
    present,
    stacked: picture === 'stacked',
    columns: picture === 'bar',
    filled: picture === 'area',
    ...numbers,
    marks,
    series: ordered.flatMap((line, i) => [
      { name: line.name, values: line.values, onPick: picks[i] },
      ...(line.before === undefined || picture === 'stacked'
        ? []
        : [{ name: t('trends.before', { name: line.name }), values: line.before.values, quiet: true, ...(ordered.length > 1 ? { color: i + 1 } : {}) }]),
    ]),
  };
  const spec: ChartSpec =
    picture === 'pie'
      ? { kind: 'pie', name: measureName, rows: ordered.map((line) => ({ name: line.name, value: line.total ?? 0 })), ...onPick, ...numbers }
      : picture === 'heat'
        ? { kind: 'heat', name: measureName, xs: all, ys: ordered.map((line) => line.name), values: ordered.map((line) => line.values.map((n) => n ?? 0)), ...onPick, ...numbers }
        : course;
  // The people of a line at a step, beside what can be done with every step.
  const actAt = (at: number): PointAction[] => [
    ...(withPeople
      ? ordered.flatMap((line): PointAction[] => {
          const question = questions[line.question ?? -1];
          const slot = slots[at];
          if (question === undefined || slot === undefined || (line.values[at] ?? 0) === 0) return [];
          const name = `${line.name}, ${all[at]?.label ?? ''}`;
          return [{ label: t('trends.peopleOf', { event: line.name }), run: () => setPeople({ question, whom: { ...line.whom, at: slot.key }, name }) }];
        })
      : []),
    ...(act?.(at) ?? []),
  ];
  const columns: Column<(typeof all)[number]>[] = [
    { key: 'date', title: t('overview.date'), fixed: true, value: (s) => s.row._id, text: (s) => s.label, sortable: false },
    ...lines.flatMap((line, i) => {
      const column = (key: string, heading: string, values: readonly (number | undefined)[]): Column<(typeof all)[number]> => {
        const of = (s: (typeof all)[number]) => values[all.indexOf(s)];
        return { key, title: heading, numeric: true, ...formOf(measure), value: (s) => of(s) ?? 0, text: (s) => write(measure, of(s), format) };
      };
      return [column(String(i), line.name, line.values), ...(line.before === undefined ? [] : [column(`${i}b`, t('trends.before', { name: line.name }), line.before.values)])];
    }),
  ];
  const choices = (
    <>
      <Select
        size="xs"
        w={150}
        aria-label={t('trends.picture')}
        allowDeselect={false}
        value={picture}
        data={pictures.filter((p) => (p !== 'stacked' && p !== 'pie') || addsUp(measure)).map((value) => ({ value, label: t(`trends.pictures.${value}`) }))}
        onChange={(next) => change({ tab: next === null || next === 'line' ? '' : next, as: 'chart' })}
      />
      <GranularityChoice span={span} what={title} />
      {questions[0] !== undefined && <Definition what={title} path="/o" params={paramsOf(app, questions[0])} fields={definition} />}
    </>
  );
  const said = <Said app={app} questions={questions} names={names} lines={lines} measure={measure} measureName={measureName} period={period} withPeople={withPeople && report.count === ''} broken={report.by.length > 0} />;
  const figures = lines.map((line) => ({
    name: line.name,
    value: write(measure, line.total, format),
    note: line.before === undefined ? measureName : t('overview.from', { before: write(measure, line.before.total, format) }),
  }));
  if (picture === 'number' && view.as === 'chart') {
    return (
      <section className="stack" aria-label={title}>
        <div className="controls no-print">{choices}</div>
        <FigureList figures={figures} />
        <div className="card pad">{said}</div>
      </section>
    );
  }
  return (
    <ChartCard
      told
      title={title}
      about={`${measureName}, ${periodName}`}
      spec={spec}
      columns={columns}
      rows={present === undefined ? all : all.slice(0, present + 1)}
      file={fileNamed([title, measureName], span)}
      as={view.as}
      onAs={(as) => change({ as })}
      act={actAt}
      actions={choices}
    >
      {said}
      {below}
      {people !== undefined && <People app={app} {...people} onClose={() => setPeople(undefined)} />}
      {lines.length > drawn && (
        <Text size="xs" c="dimmed" mt="xs">
          {t('trends.drawn', { count: drawn })}
        </Text>
      )}
      {compared && (
        <Text size="xs" c="dimmed" mt="xs">
          {t('trends.compareHint')}
        </Text>
      )}
    </ChartCard>
  );
}

/** Whose names are asked for: those of a question, or of a part of it. */
interface Chosen {
  question: Question;
  whom?: Whom;
  name: string;
}

interface SaidProps {
  app: App;
  questions: readonly Question[];
  names: ReturnType<typeof useEventNames>;
  lines: readonly Line[];
  measure: Measure;
  measureName: string;
  period: Period;
  withPeople: boolean;
  broken: boolean;
}

/** What the picture shows, in words; and the way to the people behind it. */
function Said({ app, questions, names, lines, measure, measureName, period, withPeople, broken }: SaidProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const periodName = usePeriodText()(period);
  const [open, setOpen] = useState<Question>();
  return (
    <>
      <ul className="report-said">
        {lines.map(({ name, total, before }) => (
          <li key={name}>
            {t('trends.said', { name, value: write(measure, total, format), measure: measureName, period: periodName })}
            {before !== undefined && ` (${t('overview.from', { before: write(measure, before.total, format) })})`}
          </li>
        ))}
      </ul>
      {withPeople &&
        questions.map((q) => (
          <Anchor key={q.event} component="button" type="button" size="sm" mt={6} me="md" className="no-print" onClick={() => setOpen(q)}>
            {questions.length > 1 || broken ? t('trends.peopleOf', { event: names.nameOf(q.event) }) : t('trends.people')}
          </Anchor>
        ))}
      <AsFunnel app={app} questions={questions} />
      {open !== undefined && <People app={app} question={open} name={names.nameOf(open.event)} onClose={() => setOpen(undefined)} />}
    </>
  );
}

/** The way to a new funnel whose steps are the events of the report, for those who may make one. */
function AsFunnel({ app, questions }: Pick<SaidProps, 'app' | 'questions'>) {
  const { t } = useTranslation();
  const [view] = useView();
  const member = useQuery(me).data;
  const switchedOn = useModules();
  const can = member !== undefined && may(member, app._id, 'funnels', 'c') && switchedOn?.includes('funnels') === true;
  if (!can) return null;
  const search = { ...carried(view), open: making, events: listText(questions.map(({ event }) => event)), filter: view.filter };
  return (
    <Anchor size="sm" mt={6} className="no-print" renderRoot={(props) => <Link {...props} to="/apps/$appId/funnels" params={{ appId: app._id }} search={search} />}>
      {t('trends.asFunnel')}
    </Anchor>
  );
}
