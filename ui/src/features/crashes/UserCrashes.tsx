import { Anchor, Badge, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { Section } from '../../components/Section';
import { useFormat } from '../../i18n';
import { crashesOf } from './api';
import './crashes.css';

/** How many groups of a person are shown. */
const most = 20;

/** The crashes that a person had; nothing where there are none. */
export function UserCrashes({ app, uid }: { app: App; uid: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery(crashesOf(app._id, uid));
  if (data === undefined || data.length === 0) return null;
  return (
    <Section title={t('crashes.ofUser')} lead={data.length > most ? t('crashes.ofUserLatest', { shown: format.count(most), all: format.count(data.length) }) : undefined}>
      <ul className="crash-bars" aria-label={t('crashes.ofUser')}>
        {data.slice(0, most).map((g) => (
          <li key={g.group}>
            <Group gap="xs">
              <Anchor size="sm" fw={600} className="breakable" renderRoot={(props) => <Link {...props} to="/apps/$appId/crashes/$id" params={{ appId: app._id, id: g.group }} />}>
                <bdi>{g.name === '' ? g.group : g.name}</bdi>
              </Anchor>
              {g.nonfatal === false && (
                <Badge size="sm" variant="light" color="red" tt="none" autoContrast>
                  {t('crashes.states.fatal')}
                </Badge>
              )}
            </Group>
            <Text size="sm" c="dimmed">
              {t('crashes.ofUserReports', { count: g.reports, reports: format.count(g.reports), last: format.moment(g.last * 1000, app.timezone) })}
            </Text>
          </li>
        ))}
      </ul>
    </Section>
  );
}
