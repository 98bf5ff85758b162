import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { ApiError } from '../../api/client';
import { AlertIcon } from '../../components/icons';
import { Page, TimePage } from '../../components/Page';
import { FigureList } from '../../components/Section';
import { Failed, Loading, Notice } from '../../components/States';
import { lazily } from '../../components/lazily';
import { useFormat } from '../../i18n';
import { group as groupOf, type Group } from './api';
import { Comments } from './Comments';
import { Decisions } from './Decisions';
import { Distributions } from './Distributions';
import { shareHit } from './figures';
import { GroupTrend } from './GroupTrend';
import { Impact } from './Impact';
import { Reports } from './Reports';
import { Spreads } from './Spreading';
import { Stack } from './Stack';
import { StateBadges } from './states';
import { Variants } from './Variants';
import './crashes.css';

const IssueSection = lazily(async () => (await import('../trackers/IssueSection')).IssueSection);

/** One group: what happened, to whom, where, and what is done about it. */
export function GroupPage({ app }: { app: App }): ReactNode {
  const { t } = useTranslation();
  const { id } = useParams({ from: '/apps/$appId/crashes/$id' });
  const { data, error, refetch } = useQuery(groupOf(app._id, id));
  const above = { to: `/apps/${app._id}/crashes`, label: t('nav.crashes') };
  if (data !== undefined) return <One key={data._id} app={app} group={data} above={above} />;
  if (error instanceof ApiError && error.code === 'crashes.no_group') {
    return (
      <Page title={t('nav.crashes')} above={above} share={false}>
        <div className="card">
          <Notice icon={<AlertIcon />} title={t('crashes.gone')} text={t('crashes.goneHint')} />
        </div>
      </Page>
    );
  }
  return error === null ? <Loading /> : <Failed error={error} retry={() => void refetch()} />;
}

function One({ app, group, above }: { app: App; group: Group; above: { to: string; label: string } }) {
  const member = useQuery(me).data;
  const asks = member !== undefined && may(member, app._id, 'drill', 'r');
  return (
    <TimePage app={app} title={group.name} above={above} lead={<StateBadges group={group} />} actions={<Decisions app={app} group={group} />}>
      <Spreads app={app} id={group._id} />
      <Facts app={app} group={group} />
      <Stack app={app} group={group} />
      <IssueSection app={app} group={group._id} />
      <Variants app={app} group={group} />
      {asks && <GroupTrend app={app} group={group} />}
      <Distributions group={group} />
      <Impact app={app} id={group._id} name={group.name} />
      <Reports app={app} group={group} />
      <Comments app={app} group={group} />
    </TimePage>
  );
}

function Facts({ app, group: g }: { app: App; group: Group }) {
  const { t } = useTranslation();
  const format = useFormat();
  const moment = (seconds: number) => format.moment(seconds * 1000, app.timezone);
  return (
    <FigureList
      figures={[
        { name: t('crashes.reports'), value: format.count(g.reports) },
        { name: t('crashes.usersHit'), value: format.count(g.users), note: t('crashes.ofUsers', { share: format.share(shareHit(g.users, g.total)) }) },
        { name: t('crashes.first'), value: <span className="crash-moment">{moment(g.startTs)}</span> },
        { name: t('crashes.last'), value: <span className="crash-moment">{moment(g.lastTs)}</span> },
        {
          name: t('crashes.latestVersion'),
          value: g.latest_version === '' ? '–' : g.latest_version,
          ...(g.is_resolved && typeof g.resolved_version === 'string' ? { note: t('crashes.resolvedIn', { version: g.resolved_version }) } : {}),
        },
      ]}
    />
  );
}
