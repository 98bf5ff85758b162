import { useTranslation } from 'react-i18next';
import { stepRows } from './figures';
import { FunnelPicture } from './FunnelPicture';

const spread = (median: number) => ({ count: 1, mean: median, median, p75: median, p90: median, p95: median, max: median, histogram: [] });
const users = [1240, 810, 365, 290];
const medians = [0, 48, 130, 22];

/** What a funnel looks like, for those who have none yet. */
export function Sample() {
  const { t } = useTranslation();
  const steps = users.map((n, i) => ({ step: '', query: {}, users: n, times: n, attempts: n, ...(i === 0 ? {} : { timeSpend: spread(medians[i] ?? 0) }) }));
  const rows = stepRows({ total_users: 1240, users_in_first_step: 1240, success_users: 290, steps, conversion: spread(0) });
  const names = (['visit', 'look', 'cart', 'pay'] as const).map((step) => ({ name: t(`funnels.sample.${step}`), filter: '' }));
  return (
    <div className="pad funnel-sample" aria-hidden inert>
      <FunnelPicture rows={rows} names={names} />
    </div>
  );
}
