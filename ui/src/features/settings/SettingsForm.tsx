import { Button, Group, NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core';
import { useState, type ReactNode, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../components/Section';
import { ErrorNote } from '../../components/ErrorNote';
import { useFormat } from '../../i18n';
import type { Value, Values } from './api';
import { changed, faultOf, keyOf, type Field } from './values';

interface Props {
  groups: readonly [string, Field[]][];
  pending: boolean;
  error: unknown;
  onSave: (change: Values, done: () => void) => void;
  /** What stands below a field. */
  below?: (field: Field) => ReactNode;
}

/** Settings as a form, held to their bounds before they are sent. */
export function SettingsForm({ groups, pending, error, onSave, below }: Props) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<Readonly<Record<string, Value>>>({});
  const fields = groups.flatMap(([, list]) => list);
  const change = changed(fields, draft);
  const dirty = Object.keys(change).length > 0;
  const wrong = fields.some((f) => faultOf(f, draft[keyOf(f)] ?? f.value) !== undefined);
  const submit = (e: SyntheticEvent) => {
    e.preventDefault();
    if (dirty && !wrong) onSave(change, () => setDraft({}));
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {error !== null && <ErrorNote error={error} />}
        {groups.map(([namespace, list]) => (
          <Section key={namespace} title={t(`configs.groups.${namespace}` as 'configs.groups.api', { defaultValue: namespace })}>
            {list.map((f) => (
              <div key={f.name}>
                <Control field={f} value={draft[keyOf(f)] ?? f.value} onChange={(value) => setDraft({ ...draft, [keyOf(f)]: value })} />
                {below?.(f)}
              </div>
            ))}
          </Section>
        ))}
        <Group className="save-bar" data-changed={dirty}>
          <Button type="submit" disabled={!dirty || wrong} loading={pending}>
            {t('app.save')}
          </Button>
          {dirty && (
            <Button variant="default" onClick={() => setDraft({})}>
              {t('configs.undo')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

function Control({ field: f, value, onChange }: { field: Field; value: Value; onChange: (value: Value) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const key = keyOf(f);
  // What has no name of ours goes by its own.
  const label = t(`configs.names.${key}` as 'configs.names.api.event_limit', { defaultValue: key.replaceAll('_', ' ') });
  const hint = t(`configs.hints.${f.namespace}.${f.name}` as 'configs.hints.api.event_limit', { defaultValue: '' });
  const description = hint === '' ? undefined : hint;
  switch (f.type) {
    case 'bool':
      return <Switch label={label} description={description} checked={value === true} onChange={(e) => onChange(e.currentTarget.checked)} />;
    case 'number': {
      const fault = faultOf(f, value);
      const range =
        f.max > 0
          ? t('configs.range', { min: format.count(f.min), max: format.count(f.max) })
          : t('configs.atLeast', { min: format.count(f.min) });
      return (
        <NumberInput
          label={label}
          description={description}
          maw={320}
          value={typeof value === 'number' ? value : ''}
          onChange={(next) => onChange(typeof next === 'number' ? next : '')}
          error={fault === undefined ? undefined : range}
          hideControls
        />
      );
    }
    case 'text':
      if (f.one_of !== undefined) {
        return (
          <Select
            label={label}
            description={description}
            maw={320}
            allowDeselect={false}
            value={String(value)}
            data={f.one_of.map((one) => ({ value: one, label: t(`configs.choices.${one === '' ? 'none' : one}` as 'configs.choices.none', { defaultValue: one }) }))}
            onChange={(next) => next !== null && onChange(next)}
          />
        );
      }
      return <TextInput label={label} description={description} maw={480} value={String(value)} onChange={(e) => onChange(e.currentTarget.value)} />;
  }
}
