import { useQuery } from '@tanstack/react-query';
import { Button, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { SampleChart } from '../../components/chart/SampleChart';
import { CopyBlock } from '../../components/CopyBlock';
import { TimePage } from '../../components/Page';
import { Notice } from '../../components/States';
import { useFiltered } from '../../lib/useView';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { FilterBar, noEvents } from '../../parts/filters/filtered';
import { known } from './api';
import { CrashTrend } from './CrashTrend';
import { GroupTable } from './GroupTable';
import { Releases } from './Releases';
import { Spreading } from './Spreading';
import { Versions } from './Versions';

const snippet = `Countly.q.push(['track_errors']);`;

/** How an app holds up: sessions and users that nothing ended, by version, and the groups of reports. */
export function CrashesPage({ app: whole }: { app: App }): ReactNode {
  const app = useFiltered(whole);
  const { t } = useTranslation();
  const all = useQuery(known(app._id));
  const member = useQuery(me).data;
  const asks = member !== undefined && may(member, app._id, 'drill', 'r');
  return (
    <TimePage app={app} title={t('nav.crashes')} lead={t('crashes.lead')} actions={<Button variant="default" renderRoot={(props) => <Link {...props} to="/apps/$appId/crash-rules" params={{ appId: app._id }} />}>{t('crashes.rules.open')}</Button>}>
      <Answer query={all}>
        {(now) =>
          now.unique === 0 ? (
            <NoCrashes app={app} />
          ) : (
            <>
              <Spreading app={whole} />
              {asks && (
                <>
                  <FilterBar app={app} events={noEvents} />
                  <CrashTrend app={app} />
                  <Versions app={app} />
                </>
              )}
              <Releases app={whole} />
              <GroupTable app={whole} known={now} />
            </>
          )
        }
      </Answer>
    </TimePage>
  );
}

/** What the page may look like, for an app that has nothing to show. */
const sample = {
  fatal: [4, 3, 5, 4, 12, 9, 6, 4, 3, 3, 2, 2],
  nonfatal: [21, 24, 19, 25, 38, 31, 27, 24, 22, 20, 19, 18],
};

function NoCrashes({ app }: { app: App }) {
  const { t } = useTranslation();
  return (
    <div className="card">
      <Notice
        title={t('crashes.none')}
        text={t('crashes.noneHint')}
        action={
          <Stack gap="md" w="100%" ta="start">
            <CopyBlock label={t('crashes.snippet')} code={snippet} />
            <Button component={Link} to={`/apps/${app._id}/settings`} variant="light">
              {t('overview.connect')}
            </Button>
          </Stack>
        }
      />
      <SampleChart label={t('nav.crashes')} series={(['fatal', 'nonfatal'] as const).map((key) => ({ name: t(`crashes.${key}`), values: sample[key] }))} />
    </div>
  );
}
