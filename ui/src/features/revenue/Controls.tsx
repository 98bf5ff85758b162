import { Button, Group, Select, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { ErrorNote } from '../../components/ErrorNote';
import { grouped, type Field } from '../../components/filter/field';
import { useTime, useView } from '../../lib/useView';
import { EventChoice } from '../../parts/events/EventChoice';
import type { useEventNames } from '../../parts/events/useEventNames';
import { possibleUnits, usualUnit } from '../retention/question';
import { useSetPurchases, type Question } from './api';
import { ofPurchase, same } from './purchases';

/** What the parts of the page are given. */
export interface Shared {
  app: App;
  question: Question;
  /** The purchases of the question, and those of the app. */
  events: readonly string[];
  configured: readonly string[];
  names: ReturnType<typeof useEventNames>;
  fields: readonly Field[];
  /** Whether the reader may say what the purchases of the app are. */
  sets: boolean;
}

/** How many events may be purchases. */
const mostEvents = 50;

/** Chooses what counts as a purchase, and by which property figures are cut. */
export function Controls({ app, events, configured, names, fields, sets, lifetimes = false }: Shared & { lifetimes?: boolean }): ReactNode {
  const { t } = useTranslation();
  const [view, set] = useView();
  const { span } = useTime(app);
  const save = useSetPurchases(app._id);
  const other = !same(events, configured);
  const usable = lifetimes ? fields.filter((f) => !ofPurchase(f.path)) : fields;
  const by = lifetimes && ofPurchase(view.segment) ? '' : view.segment;
  const unlisted = by !== '' && !usable.some((f) => f.path === by);
  const unit = possibleUnits(span).find((one) => one === view.by) ?? usualUnit(span);
  return (
    <section className="card pad no-print" aria-label={t('revenue.question')}>
      <div className="retention-events">
        <EventChoice
          label={t('revenue.purchases')}
          events={[...events]}
          names={names}
          most={mostEvents}
          onChange={(next) => set({ events: next.length === 0 || same(next, configured) ? '' : JSON.stringify(next) })}
        />
        <Select
          label={t('revenue.by')}
          placeholder={t('revenue.byNothing')}
          data={[...grouped(usable, [by]), ...(unlisted ? [{ group: '', items: [{ value: by, label: by }] }] : [])]}
          value={by === '' ? null : by}
          onChange={(path) => set({ segment: path ?? '' })}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t('filters.clearOne', { what: t('revenue.by') }) }}
          nothingFoundMessage={t('filter.noProperty')}
        />
        {lifetimes && (
          <Select
            label={t('revenue.unit')}
            allowDeselect={false}
            value={unit}
            data={possibleUnits(span).map((value) => ({ value, label: t(`granularity.${value}`) }))}
            onChange={(next) => set({ by: next === null || next === usualUnit(span) ? '' : next })}
          />
        )}
      </div>
      {other && (
        <Group gap="sm" mt="sm">
          <Text size="sm" c="dimmed" className="grow">
            {t(sets ? 'revenue.otherThanSet' : 'revenue.otherThanSetReader')}
          </Text>
          <Button size="xs" variant="default" onClick={() => set({ events: '' })}>
            {t('revenue.backToSet')}
          </Button>
          {sets && (
            <Button size="xs" loading={save.isPending} onClick={() => save.mutate(events, { onSuccess: () => set({ events: '' }) })}>
              {t('revenue.saveForAll')}
            </Button>
          )}
        </Group>
      )}
      {save.error !== null && <ErrorNote error={save.error} />}
    </section>
  );
}
