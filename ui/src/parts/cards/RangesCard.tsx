import { Group, Text, Title } from '@mantine/core';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartCard } from '../../components/chart/ChartCard';
import type { BarsSpec } from '../../components/chart/spec';
import type { Column } from '../../components/table/columns';
import { useFormat } from '../../i18n';
import { fileNamed } from '../../lib/named';
import type { Span } from '../../lib/period';
import { useView } from '../../lib/useView';
import type { App } from '../../access/apps';

interface Props {
  app: App;
  title: string;
  hint: string;
  about: string;
  /** Name of the ranges, and of what is counted. */
  range: string;
  unit: string;
  labels: readonly string[];
  counts: ReadonlyMap<number, number>;
  before?: ReadonlyMap<number, number> | undefined;
  actions?: ReactNode;
  /** The days that are counted; profiles are counted as they are now. */
  span?: Span;
}

interface Range {
  label: string;
  index: number;
  count: number;
  was: number | undefined;
}

/** How many fall into each of a few ranges. */
export function RangesCard({ app, title, hint, about, range, unit, labels, counts, before, actions, span }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const [view, set] = useView();
  const rows = useMemo(
    () => labels.map((label, index): Range => ({ label, index, count: counts.get(index) ?? 0, was: before && (before.get(index) ?? 0) })),
    [labels, counts, before],
  );
  const all = rows.reduce((sum, r) => sum + r.count, 0);
  const spec: BarsSpec = useMemo(
    () => ({
      kind: 'bars',
      upright: true,
      name: unit,
      format: (n) => format.count(n),
      formatTick: (n) => format.short(n),
      rows: rows.map((r) => ({ name: r.label, value: r.count, before: r.was })),
      ...(before === undefined ? {} : { names: [unit, t(`period.${view.compare}`)] as const }),
    }),
    [rows, unit, format, before, t, view.compare],
  );
  if (all === 0 && rows.every((r) => (r.was ?? 0) === 0)) {
    return (
      <section className="card pad" aria-label={title}>
        <Group justify="space-between" gap="sm">
          <Title order={2} size="h4">
            {title}
          </Title>
          {actions}
        </Group>
        <Text size="sm" c="dimmed" ta="center" py="xl">
          {t('table.empty')}
        </Text>
      </section>
    );
  }
  const columns: Column<Range>[] = [
    { key: 'range', title: range, fixed: true, value: (r) => r.label, text: (r) => r.label, sortable: false },
    { key: 'count', title: unit, numeric: true, value: (r) => r.count, text: (r) => format.count(r.count) },
    {
      key: 'share',
      title: t('metric.share'),
      numeric: true,
      form: 'share',
      value: (r) => (all === 0 ? 0 : r.count / all),
      text: (r) => format.share(all === 0 ? 0 : r.count / all),
    },
    ...(before === undefined
      ? []
      : [{ key: 'was', title: t(`period.${view.compare}`), numeric: true, value: (r: Range) => r.was ?? 0, text: (r: Range) => format.count(r.was ?? 0) }]),
  ];
  return (
    <ChartCard
      title={title}
      about={about}
      spec={spec}
      columns={columns}
      rows={rows}
      file={span === undefined ? `${app.name} ${title}` : fileNamed([app.name, title], span)}
      as={view.as}
      onAs={(as) => set({ as })}
      actions={actions}
    >
      <Text size="sm" c="dimmed" mt="xs">
        {hint}
      </Text>
    </ChartCard>
  );
}
