import { Stack, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import { TimePage } from '../../components/Page';
import { today } from '../../lib/period';
import { useTime, useView } from '../../lib/useView';
import { useEventNames } from '../../parts/events/useEventNames';
import { useFields } from '../../parts/filters/fields';
import { SavedViews, SaveView } from '../../parts/saved/SavedViews';
import { ActivityPart } from './ActivityPart';
import type { Question } from './api';
import { ActivityControls, ReportControls } from './Controls';
import { agesOf, chosenOf } from './question';
import { ReportPart } from './ReportPart';
import './retention.css';

const tabs = ['report', 'activity'] as const;

/** How many people come back and when, and how regularly they are active. */
export function RetentionPage({ app }: { app: App }): ReactNode {
  const { t } = useTranslation();
  const [view, set] = useView();
  const member = useQuery(me).data;
  const withPeople = member !== undefined && may(member, app._id, 'users', 'r');
  const names = useEventNames(app._id);
  const { period, span } = useTime(app);
  const question = useMemo((): Question => {
    const chosen = chosenOf(view, span);
    return { ...chosen, period, ages: agesOf(span, chosen.unit, today(app.timezone)) };
  }, [view, period, span, app.timezone]);
  const fields = useFields(app._id, 'events', question.start, withPeople);
  const tab = tabs.find((one) => one === view.tab) ?? 'report';
  const shared = { app, question, names, fields, withPeople };
  return (
    <TimePage app={app} title={t('nav.retention')} lead={t('retention.lead')} actions={<SaveView app={app} page="retention" />}>
      <Tabs value={tab} keepMounted={false} onChange={(next) => set({ tab: next === 'activity' ? next : '' })}>
        <Tabs.List mb="md" className="no-print" aria-label={t('nav.retention')}>
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`retention.tabs.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="report">
          <Stack gap="md">
            <ReportControls {...shared} />
            <ReportPart {...shared} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="activity">
          <Stack gap="md">
            <ActivityControls {...shared} />
            <ActivityPart {...shared} />
          </Stack>
        </Tabs.Panel>
      </Tabs>
      <SavedViews app={app} page="retention" quietly={false} />
    </TimePage>
  );
}
