import { Button, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { ReactNode } from 'react';
import type { App } from '../../access/apps';
import { ZoomBack } from '../../components/chart/ZoomBack';
import { Answer } from '../../components/Answer';
import { CopyBlock } from '../../components/CopyBlock';
import { HourglassIcon } from '../../components/icons';
import { TimePage } from '../../components/Page';
import { Notice } from '../../components/States';
import { useFiltered, useTime, useView } from '../../lib/useView';
import { FilterBar } from '../../parts/filters/filtered';
import { overview, type Measure, type Overview } from './api';
import { CourseCard } from './CourseCard';
import { vitalsSnippet } from './figures';
import { GroupsTable } from './GroupsTable';
import { MeasureCards } from './MeasureCards';

/** The events by whose properties the page can be filtered. */
const traces: readonly string[] = ['[CLY]_apm_device', '[CLY]_apm_network'];

/** How fast an app is for the people who use it. */
export function PerformancePage({ app: whole }: { app: App }): ReactNode {
  const app = useFiltered(whole);
  const { t } = useTranslation();
  const { period } = useTime(app);
  const query = useQuery({ ...overview(app, period), placeholderData: keepPreviousData });
  return (
    <TimePage app={app} title={t('nav.performance')} lead={t('performance.lead')}>
      <FilterBar app={app} events={traces} />
      <Answer query={query}>{(data) => <Parts app={app} data={data} />}</Answer>
    </TimePage>
  );
}

function Parts({ app, data }: { app: App; data: Overview }) {
  const { t } = useTranslation();
  const [view] = useView();
  const { before } = useTime(app);
  const earlier = useQuery({ ...overview(app, { kind: 'custom', ...(before ?? { from: '2000-01-01', to: '2000-01-01' }) }), enabled: before !== undefined, placeholderData: keepPreviousData }).data;
  const sent = data.measures.filter((m) => m.n > 0);
  const chosen: Measure | undefined = sent.find((m) => m.id === view.figure) ?? sent[0];
  if (chosen === undefined) {
    return (
      <section className="card" aria-label={t('performance.none')}>
        <Notice
          icon={<HourglassIcon />}
          title={t('performance.none')}
          text={t('performance.noneHint')}
          action={
            <Stack gap="md" w="100%" ta="start">
              <ZoomBack />
              <CopyBlock label={t('performance.snippet')} code={vitalsSnippet} />
              <Button component={Link} to={`/apps/${app._id}/settings`} variant="light">
                {t('overview.connect')}
              </Button>
            </Stack>
          }
        />
      </section>
    );
  }
  return (
    <Stack gap="md">
      <CourseCard app={app} measure={chosen} sent={sent} />
      <MeasureCards data={data} before={before === undefined ? undefined : earlier} chosen={chosen} />
      <GroupsTable app={app} measure={chosen} />
    </Stack>
  );
}
