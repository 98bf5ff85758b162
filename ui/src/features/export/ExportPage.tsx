import { Button, Group, Input, NumberInput, SegmentedControl, Select, SimpleGrid, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { read, write } from '../../api/client';
import * as v from '../../api/schema';
import { Page } from '../../components/Page';
import { Section } from '../../components/Section';
import { ErrorNote } from '../../components/ErrorNote';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { toasts } from '../../components/toasts';
import { useSaveFile } from '../../components/useSaveFile';
import { useFormat } from '../../i18n';
import { differences, writeJSON } from '../../lib/diff';
import { fileFormats } from '../../lib/file';
import { useOnly, useView } from '../../lib/useView';
import { withOnly } from '../../lib/view';
import { me, type Me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { readFilter } from '../../components/filter/filter';
import { SourceFilter } from './SourceFilter';
import { paramsOf, sources, type Order, type Source } from './sources';

/** How many rows the preview has. */
const previewed = 10;

/** Hands out the data of an app: people, rows of events, documents, by a query, in any format. */
export function ExportPage({ app }: { app: App }) {
  const { t } = useTranslation();
  const member = useQuery(me).data;
  return (
    <Page title={t('nav.export')} lead={t('export.lead')}>
      {member !== undefined && <Form app={app} member={member} />}
    </Page>
  );
}

/** The sources that a member may export. */
function allowed(source: Source, app: App, member: Me): boolean {
  switch (source) {
    case 'people':
    case 'rows':
      return may(member, app._id, 'users', 'r');
    case 'members':
      return member.global_admin;
    default:
      return true;
  }
}

function Form({ app, member }: { app: App; member: Me }) {
  const { t } = useTranslation();
  const [only, change] = useOnly();
  const [view, setView] = useView();
  const mine = sources.filter((s) => allowed(s, app, member));
  const source = mine.find((s) => s === only.source) ?? mine[0] ?? 'notes';
  const format = fileFormats.find((f) => f === only.format) ?? 'csv';
  const [query, setQuery] = useState(only.query ?? '');
  const fields = (only.fields ?? '').split(',').filter((f) => f !== '');
  const sort = only.sort ?? '';
  const limit = Number(only.limit) > 0 ? Math.floor(Number(only.limit)) : undefined;
  const [name, setName] = useState('');
  const bad = readFilter(query) === undefined;
  const order: Order = { source, query, fields, sort, limit, format, name: name.trim() === '' ? `${app.name} ${t(`export.sources.${source}`)}` : name.trim() };
  const set = (text: string) => {
    setQuery(text);
    if (readFilter(text) !== undefined) change('query', text.trim());
  };
  // The fields of one source mean nothing in another.
  const choose = (next: string) => {
    setQuery('');
    const rest = ['query', 'fields', 'sort'].reduce((kept, key) => withOnly(kept, key, ''), view.only);
    setView({ only: withOnly(rest, 'source', next) });
  };
  return (
    <>
      <Section title={t('export.what')}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label={t('export.source')}
            allowDeselect={false}
            value={source}
            data={mine.map((value) => ({ value, label: t(`export.sources.${value}`) }))}
            onChange={(next) => next !== null && choose(next)}
          />
          <TextInput label={t('export.name')} placeholder={order.name} maxLength={100} value={name} onChange={(e) => setName(e.currentTarget.value)} />
        </SimpleGrid>
        <SourceFilter app={app} source={source} query={query} onChange={set} />
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <TagsInput label={t('export.fields')} description={t('export.fieldsHint')} value={fields} onChange={(next) => change('fields', next.join(','))} />
          <TextInput label={t('export.sort')} description={t('export.sortHint')} value={sort} onChange={(e) => change('sort', e.currentTarget.value)} />
          <NumberInput
            label={t('export.limit')}
            description={t('export.limitHint')}
            min={1}
            hideControls
            value={limit ?? ''}
            onChange={(next) => change('limit', typeof next === 'number' && next > 0 ? String(next) : '')}
          />
        </SimpleGrid>
        <div>
          <Input.Label component="div" display="block" mb={4} aria-hidden>
            {t('export.format')}
          </Input.Label>
          <SegmentedControl
            aria-label={t('export.format')}
            value={format}
            onChange={(next) => change('format', next === 'csv' ? '' : next)}
            data={fileFormats.map((value) => ({ value, label: t(`save.${value}`) }))}
          />
        </div>
        <Actions app={app} order={order} ready={!bad} />
      </Section>
      {!bad && <Preview app={app} order={order} />}
    </>
  );
}

function Actions({ app, order, ready }: { app: App; order: Order; ready: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const queries = useQueryClient();
  const saveFile = useSaveFile();
  const [bytes, setBytes] = useState<number>();
  const stop = useRef<AbortController>(null);
  const later = useMutation({
    mutationFn: () => {
      const data = paramsOf(order, app._id);
      return write('/o/export/requestQuery', { path: '/o/export/db', data, app_id: app._id, type: order.format, filename: order.name });
    },
    onSuccess: () => {
      toasts.show(t('save.task'));
      return queries.invalidateQueries({ queryKey: ['tasks'] });
    },
  });
  const now = async () => {
    stop.current = new AbortController();
    setBytes(0);
    await saveFile('/o/export/db', paramsOf(order, app._id), setBytes, stop.current.signal);
    setBytes(undefined);
  };
  return (
    <Stack gap="xs">
      {later.isError && <ErrorNote error={later.error} />}
      <Group gap="sm">
        <Button disabled={!ready} loading={bytes !== undefined} onClick={() => void now()}>
          {t('save.download')}
        </Button>
        {bytes === undefined ? (
          <Button variant="default" disabled={!ready} loading={later.isPending} onClick={() => later.mutate()}>
            {t('export.later')}
          </Button>
        ) : (
          <>
            <Button variant="default" onClick={() => stop.current?.abort()}>
              {t('app.cancel')}
            </Button>
            <Text size="sm" c="dimmed" role="status">
              {t('export.received', { size: format.bytes(bytes) })}
            </Text>
          </>
        )}
        {later.isSuccess && (
          <Button component={Link} to="/manage/tasks" variant="subtle">
            {t('nav.tasks')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** What is exported, as it is. */
const Rows = v.array(v.record(v.unknown()));

/** The first rows of what would be exported. */
function Preview({ app, order }: { app: App; order: Order }) {
  const { t } = useTranslation();
  const params = { ...paramsOf(order, app._id), type: 'json', limit: Math.min(previewed, order.limit ?? previewed) };
  const preview = useMutation({ mutationFn: () => read('/o/export/db', Rows, params) });
  const rows = (preview.data ?? []).map((doc) => new Map(differences(undefined, doc).map((d) => [d.path, writeJSON(d.after)])));
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))].slice(0, 24);
  const columns = names.map((key, i): Column<Map<string, string>> => ({
    key, title: key, fixed: i === 0, value: (row) => row.get(key) ?? '', text: (row) => row.get(key) ?? '',
  }));
  return (
    <Section
      title={t('export.preview')}
      lead={t('export.previewHint')}
      actions={
        <Button variant="default" loading={preview.isPending} onClick={() => preview.mutate()}>
          {t('export.show')}
        </Button>
      }
    >
      {preview.isError && <ErrorNote error={preview.error} />}
      {preview.data !== undefined && <DataTable caption={t('export.preview')} columns={columns} rows={rows} file={`${order.name} ${t('export.preview')}`} />}
    </Section>
  );
}
