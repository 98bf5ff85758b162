import { ActionIcon, Button, Checkbox, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../../components/form/FormDialog';
import { Conditions } from '../../components/filter/Conditions';
import { PlusIcon, TrashIcon } from '../../components/icons';
import { toasts } from '../../components/toasts';
import { useFormat } from '../../i18n';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { messageOf } from '../../api/client';
import { EventChoice } from '../../parts/events/EventChoice';
import { useEventNames } from '../../parts/events/useEventNames';
import { useFields } from '../../parts/filters/fields';
import { definedPrefix, partsOf, preview, useSaveDefined, type Defined, type Part } from '../../parts/events/defined';
import { UsedBy } from './UsedBy';

/** Makes a defined event, or changes one. */
export function DefinedForm({ app, defined, onClose }: { app: App; defined: Defined | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const save = useSaveDefined(app._id);
  const [name, setName] = useState(defined?.name ?? '');
  const [description, setDescription] = useState(defined?.description ?? '');
  const [hide, setHide] = useState(defined?.hide ?? false);
  const [parts, setParts] = useState<Part[]>(() => (defined === undefined ? [{ event: '', query: {} }] : partsOf(defined)));
  const names = useChoice(app._id);
  const member = useQuery(me).data;
  const withPeople = member !== undefined && may(member, app._id, 'users', 'r');
  const events = useMemo(() => parts.filter((p) => p.event !== ''), [parts]);
  const [asked] = useDebouncedValue(events, 400);
  const figures = useQuery({ ...preview(app._id, asked), enabled: asked.length > 0 && member !== undefined && may(member, app._id, 'drill', 'r') });
  const put = (i: number, part: Part | undefined) => setParts((list) => list.flatMap((p, j) => (j !== i ? [p] : part === undefined ? [] : [part])));
  const submit = () =>
    save.mutate(
      { ...(defined === undefined ? {} : { _id: defined._id }), name: name.trim(), description: description.trim(), hide, events },
      {
        onSuccess: () => {
          toasts.show(t('app.saved'));
          onClose();
        },
      },
    );
  return (
    <FormDialog
      size="lg"
      title={t(defined === undefined ? 'defined.add' : 'defined.edit')}
      pending={save.isPending}
      error={save.error}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput data-autofocus required label={t('defined.name')} maxLength={200} value={name} onChange={(e) => setName(e.currentTarget.value)} />
      <Stack gap="md">
        {parts.map((part, i) => (
          <PartEditor
            key={i}
            app={app}
            label={t(i === 0 ? 'defined.event' : 'defined.orEvent', { no: i + 1 })}
            part={part}
            names={names}
            withPeople={withPeople}
            onChange={(next) => put(i, next)}
            onRemove={parts.length === 1 ? undefined : () => put(i, undefined)}
          />
        ))}
      </Stack>
      <Group>
        <Button size="compact-sm" variant="subtle" leftSection={<PlusIcon size={16} />} disabled={parts.length >= 50} onClick={() => setParts((list) => [...list, { event: '', query: {} }])}>
          {t('defined.addEvent')}
        </Button>
      </Group>
      <Text size="sm" c="dimmed" role="status">
        {figures.data !== undefined && events.length > 0
          ? t('defined.figures', { times: format.count(figures.data.t), people: format.count(figures.data.u) })
          : figures.error === null
            ? ' '
            : messageOf(figures.error)}
      </Text>
      {defined !== undefined && <UsedBy appID={app._id} event={defined._id} />}
      <Checkbox label={t('defined.hide')} description={t('defined.hideHint')} checked={hide} onChange={(e) => setHide(e.currentTarget.checked)} />
      <Textarea label={t('events.desc')} maxLength={2000} autosize minRows={2} value={description} onChange={(e) => setDescription(e.currentTarget.value)} />
    </FormDialog>
  );
}

/** The events that a definition may be made of: neither groups nor definitions. */
function useChoice(appID: string): ReturnType<typeof useEventNames> {
  const { nameOf, options } = useEventNames(appID);
  return useMemo(() => {
    const plain = options.map(({ group, items }) => ({ group, items: items.filter(({ value }) => !value.startsWith(definedPrefix) && !value.startsWith('[CLY]_group_')) }));
    return { nameOf, options: plain.filter(({ items }) => items.length > 0) };
  }, [nameOf, options]);
}

interface PartProps {
  app: App;
  label: string;
  part: Part;
  names: ReturnType<typeof useEventNames>;
  withPeople: boolean;
  onChange: (part: Part) => void;
  onRemove: (() => void) | undefined;
}

function PartEditor({ app, label, part, names, withPeople, onChange, onRemove }: PartProps) {
  const { t } = useTranslation();
  const keys = useMemo(() => (part.event === '' ? [] : [part.event]), [part.event]);
  const fields = useFields(app._id, 'events', keys, withPeople);
  return (
    <div>
      <Group gap="xs" align="end" wrap="nowrap" mb="xs">
        <div className="grow">
          <EventChoice label={label} events={keys} names={names} most={1} onChange={([event = '']) => onChange({ event, query: {} })} />
        </div>
        {onRemove !== undefined && (
          <ActionIcon variant="default" size={36} aria-label={t('funnels.remove', { what: label })} onClick={onRemove}>
            <TrashIcon size={18} />
          </ActionIcon>
        )}
      </Group>
      {part.event !== '' && <Conditions app={app} fields={fields} filter={part.query} onChange={(query) => onChange({ ...part, query: Object.fromEntries(Object.entries(query)) })} />}
    </div>
  );
}
