import { Button, MultiSelect, SegmentedControl, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyBlock } from '../../components/CopyBlock';
import { CopyLink, Page, TimePage } from '../../components/Page';
import { Section } from '../../components/Section';
import { Failed, Loading, Notice } from '../../components/States';
import { useView } from '../../lib/useView';
import { parseList } from '../../lib/view';
import { me } from '../account/api';
import { may } from '../account/rights';
import type { App } from '../apps/api';
import { eventList } from '../events/api';
import { nameOfEvent } from '../events/figures';
import { properties } from './api';
import { useFields, type Field } from './fields';
import { fromWire, nothing, toWire, type Group } from './filter';
import { FilterEditor } from './FilterEditor';
import { EventsPreview, PeoplePreview } from './Preview';
import { SavedViews, SaveView } from './SavedViews';

const mostEvents = 20;
const viewKey = '[CLY]_view';

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
      <SavedViews app={app} />
    </>
  );
  const save = <SaveView app={app} page="explore" />;
  return subject === 'events' ? (
    <TimePage app={app} title={t('nav.explore')} lead={t('explore.lead')} actions={save}>
      {body}
    </TimePage>
  ) : (
    <Page
      title={t('nav.explore')}
      lead={t('explore.lead')}
      actions={
        <div className="no-print page-actions">
          {save}
          <CopyLink />
        </div>
      }
    >
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
  const filter = useMemo(() => parseFilter(view.filter), [view.filter]);
  const [draft, edit] = useDraft(filter, fields, (next) => set({ filter: Object.keys(next).length === 0 ? '' : JSON.stringify(next) }));
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
            nothingFoundMessage={t('explore.noValue')}
          />
        )}
        {draft === undefined ? (
          <div>
            <Text size="sm" c="dimmed" mb="xs">
              {t('explore.foreign')}
            </Text>
            <Button size="compact-sm" variant="default" onClick={() => edit(nothing)}>
              {t('explore.startOver')}
            </Button>
          </div>
        ) : (
          <FilterEditor appID={app._id} zone={app.timezone} fields={fields} value={draft} onChange={edit} />
        )}
      </Section>
      {subject === 'people' ? <PeoplePreview app={app} filter={filter} /> : <EventsPreview app={app} events={events} filter={filter} />}
      <Section title={t('explore.wire')} lead={t('explore.wireHint')}>
        <CopyBlock label={t('explore.filter')} code={JSON.stringify(filter, null, 2)} />
      </Section>
    </>
  );
}

/** Reads a filter object as the URL holds it. */
function parseFilter(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

/**
 * What stands in the editor: the filter of the URL, and conditions that are not complete yet, which the URL does not
 * hold. Undefined when the filter is more than the editor can show.
 */
function useDraft(filter: object, fields: readonly Field[], publish: (filter: object) => void): [Group | undefined, (next: Group) => void] {
  const kindOf = (path: string) => fields.find((f) => f.path === path)?.kind ?? 'any';
  const text = JSON.stringify(filter);
  const [draft, setDraft] = useState(() => fromWire(filter, kindOf));
  const [of, setOf] = useState(text);
  if (of !== text) {
    // Another view was opened, or this one is what the editor just published.
    setOf(text);
    if (draft === undefined || JSON.stringify(toWire(draft)) !== text) setDraft(fromWire(filter, kindOf));
  }
  return [
    draft,
    (next) => {
      setDraft(next);
      publish(toWire(next));
    },
  ];
}
