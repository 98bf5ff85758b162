import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n';
import { shade } from './HeatTable';

const shares = [
  [0.42, 0.31, 0.26, 0.22, 0.2],
  [0.45, 0.33, 0.27, 0.24],
  [0.4, 0.29, 0.25],
  [0.47, 0.35],
  [0.44],
];

const most = Math.max(...shares.flat());

/** What a table of cohorts looks like, for those who have none yet. */
export function Sample() {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className="pad heat heat-sample" aria-hidden inert>
      {shares.map((row, no) => (
        <div key={no} className="heat-sample-row">
          <span>{t('retention.sample', { no: no + 1 })}</span>
          {row.map((share, i) => (
            <span key={i} className="heat-cell" style={{ background: shade(share / most) }}>
              {format.percent(share)}
            </span>
          ))}
        </div>
      ))}
    </div>
  );
}
