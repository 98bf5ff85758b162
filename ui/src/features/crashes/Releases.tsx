import { Anchor, Badge, Group, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { Section } from '../../components/Section';
import { useFormat } from '../../i18n';
import { useCarried } from '../../lib/useView';
import { releases, type Changed, type ReleaseChange } from './api';
import './crashes.css';

const kinds = ['returned', 'new', 'frequent'] as const;
type Kind = (typeof kinds)[number];
const colours: Record<Kind, string> = { returned: 'orange', new: 'indigo', frequent: 'red' };

/** What a release brought: crashes that are new, that came back, and that became more frequent. */
export function Releases({ app }: { app: App }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery(releases(app._id));
  const [chosen, choose] = useState<string>();
  const release = data?.find((r) => r.version === chosen) ?? data?.[0];
  if (data === undefined || release === undefined) return null;
  const sum = (r: ReleaseChange) => r.counts.new + r.counts.returned + r.counts.frequent;
  return (
    <Section
      title={t('crashes.releases')}
      lead={release.before === '' ? t('crashes.firstRelease') : t('crashes.releaseLead', { before: release.before, sessions: format.count(release.sessions), fatal: format.count(release.fatal) })}
      actions={
        <Select
          size="xs"
          w={180}
          aria-label={t('crashes.release')}
          allowDeselect={false}
          value={release.version}
          data={data.map((r) => ({ value: r.version, label: t('crashes.releaseOf', { version: r.version, count: sum(r) }) }))}
          onChange={(version) => {
            if (version !== null) choose(version);
          }}
        />
      }
    >
      {sum(release) === 0 ? (
        <Text size="sm" c="dimmed">
          {t('crashes.nothingChanged')}
        </Text>
      ) : (
        kinds.map((kind) => <Kinds key={kind} app={app} kind={kind} list={release[kind]} all={release.counts[kind]} />)
      )}
    </Section>
  );
}

function Kinds({ app, kind, list, all }: { app: App; kind: Kind; list: readonly Changed[]; all: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const carried = useCarried();
  if (list.length === 0) return null;
  return (
    <div>
      <Badge size="sm" variant="light" color={colours[kind]} tt="none" autoContrast mb={6}>
        {t(`crashes.changes.${kind}`, { count: all })}
      </Badge>
      <ul className="crash-bars" aria-label={t(`crashes.changes.${kind}`, { count: all })}>
        {list.map((g) => (
          <li key={g._id}>
            <Group justify="space-between" gap="xs" wrap="nowrap">
              <Anchor size="sm" className="breakable" renderRoot={(props) => <Link {...props} to="/apps/$appId/crashes/$id" params={{ appId: app._id, id: g._id }} search={carried} />}>
                <bdi>{g.name}</bdi>
              </Anchor>
              <Text size="sm" c="dimmed" className="numbers">
                {kind === 'frequent' && g.ratio > 0 ? t('crashes.times', { count: g.reports, ratio: format.amount(g.ratio), reports: format.count(g.reports) }) : t('crashes.reportCount', { count: g.reports, reports: format.count(g.reports) })}
              </Text>
            </Group>
          </li>
        ))}
      </ul>
    </div>
  );
}
