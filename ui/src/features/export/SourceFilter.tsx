import { Input, SegmentedControl, Stack, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { Conditions } from '../../components/filter/Conditions';
import type { Field } from '../../components/filter/field';
import { readFilter } from '../../components/filter/filter';
import type { App } from '../../access/apps';
import { properties, type Properties } from '../../parts/properties/api';
import { useFields } from '../../parts/filters/fields';
import { examples, type Source } from './sources';

interface Props {
  app: App;
  source: Source;
  /** JSON, or nothing for everything. */
  query: string;
  onChange: (query: string) => void;
}

/** Selects what is exported: with the editor of conditions where the fields are known, and as JSON everywhere. */
export function SourceFilter({ app, source, query, onChange }: Props) {
  const { t } = useTranslation();
  const [as, setAs] = useState<'editor' | 'json'>('editor');
  const filter = readFilter(query);
  const editable = source === 'people' || source === 'rows';
  const asJSON = !editable || as === 'json' || filter === undefined;
  const choice = editable && (
    <SegmentedControl
      size="xs"
      aria-label={t('export.filterAs')}
      value={asJSON ? 'json' : 'editor'}
      disabled={filter === undefined}
      onChange={setAs}
      data={[
        { value: 'editor', label: t('export.asEditor') },
        { value: 'json', label: t('export.asJSON') },
      ]}
    />
  );
  return (
    <Stack gap="xs" role="group" aria-label={t('export.query')}>
      <div className="label-row">
        <Input.Label component="span" aria-hidden>
          {t('export.query')}
        </Input.Label>
        {choice}
      </div>
      {asJSON ? (
        <Textarea
          aria-label={t('export.query')}
          description={t('export.queryHint')}
          placeholder={examples[source] ?? '{}'}
          autosize
          minRows={2}
          maxRows={12}
          classNames={{ input: 'mono' }}
          spellCheck={false}
          value={query}
          onChange={(e) => onChange(e.currentTarget.value)}
          error={filter === undefined ? t('export.badQuery') : undefined}
        />
      ) : (
        <Editor app={app} of={source === 'people' ? 'people' : 'events'} filter={filter} onChange={onChange} />
      )}
    </Stack>
  );
}

function Editor({ app, of, filter, onChange }: { app: App; of: 'people' | 'events'; filter: object; onChange: (query: string) => void }) {
  const known = useQuery(properties(app._id));
  return (
    <Answer query={known}>
      {(data) => (
        <EditorOf
          key={of}
          app={app}
          of={of}
          known={data}
          filter={filter}
          onChange={(next) => onChange(Object.keys(next).length === 0 ? '' : JSON.stringify(next))}
        />
      )}
    </Answer>
  );
}

function EditorOf({ app, of, known, filter, onChange }: { app: App; of: 'people' | 'events'; known: Properties; filter: object; onChange: (filter: object) => void }) {
  const keys = useMemo(() => known.events.map((e) => e.key), [known]);
  const shared = useFields(app._id, of, keys, true);
  const ofRows = useRowFields(keys);
  return <Conditions app={app} fields={of === 'people' ? shared : [...ofRows, ...shared]} filter={filter} onChange={onChange} />;
}

/** What every row of an event has. */
function useRowFields(keys: readonly string[]): Field[] {
  const { t } = useTranslation();
  return useMemo(() => {
    const group = t('export.ofRow');
    const number = (path: 'c' | 's' | 'dur'): Field => ({ path, name: t(`events.${path}`), group, kind: 'number', decode: (text) => text });
    return [
      { path: 'n', name: t('events.event'), group, kind: 'text', values: keys.filter((key) => !key.startsWith('[CLY]_')), decode: (text) => text },
      number('c'),
      number('s'),
      number('dur'),
    ];
  }, [t, keys]);
}
