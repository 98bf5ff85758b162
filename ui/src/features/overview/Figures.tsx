import { Text, UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FigureValue } from '../../components/Figure';
import { useFormat } from '../../i18n';
import { write, writeShort, type Figure, type Metric } from './figures';

interface Props {
  figures: readonly Figure[];
  chosen: Metric;
  onChoose: (metric: Metric) => void;
}

/** The figures of a period; the chosen one is drawn over time. */
export function Figures({ figures, chosen, onChoose }: Props) {
  const { t } = useTranslation();
  return (
    <div className="figures" role="group" aria-label={t('overview.metrics')}>
      {figures.map((f) => (
        <FigureCard key={f.metric} figure={f} active={f.metric === chosen} onChoose={() => onChoose(f.metric)} />
      ))}
    </div>
  );
}

function FigureCard({ figure, active, onChoose }: { figure: Figure; active: boolean; onChoose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { metric, value, before, change } = figure;
  return (
    <UnstyledButton className="card figure" aria-pressed={active} onClick={onChoose}>
      <Text size="sm" c="dimmed" component="span" display="block">
        {t(`metric.${metric}`)}
      </Text>
      <FigureValue text={writeShort(metric, value, format)} title={write(metric, value, format)} />
      <Text size="sm" component="span" display="block" className="figure-change" data-trend={change?.trend}>
        {change === undefined ? (
          t('overview.noChange')
        ) : (
          <>
            <bdi dir="ltr" aria-hidden>
              {change.text}
            </bdi>
            <span className="visually-hidden">{t('overview.change', { change: change.text })}</span>
          </>
        )}
        {before !== undefined && ' '}
        {before !== undefined && (
          <Text span size="sm" c="dimmed" className="figure-before">
            {t('overview.from', { before: writeShort(metric, before, format) })}
          </Text>
        )}
      </Text>
    </UnstyledButton>
  );
}
