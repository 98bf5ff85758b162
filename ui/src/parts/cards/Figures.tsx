import { Text, UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ChangeNote } from '../../components/Change';
import { FigureValue } from '../../components/Figure';
import { useFormat } from '../../i18n';
import type { Against } from '../../lib/change';
import { write, writeShort, type Figure, type Metric } from '../figures/figures';

interface Props {
  figures: readonly Figure[];
  against: Against;
  /** Whether it is said what figures were. */
  from: boolean;
  chosen: Metric;
  onChoose: (metric: Metric) => void;
}

/** The figures of a period; the chosen one is drawn over time. */
export function Figures({ figures, against, from, chosen, onChoose }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className="figures" role="group" aria-label={t('overview.metrics')}>
      {figures.map(({ metric, value, before, change }) => (
        <UnstyledButton key={metric} className="card figure" aria-pressed={metric === chosen} onClick={() => onChoose(metric)}>
          <Text size="sm" c="dimmed" component="span" display="block">
            {t(`metric.${metric}`)}
          </Text>
          <FigureValue text={writeShort(metric, value, format)} title={write(metric, value, format)} />
          <Text size="sm" component="span" display="block">
            <ChangeNote change={change} against={against} from={from ? writeShort(metric, before, format) : undefined} />
          </Text>
        </UnstyledButton>
      ))}
    </div>
  );
}
