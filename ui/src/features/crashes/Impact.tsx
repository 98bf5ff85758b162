import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { Section } from '../../components/Section';
import { useTime, useView } from '../../lib/useView';
import { CostPart } from './ImpactCost';
import { PathPart } from './ImpactPath';
import { PropertiesPart } from './ImpactProperties';
import { parsePart, parts } from './impact';
import type { Asked } from './impactApi';

/** How a group stands beside behaviour: whom it hits, what it costs, and what comes before it. */
export function Impact({ app, id, name }: { app: App; id: string; name: string }): ReactNode {
  const { t } = useTranslation();
  const [view, set] = useView();
  const { period } = useTime(app);
  const part = parsePart(view.tab);
  const asked: Asked = { app, group: id, period };
  return (
    <Section
      title={t('crashes.impact.title')}
      lead={t(`crashes.impact.lead.${part}`)}
      actions={
        <SegmentedControl
          className="no-print"
          size="xs"
          aria-label={t('crashes.impact.show')}
          value={part}
          onChange={(next) => set({ tab: next === 'properties' ? '' : next })}
          data={parts.map((value) => ({ value, label: t(`crashes.impact.parts.${value}`) }))}
        />
      }
    >
      {part === 'properties' && <PropertiesPart asked={asked} app={app} />}
      {part === 'cost' && <CostPart asked={asked} app={app} />}
      {part === 'path' && <PathPart asked={asked} app={app} name={name} />}
    </Section>
  );
}
