import { Anchor, Avatar, Button, Group, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmTyped } from '../../components/ConfirmTyped';
import { Page } from '../../components/Page';
import { FieldList, FigureList, Section } from '../../components/Section';
import { Failed, Loading, Notice } from '../../components/States';
import { toasts } from '../../components/toasts';
import { useFormat } from '../../i18n';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import { useModules } from '../../access/useModules';
import type { App } from '../../access/apps';
import { UserCrashes } from '../crashes/UserCrashes';
import { useView } from '../../lib/useView';
import { carried } from '../../lib/view';
import { cohortNames } from '../../parts/cohorts/api';
import { pictureOf, profile, useDeleteProfile, type Profile } from '../../parts/people/api';
import { useFields } from './fields';
import { ActivityCard } from './ActivityCard';
import { EditProperty } from './EditProperty';
import { HistoryCard } from './HistoryCard';
import { Neighbours } from './Neighbours';
import { likeThis } from './person';
import { SessionsCard } from './SessionsCard';
import { Timeline } from './Timeline';

/** Says that nobody has the number, and leads to the list. */
function Gone({ app }: { app: App }) {
  const { t } = useTranslation();
  const [view] = useView();
  return (
    <Notice
      level={1}
      title={t('state.missing')}
      text={t('profiles.gone')}
      action={
        <Button variant="light" renderRoot={(props) => <Link {...props} to="/apps/$appId/profiles" params={{ appId: app._id }} search={carried(view)} />}>
          {t('nav.profiles')}
        </Button>
      }
    />
  );
}

/** What is known about one person. */
export function ProfilePage({ app }: { app: App }) {
  const { t } = useTranslation();
  const { uid } = useParams({ from: '/apps/$appId/profiles/$uid' });
  const { data, error, refetch } = useQuery(profile(app._id, uid));
  const member = useQuery(me).data;
  const hasCrashes = useModules()?.includes('crashes') === true;
  const [deleting, setDeleting] = useState(false);
  const [editing, setEditing] = useState(false);
  const [view] = useView();
  if (error !== null && data === undefined) return <Failed error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  if (data === null) return <Gone app={app} />;
  const like = likeThis(data);
  const mayEdit = member !== undefined && may(member, app._id, 'core', 'u');
  const mayDelete = member !== undefined && may(member, app._id, 'core', 'd');
  return (
    <Page
      title={data.name ?? data.email ?? data.username ?? data.did}
      above={{ to: `/apps/${app._id}/profiles`, label: t('nav.profiles') }}
      lead={t('profiles.number', { uid: data.uid })}
      actions={
        <>
          <Neighbours app={app} uid={data.uid} />
          {Object.keys(like).length > 0 && (
            <Button variant="default" className="no-print" renderRoot={(props) => <Link {...props} to="/apps/$appId/profiles" params={{ appId: app._id }} search={{ ...carried(view), filter: JSON.stringify(like) }} />}>
              {t('profiles.like')}
            </Button>
          )}
          {mayEdit && (
            <Button variant="default" className="no-print" onClick={() => setEditing(true)}>
              {t('profiles.edit')}
            </Button>
          )}
          {mayDelete && (
            <Button variant="default" c="red" className="no-print" onClick={() => setDeleting(true)}>
              {t('profiles.delete')}
            </Button>
          )}
        </>
      }
    >
      <ActivityCard app={app} uid={data.uid} />
      <Details app={app} profile={data} />
      <HistoryCard app={app} uid={data.uid} />
      <SessionsCard app={app} uid={data.uid} />
      {member !== undefined && may(member, app._id, 'crashes', 'r') && hasCrashes && <UserCrashes app={app} uid={data.uid} />}
      <Timeline app={app} uid={data.uid} />
      {editing && <EditProperty app={app} profile={data} onClose={() => setEditing(false)} />}
      {deleting && <Delete app={app} profile={data} onClose={() => setDeleting(false)} />}
    </Page>
  );
}

function Details({ app, profile: p }: { app: App; profile: Profile }) {
  const { t } = useTranslation();
  const format = useFormat();
  const groups = useFields(p, app.timezone);
  const figures = [
    { name: t('metric.sessions'), value: format.count(p.sc ?? 0) },
    { name: t('metric.time'), value: format.duration(p.tsd ?? 0) },
    { name: t('metric.averageTime'), value: format.duration((p.sc ?? 0) === 0 ? 0 : (p.tsd ?? 0) / (p.sc ?? 1)) },
    { name: t('profiles.sd'), value: format.duration(p.sd ?? 0) },
  ];
  return (
    <>
      <FigureList figures={figures} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        {groups.map(({ id, fields }) => (
          <Section key={id} title={t(`profiles.${id}`)}>
            {id === 'person' && (
              <Group>
                <Avatar src={pictureOf(app._id, p) ?? null} alt="" color="indigo" size="lg" aria-hidden>
                  {(p.name ?? p.did).slice(0, 2).toLocaleUpperCase()}
                </Avatar>
                <Text fw={600} className="breakable">
                  {p.name ?? p.did}
                </Text>
              </Group>
            )}
            {fields.length === 0 ? (
              <Text size="sm" c="dimmed">
                {t('profiles.nothing')}
              </Text>
            ) : (
              <FieldList fields={fields} />
            )}
          </Section>
        ))}
        <Consents consent={p.consent} />
        <InCohorts app={app} ids={Object.keys(p.chr ?? {})} />
      </SimpleGrid>
    </>
  );
}

/** What a person consents to; nothing if that was never said. */
function Consents({ consent = {} }: { consent: Profile['consent'] }): ReactNode {
  const { t } = useTranslation();
  const fields = Object.entries(consent).map(([feature, given]): [string, string] => [feature, t(given ? 'profiles.given' : 'profiles.refused')]);
  if (fields.length === 0) return null;
  return (
    <Section title={t('profiles.consents')}>
      <FieldList fields={fields} />
    </Section>
  );
}

/** The cohorts that a person is in; nothing if there are none. */
function InCohorts({ app, ids }: { app: App; ids: readonly string[] }): ReactNode {
  const { t } = useTranslation();
  const [view] = useView();
  const names = useQuery({ ...cohortNames(app._id), enabled: ids.length > 0 }).data;
  if (ids.length === 0) return null;
  return (
    <Section title={t('nav.cohorts')}>
      <Group gap="xs">
        {ids.map((cohortId) => (
          <Anchor key={cohortId} size="sm" className="breakable" renderRoot={(props) => <Link {...props} to="/apps/$appId/cohorts/$cohortId" params={{ appId: app._id, cohortId }} search={carried(view)} />}>
            {names?.[cohortId] ?? cohortId}
          </Anchor>
        ))}
      </Group>
    </Section>
  );
}

function Delete({ app, profile: p, onClose }: { app: App; profile: Profile; onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const remove = useDeleteProfile(app._id);
  return (
    <ConfirmTyped
      title={t('profiles.delete')}
      text={t('profiles.deleteHint')}
      word={p.uid}
      button={t('profiles.delete')}
      pending={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(p.uid, {
          onSuccess: () => {
            toasts.show(t('profiles.deleted'));
            void navigate({ to: `/apps/${app._id}/profiles` });
          },
        })
      }
    />
  );
}
