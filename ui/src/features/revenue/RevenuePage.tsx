import { Stack, Tabs } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { me } from '../../access/me';
import { administers, may } from '../../access/rights';
import { TimePage } from '../../components/Page';
import { Coming, Failed } from '../../components/States';
import { useGranularity } from '../../components/time/GranularityChoice';
import { useFiltered, useTime, useView } from '../../lib/useView';
import { parseList } from '../../lib/view';
import { FilterBar } from '../../parts/filters/filtered';
import { useFields } from '../../parts/filters/fields';
import { useEventNames } from '../../parts/events/useEventNames';
import { report, type Question } from './api';
import { Choose } from './Choose';
import { Controls } from './Controls';
import { LifetimePart } from './LifetimePart';
import { ReportPart } from './ReportPart';
import '../retention/retention.css';

const tabs = ['report', 'ltv'] as const;

/** What people pay, how many of them do, and what a person is worth over time. */
export function RevenuePage({ app: whole }: { app: App }): ReactNode {
  const app = useFiltered(whole);
  const { t } = useTranslation();
  const [view, set] = useView();
  const member = useQuery(me).data;
  const withPeople = member !== undefined && may(member, app._id, 'users', 'r');
  const sets = member !== undefined && administers(member, app._id);
  const names = useEventNames(app._id);
  const { period, span, before } = useTime(app);
  const step = useGranularity(span);
  const tab = tabs.find((one) => one === view.tab) ?? 'report';
  const question = useMemo((): Question => ({ period, events: parseList(view.events), by: view.segment }), [period, view.events, view.segment]);
  // Which events of the app are purchases comes with the report.
  const first = useQuery({ ...report(app, { ...question, by: '' }, step, before), placeholderData: keepPreviousData, notifyOnChangeProps: ['data', 'error'] });
  const configured = first.data?.configured;
  const events = useMemo(() => (question.events.length > 0 ? question.events : (configured ?? [])), [question.events, configured]);
  const fields = useFields(app._id, 'events', events, withPeople);
  const shared = { app, question, events, configured: configured ?? [], names, fields, sets };
  return (
    <TimePage app={app} title={t('nav.revenue')} lead={t('revenue.lead')}>
      {configured === undefined ? (
        first.error === null ? <Coming height={420} /> : <Failed error={first.error} retry={() => void first.refetch()} />
      ) : events.length === 0 ? (
        <Choose {...shared} />
      ) : (
        <>
          <FilterBar app={app} events={events} />
          <Tabs value={tab} keepMounted={false} onChange={(next) => set({ tab: next === 'ltv' ? next : '', by: '' })}>
            <Tabs.List mb="md" className="no-print" aria-label={t('nav.revenue')}>
              {tabs.map((one) => (
                <Tabs.Tab key={one} value={one}>
                  {t(`revenue.tabs.${one}`)}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value="report">
              <Stack gap="md">
                <Controls {...shared} />
                <ReportPart {...shared} />
              </Stack>
            </Tabs.Panel>
            <Tabs.Panel value="ltv">
              <Stack gap="md">
                <Controls {...shared} lifetimes />
                <LifetimePart {...shared} />
              </Stack>
            </Tabs.Panel>
          </Tabs>
        </>
      )}
    </TimePage>
  );
}
