import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { possible, stepOfView, usualStep, type Granularity } from '../../lib/granularity';
import type { Span } from '../../lib/period';
import { useView } from '../../lib/useView';

/** How wide the steps of a chart are: as the URL has it, else so that about a hundred points are drawn. */
export function useGranularity(span: Span, of?: readonly Granularity[]): Granularity {
  const [{ by }] = useView();
  return stepOfView(by, span, of);
}

/** The menu of the widths that a span can be cut into. */
export function GranularityChoice({ span, of, what }: { span: Span; of?: readonly Granularity[]; what: string }) {
  const { t } = useTranslation();
  const [, set] = useView();
  const step = useGranularity(span, of);
  const choices = possible(span, of);
  if (choices.length < 2) return null;
  return (
    <Select
      size="xs"
      w={110}
      aria-label={t('granularity.label', { what })}
      allowDeselect={false}
      value={step}
      data={choices.map((value) => ({ value, label: t(`granularity.${value}`) }))}
      onChange={(next) => set({ by: next === null || next === usualStep(span, of) ? '' : next })}
    />
  );
}
