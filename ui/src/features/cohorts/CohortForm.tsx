import { ActionIcon, Button, Checkbox, Group, NumberInput, SegmentedControl, Select, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { messageOf } from '../../api/client';
import { Conditions } from '../../components/filter/Conditions';
import { Form } from '../../components/form/Form';
import { PlusIcon, TrashIcon } from '../../components/icons';
import { Section } from '../../components/Section';
import { toasts } from '../../components/toasts';
import { useFormat } from '../../i18n';
import { EventChoice } from '../../parts/events/EventChoice';
import { useEventNames } from '../../parts/events/useEventNames';
import { useFields } from '../../parts/filters/fields';
import { kinds, preview, useSaveCohort } from '../../parts/cohorts/api';
import { bounds, conditionsOf, conjs, daysOf, isAsking, isBefore, longest, newRule, toSent, unitNames, units, type Bound, type Draft, type Rule } from './draft';
import './cohorts.css';

/** How many conditions on what people did a cohort has at most. */
const mostRules = 20;

interface Props {
  app: App;
  /** What the form begins with. */
  draft: Draft;
  /** The cohort that is changed; a new one when undefined. */
  id: string | undefined;
  onDone: (id: string) => void;
  onCancel: () => void;
}

/** Makes a cohort, or changes one. */
export function CohortForm({ app, draft: begun, id, onDone, onCancel }: Props): ReactNode {
  const { t } = useTranslation();
  const member = useQuery(me).data;
  const [draft, setDraft] = useState(begun);
  const save = useSaveCohort(app._id);
  const withPeople = member !== undefined && may(member, app._id, 'users', 'r');
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const conditions = useMemo(() => conditionsOf(draft), [draft]);
  const ready = draft.name.trim() !== '' && (draft.type === 'manual' || isAsking(conditions));
  const submit = () =>
    save.mutate(
      { id, sent: toSent(draft) },
      {
        onSuccess: ({ result, duplicate }) => {
          toasts.show(t(duplicate ? 'cohorts.duplicate' : 'cohorts.saved'));
          onDone(result);
        },
      },
    );
  return (
    <Form pending={save.isPending} error={save.error} ready={ready} onSubmit={submit} onCancel={onCancel} ownChecks>
      <Section title={t('cohorts.about')}>
        <TextInput required label={t('cohorts.name')} maxLength={200} value={draft.name} onChange={(e) => change({ name: e.currentTarget.value })} />
        <Textarea label={t('cohorts.description')} autosize minRows={1} maxLength={2000} value={draft.description} onChange={(e) => change({ description: e.currentTarget.value })} />
        <Checkbox label={t('cohorts.private')} description={t('cohorts.privateHint')} checked={draft.isPrivate} onChange={(e) => change({ isPrivate: e.currentTarget.checked })} />
        {draft.isPrivate && <TagsInput label={t('cohorts.shared')} placeholder={t('cohorts.sharedHint')} value={draft.shared} onChange={(shared) => change({ shared })} />}
      </Section>
      {draft.type === 'auto' && (
        <>
          <Behaviour app={app} rules={draft.rules} withPeople={withPeople} onChange={(rules) => change({ rules })} />
          {withPeople && <People app={app} filter={draft.people} onChange={(people) => change({ people })} />}
          <Count app={app} conditions={conditions} />
        </>
      )}
    </Form>
  );
}

/** What people did or did not. */
function Behaviour({ app, rules, withPeople, onChange }: { app: App; rules: readonly Rule[]; withPeople: boolean; onChange: (rules: Rule[]) => void }): ReactNode {
  const { t } = useTranslation();
  const names = useEventNames(app._id);
  const put = (i: number, rule: Rule | undefined) => onChange(rules.flatMap((r, j) => (j !== i ? [r] : rule === undefined ? [] : [rule])));
  return (
    <Section title={t('cohorts.behaviour')} lead={t('cohorts.behaviourHint')}>
      <Stack gap="sm">
        {rules.map((rule, i) => (
          <RuleEditor key={i} app={app} no={i + 1} rule={rule} before={isBefore(rules, i)} names={names} withPeople={withPeople} onChange={(next) => put(i, next)} onRemove={() => put(i, undefined)} />
        ))}
      </Stack>
      <Group>
        <Button size="compact-sm" variant="default" leftSection={<PlusIcon size={16} />} disabled={rules.length >= mostRules} onClick={() => onChange([...rules, newRule])}>
          {t('cohorts.addRule')}
        </Button>
      </Group>
    </Section>
  );
}

interface RuleProps {
  app: App;
  /** From 1. */
  no: number;
  rule: Rule;
  /** Whether that of the next one is behind it. */
  before: boolean;
  names: ReturnType<typeof useEventNames>;
  withPeople: boolean;
  onChange: (rule: Rule) => void;
  onRemove: () => void;
}

function RuleEditor({ app, no, rule, before, names, withPeople, onChange, onRemove }: RuleProps): ReactNode {
  const { t } = useTranslation();
  const events = useMemo(() => (rule.event === '' ? [] : [rule.event]), [rule.event]);
  const fields = useFields(app._id, 'events', events, withPeople);
  const days = daysOf(rule.period);
  const then = no > 1 && rule.conj === 'then';
  const ordered = then || before;
  const change = (part: Partial<Rule>) => onChange({ ...rule, ...part });
  return (
    <fieldset className="cohort-rule" aria-label={t('cohorts.rule', { no })}>
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          {no === 1 ? (
            <Text size="sm" fw={600}>
              {t('cohorts.rule', { no })}
            </Text>
          ) : (
            <SegmentedControl
              size="xs"
              aria-label={t('cohorts.combine', { no })}
              value={rule.conj}
              onChange={(value) => change({ conj: conjs.find((c) => c === value) ?? 'and' })}
              data={conjs.map((value) => ({ value, label: t(`cohorts.${value}`) }))}
            />
          )}
          <ActionIcon variant="default" size={32} aria-label={t('cohorts.removeRule', { no })} onClick={onRemove}>
            <TrashIcon size={16} />
          </ActionIcon>
        </Group>
        <div className="cohort-choices">
          {then && (
            <Group gap="xs" align="flex-end" wrap="nowrap">
              <NumberInput
                label={t('cohorts.within')}
                min={1}
                max={longest / units[rule.within.unit]}
                allowDecimal={false}
                value={rule.within.amount}
                onChange={(n) => change({ within: { ...rule.within, amount: typeof n === 'number' ? n : 1 } })}
              />
              <Select
                aria-label={t('cohorts.unit')}
                allowDeselect={false}
                value={rule.within.unit}
                data={unitNames.map((value) => ({ value, label: t(`cohorts.units.${value}`) }))}
                onChange={(value) => change({ within: { ...rule.within, unit: unitNames.find((u) => u === value) ?? 'days' } })}
              />
            </Group>
          )}
          {!before && (
            <Select
              label={t('cohorts.kind')}
              data={kinds.filter((kind) => !then || kind !== 'first').map((kind) => ({ value: kind, label: t(`cohorts.kinds.${kind}`) }))}
              value={then && rule.type === 'first' ? 'did' : rule.type}
              allowDeselect={false}
              onChange={(value) => change({ type: kinds.find((k) => k === value) ?? 'did' })}
            />
          )}
          <EventChoice label={t('cohorts.event')} events={events} names={names} most={1} onChange={([event = '']) => change({ event, filter: {} })} />
          {!ordered && rule.type === 'did' && (
            <Select
              label={t('cohorts.bound')}
              data={bounds.map((bound) => ({ value: bound, label: t(`cohorts.bounds.${bound}`) }))}
              value={rule.bound}
              allowDeselect={false}
              onChange={(value) => change({ bound: bounds.find((b) => b === value) ?? ('least' satisfies Bound) })}
            />
          )}
          {!ordered && rule.type !== 'first' && (
            <NumberInput
              label={t(rule.type === 'didnt' ? 'cohorts.notTimes' : 'cohorts.times')}
              min={1}
              allowDecimal={false}
              value={rule.times}
              onChange={(n) => change({ times: typeof n === 'number' ? n : 1 })}
            />
          )}
          {before ? null : days === undefined ? (
            <TextInput label={t('cohorts.period')} readOnly value={rule.period} />
          ) : (
            <NumberInput
              label={t('cohorts.days')}
              placeholder={t('cohorts.ever')}
              min={0}
              max={3650}
              allowDecimal={false}
              value={days === 0 ? '' : days}
              onChange={(n) => change({ period: `${typeof n === 'number' ? n : 0}days` })}
            />
          )}
        </div>
        {rule.event !== '' && <Conditions app={app} fields={fields} filter={rule.filter} onChange={(filter) => change({ filter })} />}
      </Stack>
    </fieldset>
  );
}

/** Who people are, as they are now. */
function People({ app, filter, onChange }: { app: App; filter: object; onChange: (filter: object) => void }): ReactNode {
  const { t } = useTranslation();
  const fields = useFields(app._id, 'people', none, true);
  return (
    <Section title={t('cohorts.people')} lead={t('cohorts.peopleHint')}>
      <Conditions app={app} fields={fields} filter={filter} onChange={onChange} />
    </Section>
  );
}

const none: readonly string[] = [];

/** How many people the conditions select now. */
function Count({ app, conditions }: { app: App; conditions: ReturnType<typeof conditionsOf> }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const [asked] = useDebouncedValue(conditions, 400);
  const found = useQuery({ ...preview(app._id, asked), enabled: isAsking(asked), placeholderData: (before) => before });
  return (
    <Text role="status" fw={600}>
      {!isAsking(conditions)
        ? t('cohorts.choose')
        : found.error !== null
          ? messageOf(found.error)
          : found.data === undefined
            ? t('state.loading')
            : t('cohorts.matches', { count: found.data.users, number: format.count(found.data.users), total: format.count(found.data.of), share: format.percent(found.data.of === 0 ? 0 : found.data.users / found.data.of) })}
    </Text>
  );
}
