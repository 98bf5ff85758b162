import { Anchor, Button, Group, Select, Tabs, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/Page';
import { Section } from '../../components/Section';
import { Notice } from '../../components/States';
import { Status } from '../../components/Status';
import type { Column } from '../../components/table/columns';
import { ServerTable } from '../../components/table/ServerTable';
import { useFormat } from '../../i18n';
import { useOnly, useView } from '../../lib/useView';
import type { App } from '../../access/apps';
import { erasures, erasureStates, findBy, subjectList, type Erasure, type Subject } from './api';
import { SubjectDetail } from './SubjectDetail';

const tabs = ['find', 'erasures'] as const;

/** Answers people who ask what is held about them: find them, hand it out, erase it. */
export function SubjectsPage({ app }: { app: App }) {
  const { t } = useTranslation();
  const [view, set] = useView();
  const tab = tabs.find((one) => one === view.tab) ?? 'find';
  return (
    <Page title={t('nav.subjects')} lead={t('subjects.lead')}>
      <Tabs value={tab} keepMounted={false} onChange={(next) => set({ tab: next === null || next === 'find' ? '' : next, q: '', sort: '', page: 1, hide: '', open: '' })}>
        <Tabs.List mb="md" aria-label={t('nav.subjects')}>
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`subjects.tabs.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="find">
          <Find app={app} />
        </Tabs.Panel>
        <Tabs.Panel value="erasures">
          <Erasures app={app} />
        </Tabs.Panel>
      </Tabs>
      {view.open !== '' && <SubjectDetail app={app} uid={view.open} onClose={() => set({ open: '' })} />}
    </Page>
  );
}

function Find({ app }: { app: App }) {
  const { t } = useTranslation();
  const [only] = useOnly();
  const [, set] = useView();
  const [text, setText] = useState(only.text ?? '');
  const [by, setBy] = useState(only.by ?? '');
  const submit = (e: SyntheticEvent) => {
    e.preventDefault();
    const wanted = text.trim();
    set({ only: wanted === '' ? '' : JSON.stringify({ text: wanted, ...(by === '' ? {} : { by }) }), page: 1, open: '' });
  };
  return (
    <div className="stack">
      <Section title={t('subjects.who')} lead={t('subjects.whoHint')}>
        <form onSubmit={submit} role="search">
          <Group align="end" gap="sm">
            <TextInput className="grow" label={t('subjects.text')} value={text} onChange={(e) => setText(e.currentTarget.value)} />
            <Select
              label={t('subjects.by')}
              allowDeselect={false}
              value={by}
              data={[{ value: '', label: t('subjects.any') }, ...findBy.map((value) => ({ value, label: t(`subjects.keys.${value}`) }))]}
              onChange={(next) => setBy(next ?? '')}
            />
            <Button type="submit" disabled={text.trim() === ''}>
              {t('subjects.find')}
            </Button>
          </Group>
        </form>
      </Section>
      {only.text !== undefined && <Found app={app} text={only.text} by={only.by} />}
    </div>
  );
}

function Found({ app, text, by }: { app: App; text: string; by: string | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [, set] = useView();
  const nameOf = (s: Subject) => s.name ?? s.email ?? s.username ?? s.did;
  const columns: Column<Subject>[] = [
    {
      key: 'name',
      title: t('profiles.person'),
      fixed: true,
      value: nameOf,
      text: nameOf,
      cell: (s) => (
        <Anchor component="button" type="button" size="sm" ta="start" className="breakable" onClick={() => set({ open: s.uid })}>
          {nameOf(s)}
        </Anchor>
      ),
    },
    { key: 'uid', title: t('subjects.keys.uid'), numeric: true, value: (s) => Number(s.uid), text: (s) => s.uid },
    { key: 'did', title: t('profiles.did'), value: (s) => s.did, text: (s) => s.did },
    { key: 'email', title: t('profiles.email'), clip: true, value: (s) => s.email ?? '', text: (s) => s.email ?? '–' },
    { key: 'lac', title: t('profiles.lac'), short: true, value: (s) => s.lac ?? 0, text: (s) => (s.lac === undefined ? '–' : format.moment(s.lac * 1000, app.timezone)) },
  ];
  return (
    <ServerTable
      caption={t('subjects.found')}
      list={subjectList(app._id, by)}
      search={text}
      columns={columns}
      order="-lac"
      file={`${app.name} ${t('nav.subjects')}`}
      empty={<Notice title={t('subjects.nobody')} text={t('subjects.nobodyHint')} />}
    />
  );
}

function Erasures({ app }: { app: App }) {
  const { t } = useTranslation();
  const format = useFormat();
  const state = (e: Erasure) => {
    const known = erasureStates.find((s) => s === e.state);
    return known === undefined ? e.state : t(`subjects.states.${known}`);
  };
  const what = (e: Erasure) =>
    Object.entries(e.held ?? {})
      .filter(([, n]) => n > 0)
      .map(([kind, n]) => `${t(`subjects.kinds.${kind as 'events'}`, { defaultValue: kind })}: ${format.count(n)}`)
      .join(', ');
  const time = (ms: number) => (ms === 0 ? '–' : format.moment(ms, app.timezone));
  const reasonOf = (e: Erasure) => (e.deletion === true ? t('subjects.deletion') : (e.reason ?? '–'));
  const columns: Column<Erasure>[] = [
    { key: 'requested', title: t('subjects.requested'), fixed: true, short: true, value: (e) => e.requested, text: (e) => time(e.requested) },
    { key: 'uids', title: t('subjects.keys.uid'), fixed: true, value: (e) => e.uids.join(', '), text: (e) => e.uids.join(', '), sortable: false },
    {
      key: 'state',
      title: t('tasks.state'),
      value: state,
      text: state,
      cell: (e) => <Status kind={e.state === 'done' ? 'good' : 'busy'}>{state(e)}</Status>,
    },
    { key: 'by', title: t('audit.member'), value: (e) => e.by, text: (e) => e.by },
    { key: 'reason', title: t('subjects.reason'), value: reasonOf, text: reasonOf, sortable: false },
    { key: 'held', title: t('subjects.was'), value: what, text: what, sortable: false },
    { key: 'done', title: t('subjects.done'), short: true, value: (e) => e.done, text: (e) => time(e.done) },
  ];
  return (
    <ServerTable
      caption={t('subjects.tabs.erasures')}
      list={erasures(app._id)}
      columns={columns}
      order="-requested"
      file={`${app.name} ${t('subjects.tabs.erasures')}`}
      empty={t('subjects.noErasures')}
      every={(rows: readonly Erasure[]) => (rows.some((e) => e.state !== 'done') ? 2000 : false)}
    />
  );
}
