import { Accordion, Anchor, Button, Group as Row, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { CopyBlock } from '../../components/CopyBlock';
import { DownloadIcon } from '../../components/icons';
import { FieldList, Section } from '../../components/Section';
import { useSaveFile } from '../../components/useSaveFile';
import { useFormat } from '../../i18n';
import { useCarried } from '../../lib/useView';
import type { Group, Report } from './api';
import { crumbsOf } from './figures';

/** How many reports are listed at first. */
const atFirst = 10;

/** The latest reports of a group, each with what it says. */
export function Reports({ app, group }: { app: App; group: Group }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [all, setAll] = useState(false);
  const [open, setOpen] = useState<string | null>(null);
  const shown = all ? group.data : group.data.slice(0, atFirst);
  const place = (r: Report) => [r.app_version, [r.os, r.os_version].filter((x) => x !== '').join(' '), r.device].filter((x) => x !== '').join(' · ');
  return (
    <Section title={t('crashes.latest')} lead={group.data.length < group.reports ? t('crashes.latestOf', { shown: format.count(group.data.length), all: format.count(group.reports) }) : undefined}>
      <Accordion variant="contained" value={open} onChange={setOpen} order={3}>
        {shown.map((r) => (
          <Accordion.Item key={r._id} value={r._id}>
            <Accordion.Control>
              <Row gap="sm" justify="space-between">
                <Text size="sm" fw={600}>
                  {format.moment(r.ts * 1000, app.timezone)}
                </Text>
                <Text size="sm" c="dimmed" className="breakable">
                  <bdi>{place(r)}</bdi>
                </Text>
              </Row>
            </Accordion.Control>
            <Accordion.Panel>{open === r._id && <OneReport app={app} group={group} report={r} />}</Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      {!all && group.data.length > atFirst && (
        <Button variant="default" className="no-print" onClick={() => setAll(true)}>
          {t('crashes.moreReports', { count: group.data.length - atFirst })}
        </Button>
      )}
    </Section>
  );
}

function OneReport({ app, group, report: r }: { app: App; group: Group; report: Report }) {
  const { t } = useTranslation();
  const carried = useCarried();
  const saveFile = useSaveFile();
  const crumbs = crumbsOf(r.logs);
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  const facts: [string, React.ReactNode][] = [
    ...(r.uid === ''
      ? []
      : [
          [
            t('crashes.user'),
            <Anchor key="user" size="sm" renderRoot={(props) => <Link {...props} to="/apps/$appId/profiles/$uid" params={{ appId: app._id, uid: r.uid }} search={carried} />}>
              {t('profiles.number', { uid: r.uid })}
            </Anchor>,
          ] as [string, React.ReactNode],
        ]),
    ...([
      [t('crashes.of.app_version'), r.app_version],
      [t('crashes.of.os_version'), [r.os, r.os_version].filter((x) => x !== '').join(' ')],
      [t('crashes.of.manufacture'), r.manufacture],
      [t('crashes.of.device'), r.device],
      ...Object.entries(r.custom).map(([name, value]): [string, string] => [name, text(value)]),
    ] satisfies [string, string][]).filter(([, value]) => value !== ''),
  ];
  const download = (what: 'stacktrace' | 'binary') => void saveFile(`/o/crashes/download_${what}`, { app_id: app._id, crash_id: r._id });
  return (
    <Stack gap="md">
      <FieldList fields={facts} />
      {crumbs.length > 0 && (
        <div>
          <Title order={4} size="sm" mb={6}>
            {t('crashes.before')}
          </Title>
          <ol className="crash-crumbs">
            {crumbs.map((line, at) => (
              <li key={at}>
                <bdi>{line}</bdi>
              </li>
            ))}
          </ol>
        </div>
      )}
      {r.error !== '' && r.error !== group.error && <CopyBlock label={t('crashes.stack')} code={r.error} />}
      <Row gap="xs" className="no-print">
        {r.error !== '' && (
          <Button size="xs" variant="default" leftSection={<DownloadIcon size={16} />} onClick={() => download('stacktrace')}>
            {t('crashes.downloadStack')}
          </Button>
        )}
        {r.binary_crash_dump && (
          <Button size="xs" variant="default" leftSection={<DownloadIcon size={16} />} onClick={() => download('binary')}>
            {t('crashes.downloadDump')}
          </Button>
        )}
      </Row>
    </Stack>
  );
}
