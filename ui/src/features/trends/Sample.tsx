import { useTranslation } from 'react-i18next';
import { SampleChart } from '../../components/chart/SampleChart';

const courses = [
  [120, 132, 128, 151, 149, 170, 166, 190, 204, 199, 222, 240],
  [60, 64, 71, 69, 84, 80, 92, 90, 97, 108, 104, 119],
];

/** What a report looks like, for those who have not begun one. */
export function Sample() {
  const { t } = useTranslation();
  return <SampleChart label={t('trends.sample.label')} series={courses.map((values, i) => ({ name: t(i === 0 ? 'trends.sample.first' : 'trends.sample.second'), values }))} />;
}
