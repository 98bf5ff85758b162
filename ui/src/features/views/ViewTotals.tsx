import { useTranslation } from 'react-i18next';
import { ChangeNote, DayNote } from '../../components/Change';
import { FigureList } from '../../components/Section';
import { useFormat } from '../../i18n';
import { changeOf, type Against } from '../../lib/change';
import type { ViewFigures } from '../../parts/views/api';
import { writeFigure } from '../../parts/views/figures';

interface Props {
  total: ViewFigures;
  /** The figures of the parts that can be compared. */
  parts: { now: ViewFigures; before: ViewFigures; against: Against } | undefined;
  tooEarly: boolean;
  cut: boolean;
}

/** The figures of a view or of all, with how they changed where there is something to compare with. Bounces are not known by segment: starts take their place. */
export function ViewTotals({ total, parts, tooEarly, cut }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const shown = ['t', 'uvalue', 'n', cut ? 's' : 'br', 'd-calc', 'scr-calc'] as const;
  return (
    <div>
      <FigureList
        figures={shown.map((key) => ({
          name: t(`views.${key}`),
          value: writeFigure(key, total, format),
          ...(parts === undefined
            ? {}
            : { note: <ChangeNote change={changeOf(parts.now[key], parts.before[key], format)} against={parts.against} plain={key === 'br'} /> }),
        }))}
      />
      <DayNote against={undefined} tooEarly={tooEarly} />
    </div>
  );
}
