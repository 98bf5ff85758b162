import { Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import { SampleChart } from '../../components/chart/SampleChart';
import { AppsChoice, useChosenApps } from '../../components/AppsChoice';
import { GoesOn } from '../../components/GoesOn';
import { PulseIcon } from '../../components/icons';
import { TimePage } from '../../components/Page';
import { FigureList } from '../../components/Section';
import { Coming, Failed, Notice } from '../../components/States';
import { useFormat } from '../../i18n';
import { useFiltered, useTime, useView } from '../../lib/useView';
import { WaysOn } from '../../parts/empty/WaysOn';
import { EventChoice } from '../../parts/events/EventChoice';
import { sessionKey, useEventNames } from '../../parts/events/useEventNames';
import { FilterBar, noEvents } from '../../parts/filters/filtered';
import { useFields } from '../../parts/filters/fields';
import { ByChoice } from '../retention/Controls';
import { chosenEvents, chosenOf, eventsText, mostEvents } from '../retention/question';
import '../retention/retention.css';
import { report, type Question, type Report } from './api';
import { CourseCard } from './CourseCard';
import { GroupsCard } from './GroupsCard';
import { PeopleCard } from './PeopleCard';
import { StickinessCard } from './StickinessCard';

/** What the page may look like, for an app that has nothing to show. */
const sample = {
  d: [120, 126, 118, 131, 140, 96, 88, 133, 138, 145, 141, 152],
  w: [330, 336, 338, 344, 352, 350, 348, 356, 361, 368, 372, 380],
  m: [610, 618, 624, 633, 640, 644, 649, 655, 663, 672, 680, 690],
};

/** How many people are active on a day, in a week and in a month, and how often those of a month come. */
export function ActiveUsersPage({ app: whole }: { app: App }): ReactNode {
  const app = useFiltered(whole);
  const { t } = useTranslation();
  const [view, set] = useView();
  const { period, span } = useTime(app);
  const member = useQuery(me).data;
  const withPeople = member !== undefined && may(member, app._id, 'users', 'r');
  const names = useEventNames(app._id);
  const apps = useChosenApps(whole, 'active_users');
  const question = useMemo((): Question => {
    const { start, by } = chosenOf(view, span);
    return apps.chosen.length > 0 ? { period, events: [sessionKey], by: '', apps: [whole, ...apps.chosen] } : { period, events: start, by, apps: [] };
  }, [view, period, span, apps.chosen, whole]);
  const { events, by } = question;
  const fields = useFields(app._id, 'events', events, withPeople);
  const together = question.apps.length > 0;
  return (
    <TimePage app={app} title={t('nav.active')} lead={t('active.lead')}>
      {!together && <FilterBar app={app} events={noEvents} />}
      <section className="card pad no-print retention-events" aria-label={t('active.question')}>
        {!together && (
          <>
            <EventChoice label={t('active.with')} events={events} names={names} most={mostEvents} onChange={(next) => set({ events: eventsText(chosenEvents(events, next)) })} />
            <ByChoice fields={fields} by={by} onChange={(segment) => set({ segment })} />
          </>
        )}
        <AppsChoice {...apps} />
        {together && (
          <Text size="sm" c="dimmed">
            {t('active.appsHint')}
          </Text>
        )}
      </section>
      <Stack gap="md">
        <Parts app={app} question={question} names={names} fields={fields} withPeople={withPeople} />
      </Stack>
    </TimePage>
  );
}

/** What the parts of the page are given. */
export interface Shared {
  app: App;
  question: Question;
  names: ReturnType<typeof useEventNames>;
  fields: ReturnType<typeof useFields>;
}

function Parts({ withPeople, ...shared }: Shared & { withPeople: boolean }) {
  const { app, question } = shared;
  const { t } = useTranslation();
  const { before } = useTime(app);
  const [task, setTask] = useState<string>();
  const { data, error, isFetching, refetch } = useQuery({ ...report(app, question, setTask), placeholderData: keepPreviousData });
  const earlier = useQuery({
    ...report(app, { ...question, by: '', period: before === undefined ? question.period : { kind: 'custom', ...before } }),
    enabled: before !== undefined,
    placeholderData: keepPreviousData,
  }).data;
  if (error !== null && data === undefined) return <Failed error={error} retry={() => void refetch()} />;
  if (data === undefined) return task === undefined ? <Coming height={420} /> : <GoesOn task={task} />;
  const compared = before === undefined ? undefined : earlier;
  const nobody = data.days.every((day) => day.m === 0);
  return (
    <>
      {task !== undefined && isFetching && <GoesOn task={task} />}
      {error !== null && <Failed error={error} retry={() => void refetch()} />}
      {nobody ? (
        <section className="card" aria-label={t('active.nobody')}>
          <Notice icon={<PulseIcon />} title={t('active.nobody')} text={t('active.nobodyHint')} action={<WaysOn app={app} atFirst />} />
          <SampleChart label={t('active.course')} series={(['d', 'w', 'm'] as const).map((key) => ({ name: t(`active.${key}`), values: sample[key] }))} />
        </section>
      ) : (
        <>
          <Figures data={data} before={compared} />
          <CourseCard {...shared} data={data} />
          <StickinessCard {...shared} data={data} />
          {question.by !== '' && data.groups !== undefined && <GroupsCard {...shared} data={data} groups={data.groups} />}
          {withPeople && question.apps.length === 0 && <PeopleCard {...shared} />}
        </>
      )}
    </>
  );
}

/** The averages of the period. */
function Figures({ data, before }: { data: Report; before: Report | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const was = (text: string) => t('overview.from', { before: text });
  const note = (then: number | undefined, usual: string) => (then === undefined ? usual : was(format.count(Math.round(then))));
  const figures = (['d', 'w', 'm'] as const).map((key) => ({
    name: t(`active.${key}`),
    value: format.count(Math.round(data.mean[key])),
    note: note(before?.mean[key], t('active.mean', { count: data.mean_days, number: format.count(data.mean_days) })),
  }));
  const sticky = {
    name: t('active.stickiness'),
    value: format.percent(data.mean.dm / 100),
    note: before === undefined ? t('active.stickinessNote', { days: format.count(Math.max(1, Math.round((data.mean.dm * 30) / 100))) }) : was(format.percent(before.mean.dm / 100)),
  };
  return <FigureList figures={[...figures, sticky]} />;
}
