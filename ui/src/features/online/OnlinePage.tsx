import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import { Answer } from '../../components/Answer';
import { ConfirmDelete } from '../../components/form/ConfirmDelete';
import { Page } from '../../components/Page';
import { FigureList, Section } from '../../components/Section';
import { ServerTable } from '../../components/table/ServerTable';
import { useFormat } from '../../i18n';
import { useProfileColumns } from '../profiles/ProfilesPage';
import { activeSince } from '../slipping/api';
import { AlertsPart } from './AlertsPart';
import { onlineNow, useResetMaxima, type Online } from './api';
import { AboutOnline } from './AboutOnline';
import { CourseCard } from './CourseCard';
import { PartsCard } from './PartsCard';

/** Who is online now, how many were at most, and alerts. */
export function OnlinePage({ app }: { app: App }): ReactNode {
  const { t } = useTranslation();
  const member = useQuery(me).data;
  const [clearing, setClearing] = useState(false);
  const reset = useResetMaxima(app._id);
  const can = (feature: string, action: 'r' | 'u') => member !== undefined && may(member, app._id, feature, action);
  return (
    <Page
      title={t('nav.online')}
      lead={t('online.lead')}
      actions={
        can('concurrent_users', 'u') && (
          <Button variant="default" size="xs" className="no-print" onClick={() => setClearing(true)}>
            {t('online.reset')}
          </Button>
        )
      }
    >
      <Answer query={useQuery(onlineNow(app._id))}>
        {(data) => (
          <>
            <Figures app={app} data={data} />
            <CourseCard app={app} data={data} />
            <PartsCard app={app} data={data} />
            {can('users', 'r') && <Who app={app} data={data} />}
          </>
        )}
      </Answer>
      <AlertsPart app={app} />
      {clearing && <ConfirmDelete what={t('online.maxima', { app: app.name })} id={app._id} remove={reset} done={t('online.resetDone')} onClose={() => setClearing(false)} />}
    </Page>
  );
}

function Figures({ app, data }: { app: App; data: Online }) {
  const { t } = useTranslation();
  const format = useFormat();
  const when = (at: number | undefined) => (at === undefined ? undefined : format.moment(at, app.timezone));
  const today = data.days.at(-1);
  const hour = data.hours.at(-1);
  const figures = [
    { name: t('online.now'), value: format.count(data.now.o), note: t('online.of', { count: data.now.n, number: format.count(data.now.n) }) },
    { name: t('online.hourMost'), value: format.count(hour?.o ?? 0), note: when(hour?.oa) },
    { name: t('online.dayMost'), value: format.count(today?.o ?? 0), note: when(today?.oa) },
    { name: t('online.everMost'), value: format.count(data.most.o), note: when(data.most.oa) },
  ];
  return (
    <Section
      title={t('online.now')}
      lead={t('online.nowLead', { count: Math.round(data.window / 60) })}
      actions={<AboutOnline app={app} window={data.window} what={t('nav.online')} />}
    >
      <FigureList figures={figures} />
    </Section>
  );
}

/** The people who gave a sign of life within the window. */
function Who({ app, data: { at, window } }: { app: App; data: Online }) {
  const { t } = useTranslation();
  const columns = useProfileColumns(app);
  // By the minute, so that the table does not ask again with each figure.
  const since = Math.floor(at / 60_000) * 60 - window;
  return (
    <Section title={t('online.who')} lead={t('online.whoLead')}>
      <ServerTable
        caption={t('online.who')}
        list={activeSince(app._id, since)}
        columns={columns}
        order="-lac"
        usuallyHidden="fac,cty,av,d"
        file={`${app.name} ${t('nav.online')}`}
        empty={t('online.nobody')}
        bare
      />
    </Section>
  );
}
