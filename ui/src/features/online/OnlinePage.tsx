import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import { Answer } from '../../components/Answer';
import { AppsChoice, useChosenApps } from '../../components/AppsChoice';
import { ConfirmDelete } from '../../components/form/ConfirmDelete';
import { Page } from '../../components/Page';
import { FigureList, Section } from '../../components/Section';
import { ServerTable } from '../../components/table/ServerTable';
import { useFormat } from '../../i18n';
import { useProfileColumns } from '../../parts/people/useProfileColumns';
import { activeSince } from '../../parts/people/api';
import { AlertsPart } from './AlertsPart';
import { onlineNow, useResetMaxima, type Online, type Point, type Shown } from './api';
import { AboutOnline } from './AboutOnline';
import { CourseCard } from './CourseCard';
import { PartsCard } from './PartsCard';
import { useBound } from './useBound';

/** Who is online now, how many were at most, and alerts. */
export function OnlinePage({ app }: { app: App }): ReactNode {
  const { t } = useTranslation();
  const member = useQuery(me).data;
  const [clearing, setClearing] = useState(false);
  const reset = useResetMaxima(app._id);
  const choice = useChosenApps(app, 'concurrent_users');
  const apps = useMemo((): Shown['apps'] => [app, ...choice.chosen], [app, choice.chosen]);
  const together = apps.length > 1;
  const can = (feature: string, action: 'r' | 'u') => member !== undefined && may(member, app._id, feature, action);
  return (
    <Page
      title={t('nav.online')}
      lead={t('online.lead')}
      actions={
        can('concurrent_users', 'u') &&
        !together && (
          <Button variant="default" size="xs" className="no-print" onClick={() => setClearing(true)}>
            {t('online.reset')}
          </Button>
        )
      }
    >
      {choice.others.length > 0 && (
        <section className="card pad no-print" aria-label={t('app.together')}>
          <AppsChoice {...choice} />
          {together && (
            <Text size="sm" c="dimmed" mt="xs">
              {t('online.appsHint')}
            </Text>
          )}
        </section>
      )}
      <Answer query={useQuery(onlineNow(apps))}>
        {(data) => (
          <>
            <Figures apps={apps} data={data} />
            <CourseCard apps={apps} data={data} />
            <PartsCard apps={apps} data={data} />
            {can('users', 'r') && !together && <Who app={app} data={data} />}
          </>
        )}
      </Answer>
      {!together && <AlertsPart app={app} />}
      {clearing && <ConfirmDelete what={t('online.maxima', { app: app.name })} id={app._id} remove={reset} done={t('online.resetDone')} onClose={() => setClearing(false)} />}
    </Page>
  );
}

function Figures({ apps, data }: Shown) {
  const app = apps[0];
  const { t } = useTranslation();
  const format = useFormat();
  const bound = useBound();
  const when = (at: number | undefined) => (at === undefined ? undefined : format.moment(at, app.timezone));
  const today = data.days.at(-1);
  const hour = data.hours.at(-1);
  const most = (name: string, point: Point | undefined) => ({
    name,
    value: point === undefined ? format.count(0) : bound(point, 'o'),
    note: point?.bound === true ? t('online.boundShort') : when(point?.oa),
  });
  const shared = data.shared ?? 0;
  const figures = [
    {
      name: t('online.now'),
      value: format.count(data.now.o),
      note: shared > 0 ? t('online.shared', { count: shared, number: format.count(shared) }) : t('online.of', { count: data.now.n, number: format.count(data.now.n) }),
    },
    most(t('online.hourMost'), hour),
    most(t('online.dayMost'), today),
    most(t('online.everMost'), data.most),
  ];
  return (
    <Section
      title={t('online.now')}
      lead={t('online.nowLead', { count: Math.round(data.window / 60) })}
      actions={<AboutOnline apps={apps} window={data.window} what={t('nav.online')} />}
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
