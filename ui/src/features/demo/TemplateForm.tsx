import { Accordion, MultiSelect, NumberInput, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../../components/form/FormDialog';
import { toasts } from '../../components/toasts';
import type { App } from '../../access/apps';
import { useSaveTemplate, type Template, type TemplateFields } from '../../parts/demo/api';
import { parseJSON, writeJSON } from '../../parts/demo/shipped';

const platforms = ['Mobile', 'Web', 'Desktop', 'Android', 'iOS', 'Windows', 'macOS', 'Linux'];

/** The parts of a template that are written as JSON. */
const parts = [
  ['events', 'list'],
  ['views', 'list'],
  ['sequences', 'list'],
  ['users', 'list'],
  ['behavior', 'object'],
] as const;
type Part = (typeof parts)[number][0];

interface Props {
  app: App;
  /** What it begins with. */
  from: Template;
  /** Whether that one is changed, or a new one is made of it. */
  change: boolean;
  name: string;
  onClose: () => void;
}

/** Writes a template. */
export function TemplateForm({ app, from, change, name: first, onClose }: Props) {
  const { t } = useTranslation();
  const save = useSaveTemplate(app._id, change ? from._id : undefined);
  const [name, setName] = useState(first);
  const [users, setUsers] = useState(from.uniqueUserCount);
  const [types, setTypes] = useState(from.platformType);
  const [texts, setTexts] = useState<Record<Part, string>>(() => ({
    events: writeJSON(from.events),
    views: writeJSON(from.views),
    sequences: writeJSON(from.sequences),
    users: writeJSON(from.users),
    behavior: writeJSON(from.behavior),
  }));
  const values = parts.map(([part, kind]) => [part, parseJSON(texts[part], kind)] as const);
  const ready = name.trim() !== '' && users >= 1 && types.length > 0 && values.every(([, value]) => value !== undefined);
  const submit = () =>
    // eslint-disable-next-line quipu/uncast -- parts names the fields, and ready says that each could be read
    save.mutate({ name: name.trim(), uniqueUserCount: users, platformType: types, ...Object.fromEntries(values) } as TemplateFields, {
      onSuccess: () => {
        toasts.show(t('app.saved'));
        onClose();
      },
    });
  return (
    <FormDialog title={change ? t('demo.editTemplate') : t('demo.newTemplate')} size="xl" pending={save.isPending} error={save.error} ready={ready} onSubmit={submit} onClose={onClose}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={t('demo.name')} data-autofocus required maxLength={200} value={name} onChange={(e) => setName(e.currentTarget.value)} />
        <NumberInput label={t('demo.users')} required min={1} max={1_000_000} step={100} allowDecimal={false} value={users} onChange={(n) => setUsers(Number(n))} />
      </SimpleGrid>
      <MultiSelect label={t('demo.platforms')} required data={[...new Set([...platforms, ...types])]} value={types} onChange={setTypes} />
      <Text size="sm" c="dimmed">
        {t('demo.partsHint')}
      </Text>
      <Accordion variant="separated" defaultValue="events" order={3}>
        {parts.map(([part, kind]) => {
          const bad = parseJSON(texts[part], kind) === undefined;
          return (
            <Accordion.Item key={part} value={part}>
              <Accordion.Control>{t(`demo.parts.${part}`)}</Accordion.Control>
              <Accordion.Panel>
                <Textarea
                  aria-label={t(`demo.parts.${part}`)}
                  description={t(`demo.partHints.${part}`)}
                  error={bad ? t(`demo.bad.${kind}`) : undefined}
                  autosize
                  minRows={3}
                  maxRows={14}
                  spellCheck={false}
                  styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8125rem' } }}
                  value={texts[part]}
                  onChange={(e) => {
                    const text = e.currentTarget.value;
                    setTexts((all) => ({ ...all, [part]: text }));
                  }}
                />
              </Accordion.Panel>
            </Accordion.Item>
          );
        })}
      </Accordion>
    </FormDialog>
  );
}
