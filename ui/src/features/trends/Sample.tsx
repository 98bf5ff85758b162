import { useTranslation } from 'react-i18next';
import { LineChart } from '../../components/chart/LineChart';
import type { SeriesSpec } from '../../components/chart/spec';
import { useFormat } from '../../i18n';

const courses = [
  [120, 132, 128, 151, 149, 170, 166, 190, 204, 199, 222, 240],
  [60, 64, 71, 69, 84, 80, 92, 90, 97, 108, 104, 119],
];
const hidden: ReadonlySet<string> = new Set();

/** What a report looks like, for those who have not begun one. */
export function Sample() {
  const { t } = useTranslation();
  const format = useFormat();
  const spec: SeriesSpec = {
    kind: 'series',
    steps: (courses[0] ?? []).map((_, i) => ({ label: String(i + 1), tick: String(i + 1) })),
    continuous: false,
    series: courses.map((values, i) => ({ name: t(i === 0 ? 'trends.sample.first' : 'trends.sample.second'), values })),
    format: format.count,
    formatTick: format.short,
  };
  return (
    <div className="pad trends-sample" aria-hidden inert>
      <LineChart label={t('trends.sample.label')} spec={spec} hidden={hidden} />
    </div>
  );
}
