import { Text } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { ChartCard } from '../../components/chart/ChartCard';
import type { SeriesSpec } from '../../components/chart/spec';
import { Definition } from '../../components/Definition';
import type { Field } from '../../components/filter/field';
import { withGroup } from '../../components/filter/groups';
import { GoesOn } from '../../components/GoesOn';
import { FigureList } from '../../components/Section';
import { Coming, Failed } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { GranularityChoice, useGranularity } from '../../components/time/GranularityChoice';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat, useLocale } from '../../i18n';
import { fileNamed } from '../../lib/named';
import { useFiltered, useTime, useView } from '../../lib/useView';
import type { useEventNames } from '../../parts/events/useEventNames';
import { usePinned } from '../../parts/notes/usePinned';
import { presentOf, steps } from '../../parts/figures/figures';
import { bucketOf, slotsOf } from '../../parts/trends/report';
import { nameOfKeys } from '../../parts/trends/series';
import { useFilterWords } from '../../parts/trends/useDefinition';
import { largest, paramsOf, values, type Asked, type Values } from './api';
import { linesOf, partsOf, type Part } from './parts';
import { formOf, write, writeShort, type Shown } from './value';

interface Props {
  app: App;
  formula: string;
  title: string;
  shown: Shown;
  /** The events of the formula. */
  events: readonly string[];
  /** The property by which it is broken down; empty for none. */
  by: string;
  fields: readonly Field[];
  names: ReturnType<typeof useEventNames>;
}

interface Line {
  name: string;
  values: (number | undefined)[];
  total: number | undefined;
  before?: { values: (number | undefined)[]; total: number | undefined };
  onPick?: (() => void) | undefined;
}

/** The event of figures of sessions. */
const sessionBegin = '[CLY]_session_begin';

/** The values of a formula over the period of the page: as a whole, or by the values of a property. */
export function Course({ app, formula, title, shown, events, by, fields, names }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const locale = useLocale();
  const [view, set] = useView();
  const filtered = useFiltered(app);
  const { period, span, before } = useTime(app);
  const periodName = usePeriodText()(period);
  const words = useFilterWords(app, fields)(view.filter);
  const step = useGranularity(span);
  const [task, setTask] = useState<string>();
  const bucket = bucketOf(step);
  const asked: Asked = { formula: { text: formula }, period, bucket };
  const earlier: Asked = { ...asked, period: before === undefined ? period : { kind: 'custom', ...before } };
  const largestParts = useQuery(largest(filtered, events[0] ?? '', by, period));
  const top = largestParts.data;
  const parts: Part[] = by !== '' && top !== undefined ? partsOf(view.filter, by, top.values, top.total, fields) : [];
  const whole = useQuery(values(filtered, asked, setTask));
  const was = useQuery({ ...values(filtered, earlier), enabled: before !== undefined });
  const broken = useQueries({ queries: parts.map((part) => values({ ...app, filter: part.filter }, asked, setTask)) });
  const wasBroken = useQueries({ queries: parts.map((part) => ({ ...values({ ...app, filter: part.filter }, earlier), enabled: before !== undefined })) });
  const slots = slotsOf(span, step);
  const all = steps(slots, locale, span);
  const { marks, act, below } = usePinned(app, all);
  const failed = [whole, ...broken, largestParts].find((r) => r.error !== null && r.data === undefined);
  if (failed !== undefined) return <Failed error={failed.error} retry={() => void failed.refetch()} />;
  const waits = task !== undefined && [whole, ...broken].some((r) => r.isFetching);
  if (whole.data === undefined) return waits ? <GoesOn task={task} /> : <Coming height={420} />;

  const named = (value: unknown) => (value === undefined ? t('formulas.others') : nameOfKeys({ [by]: value }, [by], fields, t('formulas.absent')));
  const pickOf = (value: unknown) => {
    const filter = value === undefined ? undefined : withGroup(view.filter, { [by]: value }, fields);
    return filter === undefined ? undefined : () => set({ filter, page: 1 });
  };
  const lineOf = (name: string, now: Values, then: Values | undefined): Line => ({
    name,
    ...linesOf(now, bucket, slots),
    ...(before === undefined || then === undefined ? {} : { before: linesOf(then, bucket, slotsOf(before, step)) }),
  });
  const ready = broken.flatMap((r, i): Line[] => {
    const part = parts[i];
    return r.data === undefined || part === undefined ? [] : [{ ...lineOf(named(part.value), r.data, wasBroken[i]?.data), onPick: pickOf(part.value) }];
  });
  const lines = parts.length > 0 && ready.length === parts.length ? ready : [lineOf(title, whole.data, was.data)];
  const total = lineOf(title, whole.data, was.data);
  const compared = lines.some((line) => line.before !== undefined);
  const present = presentOf(slots, app.timezone);
  const say = (n: number | undefined) => write(shown, n, locale, format);
  const spec: SeriesSpec = {
    kind: 'series',
    steps: all,
    continuous: shown.kind !== 'integer',
    seconds: shown.kind === 'duration',
    present,
    marks,
    format: say,
    formatTick: (n) => writeShort(shown, n, locale, format),
    series: lines.flatMap((line, i) => [
      { name: line.name, values: line.values, onPick: line.onPick },
      ...(line.before === undefined ? [] : [{ name: t('trends.before', { name: line.name }), values: line.before.values, quiet: true, ...(lines.length > 1 ? { color: i + 1 } : {}) }]),
    ]),
  };
  type Row = (typeof all)[number];
  const column = (key: string, heading: string, of: readonly (number | undefined)[]): Column<Row> => {
    const at = (s: Row) => of[all.indexOf(s)];
    return { key, title: heading, numeric: true, ...formOf(shown), value: (s) => at(s) ?? 0, text: (s) => say(at(s)) };
  };
  const columns: Column<Row>[] = [
    { key: 'date', title: t('overview.date'), fixed: true, value: (s) => s.row._id, text: (s) => s.label, sortable: false },
    ...lines.flatMap((line, i) => [column(String(i), line.name, line.values), ...(line.before === undefined ? [] : [column(`${i}b`, t('trends.before', { name: line.name }), line.before.values)])]),
  ];
  const definition: (readonly [string, string])[] = [
    [t('formulas.formula'), formula],
    [t('formulas.ofEvents'), events.map(names.nameOf).join(', ') || '–'],
    [t('formulas.kind'), t(`formulas.kinds.${shown.kind}`)],
    [t('trends.filter'), words === '' ? '–' : words],
    [t('formulas.by'), by === '' ? '–' : (fields.find((f) => f.path === by)?.name ?? by)],
    [t('trends.def.period'), `${periodName} (${format.days(span.from, span.to)}), ${app.timezone}`],
    ...(before === undefined ? [] : [[t('trends.def.against'), format.days(before.from, before.to)] as const]),
    [t('trends.def.means'), t('formulas.def.means')],
    [t('trends.def.exact'), t('trends.def.exactText')],
  ];
  const figures = (lines.length > 1 ? [total, ...lines] : [total]).map((line, i) => ({
    name: i === 0 ? `${title}, ${periodName}` : line.name,
    value: say(line.total),
    ...(line.before === undefined ? {} : { note: t('overview.from', { before: say(line.before.total) }) }),
  }));
  return (
    <>
      {waits && <GoesOn task={task} />}
      <FigureList figures={figures} />
      <ChartCard
        title={title}
        about={periodName}
        spec={spec}
        columns={columns}
        rows={present === undefined ? all : all.slice(0, present + 1)}
        file={fileNamed([app.name, title], span)}
        as={view.as}
        onAs={(as) => set({ as })}
        act={act}
        actions={
          <>
            <GranularityChoice span={span} what={title} />
            <Definition what={title} path="/o" params={paramsOf(filtered, asked)} fields={definition} />
          </>
        }
      >
        {below}
        {by !== '' && (
          <Text size="xs" c="dimmed" mt="xs">
            {t('formulas.byHint', { event: names.nameOf(events[0] ?? '') })}
            {by.startsWith('sg.') && events.includes(sessionBegin) && ` ${t('formulas.noSessions')}`}
          </Text>
        )}
        {compared && (
          <Text size="xs" c="dimmed" mt="xs">
            {t('formulas.compareHint')}
          </Text>
        )}
      </ChartCard>
    </>
  );
}
