import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../i18n';
import type { ChartSpec } from './spec';
import { extremesOf, largestOf } from './summary';

/** What a chart shows, in words. */
export default function Summary({ spec, hidden }: { spec: ChartSpec; hidden: ReadonlySet<string> }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const lines: string[] = [];
  if (spec.kind === 'series') {
    const { list, more } = extremesOf(spec, hidden);
    for (const { name, most, least } of list) {
      const about = { name, most: spec.format(most.value), when: most.step };
      lines.push(least === undefined ? t('chart.same', about) : t('chart.between', { ...about, least: spec.format(least.value), then: least.step }));
    }
    if (more > 0) lines.push(t('chart.moreSeries', { count: more }));
  } else {
    const rows = largestOf(spec).map(({ name, value }) => t('chart.largest', { name, value: spec.format(value) }));
    if (rows.length > 0) lines.push(t('chart.most', { what: spec.name, list: new Intl.ListFormat(locale, { type: 'unit' }).format(rows) }));
  }
  if (lines.length === 0) return null;
  return (
    <Text size="xs" c="dimmed" mt="xs" component="div" className="chart-said">
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </Text>
  );
}
