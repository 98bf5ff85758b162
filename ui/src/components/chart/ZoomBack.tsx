import { Button, type ButtonProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { parsePeriod } from '../../lib/period';
import { useView } from '../../lib/useView';
import { usePeriodText } from '../time/PeriodPicker';

/** The way back to the period that a chart was zoomed in from; nothing where none was. */
export function ZoomBack({ className = '', size = 'sm' }: Pick<ButtonProps, 'className' | 'size'>) {
  const { t } = useTranslation();
  const [view, set] = useView();
  const periodText = usePeriodText();
  if (view.zoom === '') return null;
  return (
    <Button className={`no-print ${className}`} size={size} variant="light" onClick={() => set({ period: view.zoom, page: 1 })}>
      {t('chart.back', { period: periodText(parsePeriod(view.zoom)) })}
    </Button>
  );
}
