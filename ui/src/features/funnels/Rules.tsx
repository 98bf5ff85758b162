import { ActionIcon, Button, Group, MultiSelect, NumberInput, Radio, Select, Stack, Switch, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { Conditions } from '../../components/filter/Conditions';
import { grouped, type Field } from '../../components/filter/field';
import { PlusIcon, TrashIcon } from '../../components/icons';
import { Section } from '../../components/Section';
import { EventChoice } from '../../parts/events/EventChoice';
import type { useEventNames } from '../../parts/events/useEventNames';
import { useFields } from '../../parts/filters/fields';
import { orders } from './api';
import { most, ordered, units, type Draft, type DraftExclusion, type Unit } from './draft';

interface Props {
  app: App;
  draft: Draft;
  names: ReturnType<typeof useEventNames>;
  /** Properties of all steps. */
  fields: readonly Field[];
  withPeople: boolean;
  onChange: (change: Partial<Draft>) => void;
}

/** What holds for a funnel as a whole: order, time, what must not happen and what must stay the same. */
export function Rules({ app, draft, names, fields, withPeople, onChange }: Props) {
  const { t } = useTranslation();
  const { window, exclusions } = draft;
  const unlisted = draft.hold.filter((path) => !fields.some((f) => f.path === path)).map((path) => ({ group: '', items: [{ value: path, label: path }] }));
  const put = (i: number, next: DraftExclusion | undefined) =>
    onChange({ exclusions: exclusions.flatMap((x, j) => (j !== i ? [x] : next === undefined ? [] : [next])) });
  return (
    <Section title={t('funnels.rules')}>
      <Radio.Group label={t('funnels.order')} value={draft.order} onChange={(order) => onChange(ordered(draft, orders.find((o) => o === order) ?? 'sequential'))}>
        <Stack gap="xs" mt={6}>
          {orders.map((order) => (
            <Radio key={order} value={order} label={t(`funnels.orders.${order}`)} description={t(`funnels.ordersHint.${order}`)} />
          ))}
        </Stack>
      </Radio.Group>
      <Switch label={t('funnels.sameSession')} checked={draft.sameSession} onChange={(e) => onChange({ sameSession: e.currentTarget.checked })} />
      <div>
        <Switch
          label={t('funnels.limited')}
          description={t('funnels.limitedHint')}
          checked={window !== undefined}
          onChange={(e) => onChange({ window: e.currentTarget.checked ? { amount: 7, unit: 'days' } : undefined })}
        />
        {window !== undefined && (
          <Group gap="xs" mt="xs">
            <NumberInput
              w={110}
              aria-label={t('funnels.window')}
              min={1}
              max={most.window / units[window.unit]}
              allowDecimal={false}
              allowNegative={false}
              value={window.amount ?? ''}
              onChange={(n) => onChange({ window: { ...window, amount: typeof n === 'number' ? n : undefined } })}
            />
            <Select
              w={150}
              aria-label={t('funnels.windowUnit')}
              allowDeselect={false}
              value={window.unit}
              data={(Object.keys(units) as Unit[]).map((value) => ({ value, label: t(`funnels.unit.${value}`) }))}
              onChange={(unit) => unit !== null && onChange({ window: { ...window, unit } })}
            />
          </Group>
        )}
      </div>
      <Switch label={t('funnels.repeat')} description={t('funnels.repeatHint')} checked={draft.repeat} onChange={(e) => onChange({ repeat: e.currentTarget.checked })} />
      <MultiSelect
        label={t('funnels.hold')}
        description={t('funnels.holdHint')}
        data={[...grouped(fields, draft.hold), ...unlisted]}
        value={draft.hold}
        onChange={(hold) => onChange({ hold })}
        maxValues={most.hold}
        searchable
        nothingFoundMessage={t('filter.noProperty')}
      />
      <Stack gap="sm" role="group" aria-label={t('funnels.exclusions')}>
        <div>
          <Text size="sm" fw={600}>
            {t('funnels.exclusions')}
          </Text>
          <Text size="xs" c="dimmed">
            {t('funnels.exclusionsHint')}
          </Text>
        </div>
        {exclusions.map((exclusion, i) => (
          <ExclusionEditor key={i} app={app} no={i + 1} draft={draft} exclusion={exclusion} names={names} withPeople={withPeople} onChange={(next) => put(i, next)} onRemove={() => put(i, undefined)} />
        ))}
        {exclusions.length < most.exclusions && (
          <div>
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<PlusIcon size={16} />}
              onClick={() => onChange({ exclusions: [...exclusions, { event: '', filter: {}, from: undefined, to: undefined }] })}
            >
              {t('funnels.addExclusion')}
            </Button>
          </div>
        )}
      </Stack>
    </Section>
  );
}

interface ExclusionProps {
  app: App;
  no: number;
  draft: Draft;
  exclusion: DraftExclusion;
  names: ReturnType<typeof useEventNames>;
  withPeople: boolean;
  onChange: (next: DraftExclusion) => void;
  onRemove: () => void;
}

/** An event that must not happen between two steps. */
function ExclusionEditor({ app, no, draft, exclusion, names, withPeople, onChange, onRemove }: ExclusionProps) {
  const { t } = useTranslation();
  const { event, filter, from, to } = exclusion;
  const fields = useFields(app._id, 'events', event === '' ? [] : [event], withPeople);
  const last = draft.steps.at(-1)?.no;
  const first = draft.steps[0]?.no;
  const steps = draft.steps.map((s, i) => ({
    value: String(s.no),
    label: `${i + 1}. ${s.alternatives.flatMap((a) => a.events).map(names.nameOf).join(' / ')}`,
  }));
  return (
    <fieldset className="step-card">
      <legend>{t('funnels.exclusion', { no })}</legend>
      <Group gap="xs" align="end">
        <div className="grow">
          <EventChoice
            label={t('funnels.exclusionEvent', { no })}
            events={event === '' ? [] : [event]}
            names={names}
            onChange={(keys) => onChange({ ...exclusion, event: keys.at(-1) ?? '' })}
            most={2}
          />
        </div>
        <Select
          label={t('funnels.after')}
          allowDeselect={false}
          data={steps.slice(0, -1)}
          value={String(from ?? first)}
          onChange={(value) => onChange({ ...exclusion, from: Number(value) === first ? undefined : Number(value) })}
        />
        <Select
          label={t('funnels.until')}
          allowDeselect={false}
          data={steps.slice(1)}
          value={String(to ?? last)}
          onChange={(value) => onChange({ ...exclusion, to: Number(value) === last ? undefined : Number(value) })}
        />
        <ActionIcon variant="default" size={36} aria-label={t('funnels.removeExclusion', { no })} onClick={onRemove}>
          <TrashIcon size={18} />
        </ActionIcon>
      </Group>
      {event !== '' && (
        <div className="pad">
          <Conditions app={app} fields={fields} filter={filter} onChange={(next) => onChange({ ...exclusion, filter: next })} />
        </div>
      )}
    </fieldset>
  );
}
