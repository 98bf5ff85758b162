import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { Section } from '../../components/Section';
import { useFormat } from '../../i18n';
import { useCarried } from '../../lib/useView';
import { velocity } from './api';
import './crashes.css';

/** The groups that many sessions report right now; nothing while there are none. */
export function Spreading({ app }: { app: App }) {
  const { t } = useTranslation();
  const format = useFormat();
  const carried = useCarried();
  const { data } = useQuery(velocity(app._id));
  if (data === undefined || data.groups.length === 0) return null;
  return (
    <Section
      danger
      title={t('crashes.spreading')}
      lead={t('crashes.spreadingLead', { percent: format.percent(data.percent / 100), time: format.duration(data.minutes * 60), sessions: format.count(data.sessions) })}
    >
      <ul className="crash-bars" aria-label={t('crashes.spreading')}>
        {data.groups.map((g) => (
          <li key={g._id}>
            <Anchor size="sm" fw={600} className="breakable" renderRoot={(props) => <Link {...props} to="/apps/$appId/crashes/$id" params={{ appId: app._id, id: g._id }} search={carried} />}>
              <bdi>{g.name}</bdi>
            </Anchor>
            <Text size="sm">{t('crashes.spreads', { share: format.percent(g.share), sessions: format.count(g.sessions), users: format.count(g.users) })}</Text>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Says of a group that it spreads, where it does. */
export function Spreads({ app, id }: { app: App; id: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery(velocity(app._id));
  const g = data?.groups.find((one) => one._id === id);
  if (data === undefined || g === undefined) return null;
  return (
    <Section danger title={t('crashes.spreadsNow')}>
      <Text size="sm">{t('crashes.spreadsIn', { share: format.percent(g.share), time: format.duration(data.minutes * 60), sessions: format.count(g.sessions), users: format.count(g.users) })}</Text>
    </Section>
  );
}
