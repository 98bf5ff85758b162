import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n';

const bars = [34, 48, 40, 62, 55, 71, 66, 84, 78, 92, 88, 100];

/** What the page looks like, for those who have no purchases yet. */
export function Sample(): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const figures = [
    [t('revenue.measure.revenue'), format.amount(12_480)],
    [t('revenue.measure.paying'), format.count(312)],
    [t('revenue.measure.arpu'), format.amount(1.92)],
    [t('revenue.measure.arppu'), format.amount(40)],
  ] as const;
  return (
    <div className="revenue-sample" aria-hidden inert>
      <div className="revenue-sample-figures">
        {figures.map(([name, value]) => (
          <div key={name}>
            <span>{name}</span>
            <strong>{value}</strong>
          </div>
        ))}
      </div>
      <div className="revenue-sample-bars">
        {bars.map((height, i) => (
          <span key={i} style={{ blockSize: `${String(height)}%` }} />
        ))}
      </div>
    </div>
  );
}
