import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import type { Field } from './field';
import { fromWire, nothing, toWire, type Group } from './filter';
import { FilterEditor } from './FilterEditor';

interface Props {
  app: App;
  fields: readonly Field[];
  /** A filter object of the API. */
  filter: object;
  onChange: (filter: object) => void;
}

/** The editor of a filter object. One that is more than it can show stays as it is, until the reader starts over. */
export function Conditions({ app, fields, filter, onChange }: Props) {
  const { t } = useTranslation();
  const [draft, edit] = useDraft(filter, fields, onChange);
  if (draft !== undefined) return <FilterEditor appID={app._id} zone={app.timezone} fields={fields} value={draft} onChange={edit} />;
  return (
    <div>
      <Text size="sm" c="dimmed" mb="xs">
        {t('filter.foreign')}
      </Text>
      <Button size="compact-sm" variant="default" onClick={() => edit(nothing)}>
        {t('filter.startOver')}
      </Button>
    </div>
  );
}

/**
 * What stands in the editor: the filter, and conditions that are not complete yet, which it does not hold. Undefined
 * when the filter is more than the editor can show.
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
