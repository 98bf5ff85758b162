import { ActionIcon } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { InfoIcon } from '../../components/icons';
import { later } from '../../components/lazily';
import type { Explained } from './FiguresDefinition';

const FiguresDefinition = later(async () => (await import('./FiguresDefinition')).FiguresDefinition);

/** The sign behind which the figures of a chart are explained. */
export function AboutFigures(figures: Explained) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const label = t('metric.about', { what: figures.what });
  return (
    <>
      <ActionIcon variant="default" size={30} aria-label={label} title={label} onClick={() => setOpen(true)}>
        <InfoIcon size={18} />
      </ActionIcon>
      {open && <FiguresDefinition {...figures} onClose={() => setOpen(false)} />}
    </>
  );
}
