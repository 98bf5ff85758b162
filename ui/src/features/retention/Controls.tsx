import { Button, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { Conditions } from '../../components/filter/Conditions';
import { CountBy } from '../../components/filter/CountBy';
import { grouped, type Field } from '../../components/filter/field';
import { useUnits } from '../../components/filter/useUnits';
import { useOnly, useTime, useView } from '../../lib/useView';
import { EventChoice } from '../../parts/events/EventChoice';
import type { useEventNames } from '../../parts/events/useEventNames';
import type { Question } from './api';
import { chosenEvents, eventsText, modes, mostEvents, possibleUnits, usualUnit } from './question';

/** What the parts of the page are given. */
export interface Shared {
  app: App;
  question: Question;
  names: ReturnType<typeof useEventNames>;
  fields: readonly Field[];
  /** Whether the reader may see who people are. */
  withPeople: boolean;
}

/** Chooses who belongs to a cohort, and what counts as coming back. */
export function ReportControls({ app, question, names, fields }: Shared) {
  const { t } = useTranslation();
  const [view, set] = useView();
  const [, choose] = useOnly();
  const [opened, setOpened] = useState<boolean>();
  const narrows = opened ?? view.filter !== '';
  const { start, back, by, first, mode, unit, count = '' } = question;
  const { name: units } = useUnits(count);
  return (
    <section className="card pad no-print" aria-label={t('retention.question')}>
      <Stack gap="sm">
        <div className="retention-events">
          <EventChoice label={t('retention.start', { units })} events={start} names={names} most={mostEvents} onChange={(next) => set({ events: eventsText(chosenEvents(start, next)) })} />
          <EventChoice label={t('retention.return')} events={back} names={names} most={mostEvents} onChange={(next) => choose('return', eventsText(chosenEvents(back, next)))} />
        </div>
        <div className="retention-controls">
          <Select
            label={t('retention.startType')}
            allowDeselect={false}
            value={first ? 'first' : 'recurring'}
            data={(['first', 'recurring'] as const).map((value) => ({ value, label: t(`retention.startTypes.${value}`) }))}
            onChange={(next) => choose('start', next === 'recurring' ? next : '')}
          />
          <Select
            label={t('retention.mode')}
            allowDeselect={false}
            value={mode}
            data={modes.map((value) => ({ value, label: t(`retention.modes.${unit}.${value}`) }))}
            onChange={(next) => choose('mode', next === null || next === 'on' ? '' : next)}
          />
          <UnitChoice {...{ app, question }} />
          <ByChoice fields={fields} by={by} onChange={(segment) => set({ segment })} />
          <CountBy fields={fields} count={count} onChange={(next) => choose('count', next)} />
          <Button className="retention-filter" variant={view.filter === '' ? 'default' : 'light'} aria-expanded={narrows} onClick={() => setOpened(!narrows)}>
            {t('retention.filter')}
          </Button>
        </div>
        {narrows && (
          <div role="group" aria-label={t('retention.filter')}>
            <Conditions app={app} fields={fields} filter={question.filter} onChange={(next) => set({ filter: Object.keys(next).length === 0 ? '' : JSON.stringify(next) })} />
          </div>
        )}
      </Stack>
    </section>
  );
}

/** Chooses what counts as active. */
export function ActivityControls({ app, question, names, fields }: Shared) {
  const { t } = useTranslation();
  const [, set] = useView();
  const [, choose] = useOnly();
  const { start, count = '' } = question;
  return (
    <section className="card pad no-print retention-events" aria-label={t('retention.question')}>
      <EventChoice label={t('retention.active')} events={start} names={names} most={mostEvents} onChange={(next) => set({ events: eventsText(chosenEvents(start, next)) })} />
      <UnitChoice {...{ app, question }} />
      <CountBy fields={fields} count={count} onChange={(next) => choose('count', next)} />
    </section>
  );
}

/** Chooses in what is counted. */
function UnitChoice({ app, question: { unit } }: Pick<Shared, 'app' | 'question'>) {
  const { t } = useTranslation();
  const [, set] = useView();
  const { span } = useTime(app);
  return (
    <Select
      label={t('retention.unit')}
      allowDeselect={false}
      value={unit}
      data={possibleUnits(span).map((value) => ({ value, label: t(`granularity.${value}`) }))}
      onChange={(next) => set({ by: next === null || next === usualUnit(span) ? '' : next })}
    />
  );
}

/** Chooses the property by which people are cut. */
export function ByChoice({ fields, by, onChange }: { fields: readonly Field[]; by: string; onChange: (path: string) => void }) {
  const { t } = useTranslation();
  const unlisted = by !== '' && !fields.some((f) => f.path === by);
  return (
    <Select
      label={t('retention.by')}
      placeholder={t('retention.byNothing')}
      data={[...grouped(fields, [by]), ...(unlisted ? [{ group: '', items: [{ value: by, label: by }] }] : [])]}
      value={by === '' ? null : by}
      onChange={(path) => onChange(path ?? '')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('filters.clearOne', { what: t('retention.by') }) }}
      nothingFoundMessage={t('filter.noProperty')}
    />
  );
}
