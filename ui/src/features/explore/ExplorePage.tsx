import { MultiSelect, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyBlock } from '../../components/CopyBlock';
import { Conditions } from '../../components/filter/Conditions';
import { readFilter } from '../../components/filter/filter';
import { Page, TimePage } from '../../components/Page';
import { Section } from '../../components/Section';
import { Failed, Loading, Notice } from '../../components/States';
import { viewKey } from '../../lib/segments';
import { useView } from '../../lib/useView';
import { parseList } from '../../lib/view';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { eventList } from '../events/api';
import { nameOfEvent } from '../events/figures';
import { properties } from './api';
import { useFields } from './fields';
import { EventsPreview, PeoplePreview } from './Preview';
import { SavedViews, SaveView } from './SavedViews';

const mostEvents = 20;

type Subject = 'people' | 'events';

/** Questions that people put together: of whom, or of what, with which conditions. */
export function ExplorePage({ app }: { app: App }) {
  const { t } = useTranslation();
  const [view, set] = useView();
  const member = useQuery(me).data;
  const known = useQuery(properties(app._id));
  if (known.error !== null && known.data === undefined) return <Failed error={known.error} retry={() => void known.refetch()} />;
  if (member === undefined || known.data === undefined) return <Loading />;
  const subjects = ([['people', 'users'], ['events', 'events']] as const).flatMap(([s, feature]) => (may(member, app._id, feature, 'r') ? [s] : []));
  const subject: Subject | undefined = subjects.find((s) => s === view.tab) ?? subjects[0];
  if (subject === undefined) return <Notice level={1} title={t('state.forbidden')} text={t('state.forbiddenHint', { feature: 'users' })} />;
  const switcher = subjects.length > 1 && (
    <SegmentedControl
      aria-label={t('explore.subject')}
      value={subject}
      onChange={(s) => set({ tab: s === 'people' ? '' : s, filter: '', events: '' })}
      data={subjects.map((s) => ({ value: s, label: t(`explore.${s}`) }))}
    />
  );
  const body = (
    <>
      {switcher !== false && <div>{switcher}</div>}
      <Builder key={subject} app={app} subject={subject} withPeople={subjects.includes('people')} />
    </>
  );
  const save = <SaveView app={app} page="explore" />;
  return subject === 'events' ? (
    <TimePage app={app} title={t('nav.explore')} lead={t('explore.lead')} actions={save}>
      {body}
    </TimePage>
  ) : (
    <Page title={t('nav.explore')} lead={t('explore.lead')} actions={save}>
      {body}
    </Page>
  );
}

function Builder({ app, subject, withPeople }: { app: App; subject: Subject; withPeople: boolean }) {
  const { t } = useTranslation();
  const [view, set] = useView();
  const list = useQuery(eventList(app._id)).data;
  const known = useQuery(properties(app._id)).data;
  const events = useMemo(() => parseList(view.events), [view.events]);
  const fields = useFields(app._id, subject, events, withPeople);
  const filter = useMemo(() => readFilter(view.filter) ?? {}, [view.filter]);
  return (
    <>
      <Section title={t('explore.conditions')} lead={subject === 'people' ? t('explore.peopleHint') : t('explore.eventsHint')}>
        {subject === 'events' && (
          <MultiSelect
            label={t('nav.events')}
            placeholder={events.length === 0 ? t('explore.chooseEvents') : ''}
            data={(known?.events ?? []).map((e) => ({ value: e.key, label: e.key === viewKey ? t('explore.viewEvent') : nameOfEvent(e.key, list) }))}
            value={events}
            onChange={(keys) => set({ events: keys.length === 0 ? '' : JSON.stringify(keys) })}
            searchable
            maxValues={mostEvents}
            nothingFoundMessage={t('filter.noValue')}
          />
        )}
        <Conditions app={app} fields={fields} filter={filter} onChange={(next) => set({ filter: Object.keys(next).length === 0 ? '' : JSON.stringify(next) })} />
      </Section>
      {subject === 'people' ? <PeoplePreview app={app} filter={filter} /> : <EventsPreview app={app} events={events} filter={filter} />}
      <SavedViews app={app} />
      <Section title={t('explore.wire')} lead={t('explore.wireHint')}>
        <CopyBlock label={t('explore.filter')} code={JSON.stringify(filter, null, 2)} />
      </Section>
    </>
  );
}
