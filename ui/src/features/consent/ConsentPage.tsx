import { Anchor, Badge, Group, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/Page';
import type { Column } from '../../components/table/columns';
import { Filters, FilterSelect } from '../../components/table/Filters';
import { ServerTable } from '../../components/table/ServerTable';
import { useFormat } from '../../i18n';
import { useOnly, useView } from '../../lib/useView';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { consentHistory, consentNow, features, historyFilter, sides, type ConsentChange, type Consenting } from './api';

const tabs = ['now', 'history'] as const;

/** What people consent to, now and over time. */
export function ConsentPage({ app }: { app: App }) {
  const { t } = useTranslation();
  const [view, set] = useView();
  const tab = tabs.find((one) => one === view.tab) ?? 'now';
  return (
    <Page title={t('nav.consent')} lead={t('consent.lead')}>
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(next) => set({ tab: next === null || next === 'now' ? '' : next, q: '', sort: '', page: 1, hide: '' })}
      >
        <Tabs.List mb="md" aria-label={t('nav.consent')}>
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`consent.tabs.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <div className="stack">
          <Filters>
            <FilterSelect name="feature" label={t('consent.feature')} data={features.map((value) => ({ value, label: value }))} />
            <FilterSelect name="given" label={t('consent.state')} data={(['yes', 'no'] as const).map((value) => ({ value, label: t(`consent.${value}`) }))} />
          </Filters>
          <Tabs.Panel value="now">
            <Now app={app} />
          </Tabs.Panel>
          <Tabs.Panel value="history">
            <History app={app} />
          </Tabs.Panel>
        </div>
      </Tabs>
    </Page>
  );
}

/** Features as badges; those withdrawn are struck out. */
function Consent({ of }: { of: Record<string, boolean> | undefined }) {
  const { t } = useTranslation();
  const { given, withdrawn } = sides(of);
  if (given.length + withdrawn.length === 0) {
    return (
      <Text size="sm" c="dimmed" span>
        {t('consent.unasked')}
      </Text>
    );
  }
  return (
    <Group gap={4}>
      {given.map((f) => (
        <Badge key={f} variant="default" tt="none">
          {f}
        </Badge>
      ))}
      {withdrawn.map((f) => (
        <Badge key={f} variant="default" tt="none" td="line-through" c="dimmed">
          <span className="visually-hidden">{`${t('consent.no')}: `}</span>
          {f}
        </Badge>
      ))}
    </Group>
  );
}

/** A person, who leads to its profile for those who may see it. */
function Person({ app, uid, name }: { app: App; uid: string; name: string }) {
  const member = useQuery(me).data;
  if (member === undefined || uid === '' || !may(member, app._id, 'users', 'r')) return name;
  return (
    <Anchor size="sm" className="breakable" renderRoot={(props) => <Link {...props} to="/apps/$appId/profiles/$uid" params={{ appId: app._id, uid }} />}>
      {name}
    </Anchor>
  );
}

function Now({ app }: { app: App }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [only] = useOnly();
  const nameOf = (p: Consenting) => p.name ?? p.did;
  const list = (p: Consenting, side: 'given' | 'withdrawn') => sides(p.consent)[side].join(', ');
  const columns: Column<Consenting>[] = [
    { key: 'name', title: t('profiles.person'), fixed: true, value: nameOf, text: nameOf, cell: (p) => <Person app={app} uid={p.uid} name={nameOf(p)} /> },
    { key: 'did', title: t('profiles.did'), value: (p) => p.did, text: (p) => p.did },
    { key: 'consent', title: t('consent.title'), value: (p) => list(p, 'given'), text: (p) => list(p, 'given'), cell: (p) => <Consent of={p.consent} />, sortable: false },
    { key: 'lac', title: t('profiles.lac'), short: true, value: (p) => p.lac ?? 0, text: (p) => (p.lac === undefined ? '–' : format.moment(p.lac * 1000, app.timezone)) },
  ];
  return (
    <ServerTable
      caption={t('consent.tabs.now')}
      list={consentNow(app._id, only)}
      columns={columns}
      order="-lac"
      usuallyHidden="did"
      file={`${app.name} ${t('nav.consent')}`}
      empty={t('profiles.none')}
    />
  );
}

function History({ app }: { app: App }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [only] = useOnly();
  const member = useQuery(me).data;
  const all = member !== undefined && may(member, app._id, 'users', 'r') && may(member, app._id, 'core', 'r');
  const list = (c: ConsentChange, side: 'given' | 'withdrawn') => sides(c.change)[side].join(', ');
  const columns: Column<ConsentChange>[] = [
    { key: 'ts', title: t('audit.when'), fixed: true, short: true, value: (c) => c.ts, text: (c) => format.moment(c.ts, app.timezone) },
    {
      key: 'device_id',
      title: t('profiles.did'),
      fixed: true,
      value: (c) => c.device_id,
      text: (c) => c.device_id,
      cell: (c) => <Person app={app} uid={c.uid} name={c.device_id} />,
      sortable: false,
    },
    { key: 'given', title: t('consent.yes'), value: (c) => list(c, 'given'), text: (c) => list(c, 'given'), cell: (c) => (list(c, 'given') === '' ? '–' : list(c, 'given')), sortable: false },
    {
      key: 'withdrawn',
      title: t('consent.no'),
      value: (c) => list(c, 'withdrawn'),
      text: (c) => list(c, 'withdrawn'),
      cell: (c) => (list(c, 'withdrawn') === '' ? '–' : list(c, 'withdrawn')),
      sortable: false,
    },
  ];
  return (
    <ServerTable
      caption={t('consent.tabs.history')}
      list={consentHistory(app._id, only)}
      columns={columns}
      order="-ts"
      file={`${app.name} ${t('consent.tabs.history')}`}
      empty={t('consent.none')}
      {...(all
        ? {
            // The rows themselves, since there may be more than one answer holds.
            exported: (format_: string, name: string) => ({
              path: '/o/export/db',
              params: {
                collection: 'drill_events', app_id: app._id, type: format_, filename: name, sort: { ts: -1 },
                query: { e: '[CLY]_consent', ...rowFilter(only) },
              },
            }),
          }
        : {})}
    />
  );
}

/** The filter of the history in the words of rows. */
function rowFilter(only: Record<string, string>): object {
  return Object.fromEntries(
    Object.entries(historyFilter(only)).map(([key, value]: [string, unknown]) => [
      key === 'type' ? 'sg._type' : key.replace(/^change\./, 'sg.'),
      typeof value === 'boolean' ? String(value) : value,
    ]),
  );
}
