import { Text } from '@mantine/core';
import { useFormat } from '../../i18n';
import { LineChart } from './LineChart';
import type { SeriesSpec } from './spec';

const hidden: ReadonlySet<string> = new Set();

interface Props {
  /** What the picture is an example of. */
  label: string;
  series: readonly { name: string; values: readonly number[] }[];
}

/** What a chart looks like, for those who have nothing to draw yet: pale, and out of reach of pointer and keyboard. */
export function SampleChart({ label, series }: Props) {
  const format = useFormat();
  const spec: SeriesSpec = {
    kind: 'series',
    steps: (series[0]?.values ?? []).map((_, i) => ({ label: String(i + 1), tick: String(i + 1) })),
    continuous: false,
    series,
    format: format.count,
    formatTick: format.short,
  };
  return (
    <div className="pad chart-sample" aria-hidden inert>
      <div className="chart-sample-keys">
        {series.map(({ name }, i) => (
          <span key={name}>
            <span className="legend-key" data-series={i + 1} />
            <Text span size="sm">
              {name}
            </Text>
          </span>
        ))}
      </div>
      <div className="chart-sample-plot">
        <LineChart label={label} spec={spec} hidden={hidden} />
      </div>
    </div>
  );
}
