import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { Answer } from '../../components/Answer';
import { TimePage } from '../../components/Page';
import { useView } from '../../lib/useView';
import { making } from '../../lib/view';
import { formulas } from './api';
import { Desk } from './Desk';
import { FormulaList } from './FormulaList';

/** Formulas over figures of events: written and drawn at once, kept and shared. */
export function FormulasPage({ app }: { app: App }): ReactNode {
  const { t } = useTranslation();
  const [view, set] = useView();
  const query = useQuery(formulas(app._id));
  const fresh = view.open === '' || view.open === making;
  return (
    <TimePage
      app={app}
      title={t('nav.formulas')}
      lead={t('formulas.lead')}
      actions={
        !fresh && (
          <Group gap="xs">
            <Button variant="default" onClick={() => set({ open: '', figure: '', tab: '', segment: '' })}>
              {t('formulas.add')}
            </Button>
          </Group>
        )
      }
    >
      <Answer query={query}>
        {(list) => (
          <>
            <Desk key={`${app._id} ${fresh ? '' : view.open}`} app={app} list={list} opened={list.find((f) => f._id === view.open)} />
            <FormulaList app={app} list={list} />
          </>
        )}
      </Answer>
    </TimePage>
  );
}
