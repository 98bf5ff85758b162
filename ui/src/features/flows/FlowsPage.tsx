import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import { TimePage } from '../../components/Page';
import { viewKey } from '../../lib/segments';
import { useFields } from '../../parts/filters/fields';
import { Controls } from './Controls';
import { FlowCard } from './FlowCard';
import { SavedFlows, SaveFlow } from './SavedFlows';
import { useFlow } from './useFlow';
import { useSteps } from './useSteps';

const ofViews = [viewKey];

/** Which paths people take from a step on, up to it, or around it; and the flows that are kept. */
export function FlowsPage({ app }: { app: App }) {
  const { t } = useTranslation();
  const { draft, change, undo } = useFlow();
  const member = useQuery(me).data;
  const can = (feature: string, action: 'r' | 'c') => member !== undefined && may(member, app._id, feature, action);
  const steps = useSteps(app._id);
  const keys = useMemo(() => (draft.kind === 'views' ? ofViews : steps.keys), [draft.kind, steps.keys]);
  const fields = useFields(app._id, 'events', keys, can('users', 'r'));
  const shared = { app, draft, change, steps, fields };
  return (
    <TimePage
      app={app}
      title={t('nav.flows')}
      lead={t('flows.lead')}
      actions={
        <Group gap="xs">
          <Button variant="default" disabled={undo === undefined} onClick={undo}>
            {t('flows.undo')}
          </Button>
          {can('flows', 'c') && <SaveFlow app={app} draft={draft} steps={steps} />}
        </Group>
      }
    >
      <Controls {...shared} />
      <FlowCard {...shared} />
      <SavedFlows app={app} steps={steps} />
    </TimePage>
  );
}
