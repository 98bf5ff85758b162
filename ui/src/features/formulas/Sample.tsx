import { useTranslation } from 'react-i18next';
import { SampleChart } from '../../components/chart/SampleChart';

const values = [24, 26, 25, 29, 31, 30, 34, 33, 37, 39, 38, 42];

/** What a formula looks like, for those who have not written one. */
export function Sample() {
  const { t } = useTranslation();
  return <SampleChart label={t('formulas.sample')} series={[{ name: t('formulas.sample'), values }]} />;
}
