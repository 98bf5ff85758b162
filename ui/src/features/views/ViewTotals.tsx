import { useTranslation } from 'react-i18next';
import { FigureList } from '../../components/Section';
import { useFormat } from '../../i18n';
import { changeOf } from '../overview/figures';
import type { ViewFigures } from './api';
import { writeFigure } from './figures';

/** The figures of a view or of all, with how they changed where there is something to compare with. Bounces are not known by segment: starts take their place. */
export function ViewTotals({ now, before, cut }: { now: ViewFigures; before: ViewFigures | undefined; cut: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const shown = ['t', 'uvalue', 'n', cut ? 's' : 'br', 'd-calc', 'scr-calc'] as const;
  return (
    <FigureList
      figures={shown.map((key) => {
        const change = before === undefined ? undefined : changeOf(now[key], before[key], format);
        return {
          name: t(`views.${key}`),
          value: writeFigure(key, now, format),
          ...(change === undefined
            ? {}
            : {
                note: (
                  <span className="figure-change" data-trend={key === 'br' ? undefined : change.trend}>
                    {change.text}
                  </span>
                ),
              }),
        };
      })}
    />
  );
}
