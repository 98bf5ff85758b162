import { ActionIcon, Button, Checkbox, Group, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { Conditions } from '../../components/filter/Conditions';
import { ChevronIcon, PlusIcon, TrashIcon } from '../../components/icons';
import { EventChoice } from '../../parts/events/EventChoice';
import type { useEventNames } from '../../parts/events/useEventNames';
import { useFields } from '../../parts/filters/fields';
import { noAlternative, type Alternative, type DraftStep } from './draft';

interface Props {
  app: App;
  /** From 1. */
  no: number;
  step: DraftStep;
  names: ReturnType<typeof useEventNames>;
  withPeople: boolean;
  /** Whether the step lies between others, so that it may be skipped. */
  inner: boolean;
  /** Whether steps may keep their place, and this one does. */
  anchor: boolean | undefined;
  onChange: (step: DraftStep) => void;
  /** Moves the step; absent where it can go no further. */
  onUp: (() => void) | undefined;
  onDown: (() => void) | undefined;
  onRemove: (() => void) | undefined;
}

/** One step of a funnel: its events with their conditions, and whether it may be skipped. */
export function StepEditor({ app, no, step, names, withPeople, inner, anchor, onChange, onUp, onDown, onRemove }: Props) {
  const { t } = useTranslation();
  const { alternatives } = step;
  const put = (i: number, next: Alternative | undefined) =>
    onChange({ ...step, alternatives: alternatives.flatMap((a, j) => (j !== i ? [a] : next === undefined ? [] : [next])) });
  return (
    <fieldset className="step-card">
      <legend>{t('funnels.step', { no })}</legend>
      <Stack gap="sm">
        {alternatives.map((alternative, i) => (
          <AlternativeEditor
            key={i}
            app={app}
            label={i === 0 ? t('funnels.stepEvents', { no }) : t('funnels.orEvents', { no, other: i + 1 })}
            alternative={alternative}
            names={names}
            withPeople={withPeople}
            onChange={(next) => put(i, next)}
            onRemove={i === 0 ? undefined : () => put(i, undefined)}
          />
        ))}
        <Group justify="space-between" gap="xs">
          <Group gap="md">
            <Button className="wraps" size="compact-sm" variant="subtle" leftSection={<PlusIcon size={16} />} onClick={() => onChange({ ...step, alternatives: [...alternatives, noAlternative] })}>
              {t('funnels.addAlternative')}
            </Button>
            {anchor !== undefined && <Checkbox label={t('funnels.keepsPlace')} checked={anchor} onChange={(e) => onChange({ ...step, anchor: e.currentTarget.checked })} />}
            {inner && anchor === undefined && <Checkbox label={t('funnels.mayBeSkipped')} checked={step.optional} onChange={(e) => onChange({ ...step, optional: e.currentTarget.checked })} />}
          </Group>
          <Group gap={6}>
            <ActionIcon variant="default" size={32} aria-label={t('funnels.up', { no })} disabled={onUp === undefined} onClick={onUp}>
              <span className="turn-up">
                <ChevronIcon size={16} />
              </span>
            </ActionIcon>
            <ActionIcon variant="default" size={32} aria-label={t('funnels.down', { no })} disabled={onDown === undefined} onClick={onDown}>
              <span className="turn-down">
                <ChevronIcon size={16} />
              </span>
            </ActionIcon>
            <ActionIcon variant="default" size={32} aria-label={t('funnels.removeStep', { no })} disabled={onRemove === undefined} onClick={onRemove}>
              <TrashIcon size={16} />
            </ActionIcon>
          </Group>
        </Group>
      </Stack>
    </fieldset>
  );
}

interface AlternativeProps {
  app: App;
  label: string;
  alternative: Alternative;
  names: ReturnType<typeof useEventNames>;
  withPeople: boolean;
  onChange: (next: Alternative) => void;
  onRemove?: (() => void) | undefined;
}

/** Events of which any will do, and conditions on them. */
function AlternativeEditor({ app, label, alternative, names, withPeople, onChange, onRemove }: AlternativeProps) {
  const { t } = useTranslation();
  const fields = useFields(app._id, 'events', alternative.events, withPeople);
  return (
    <div className={onRemove === undefined ? undefined : 'step-other'}>
      <Group gap="xs" align="end" wrap="nowrap" mb="xs">
        <div className="grow">
          <EventChoice label={label} events={alternative.events} names={names} onChange={(events) => onChange({ ...alternative, events })} />
        </div>
        {onRemove !== undefined && (
          <ActionIcon variant="default" size={36} aria-label={t('funnels.remove', { what: label })} onClick={onRemove}>
            <TrashIcon size={18} />
          </ActionIcon>
        )}
      </Group>
      {alternative.events.length > 0 && <Conditions app={app} fields={fields} filter={alternative.filter} onChange={(filter) => onChange({ ...alternative, filter })} />}
    </div>
  );
}
