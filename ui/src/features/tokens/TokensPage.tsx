import { Badge, Box, Button, Group, MultiSelect, Select, Switch, TagsInput, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { CopyField } from '../../components/CopyBlock';
import { Dialog } from '../../components/Dialog';
import { ConfirmDelete } from '../../components/form/ConfirmDelete';
import { FormDialog } from '../../components/form/FormDialog';
import { actionColumn } from '../../components/form/RowActions';
import { Page } from '../../components/Page';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useTableState } from '../../components/table/useTableState';
import { useFormat } from '../../i18n';
import { useFocusBack } from '../../lib/useFocusBack';
import { useMaking } from '../../lib/useView';
import { myApps } from '../../access/apps';
import { tokens, useCreateToken, useDeleteToken, type Token } from './api';

const hour = 3600;
const lifetimes = { hour, day: 24 * hour, month: 30 * 24 * hour, year: 365 * 24 * hour, never: 0 } as const;
type Lifetime = keyof typeof lifetimes;

/** Tokens of one's own: keys with less than all of one's rights. */
export function TokensPage() {
  const { t } = useTranslation();
  const table = useTableState();
  const format = useFormat();
  const apps = useQuery(myApps).data ?? [];
  const remove = useDeleteToken();
  const [leaving, setLeaving] = useState<Token>();
  const nameOf = (token: Token) => (token.purpose === '' ? token._id.slice(0, 8) : token.purpose);
  const [isMaking, make] = useMaking();
  const names = new Map(apps.map((a) => [a._id, a.name]));
  const scope = (token: Token) =>
    Array.isArray(token.app) && token.app.length > 0 ? token.app.map((id) => names.get(id) ?? id).join(', ') : t('tokens.allApps');
  const paths = (token: Token) => (Array.isArray(token.endpoint) && token.endpoint.length > 0 ? token.endpoint.map((e) => (typeof e === 'string' ? e : JSON.stringify(e))).join(', ') : t('tokens.allPaths'));
  const ends = (token: Token) => (token.ttl === 0 ? t('tokens.never') : format.moment(token.ends * 1000));
  const columns: Column<Token>[] = [
    {
      key: 'purpose',
      title: t('tokens.purpose'),
      fixed: true,
      value: (k) => k.purpose,
      text: (k) => (k.purpose === '' ? '–' : k.purpose),
      cell: (k) => (
        <Group gap="xs">
          {k.purpose === '' ? '–' : k.purpose}
          {!k.multi && <Badge variant="default">{t('tokens.once')}</Badge>}
        </Group>
      ),
    },
    { key: 'token', title: t('tokens.token'), value: (k) => k._id, text: (k) => k._id, cell: (k) => <code>{`${k._id.slice(0, 8)}…`}</code> },
    { key: 'ends', title: t('tokens.ends'), short: true, value: (k) => (k.ttl === 0 ? Infinity : k.ends), text: ends },
    { key: 'apps', title: t('tokens.apps'), value: scope, text: scope },
    { key: 'paths', title: t('tokens.paths'), value: paths, text: paths },
    actionColumn((k) => [
      {
        label: t('app.delete'),
        name: t('app.deleteWhat', { what: nameOf(k) }),
        danger: true,
        onClick: () => setLeaving(k),
      },
    ]),
  ];
  return (
    <Page title={t('nav.tokens')} lead={t('tokens.lead')} actions={<Button onClick={() => make(true)}>{t('tokens.add')}</Button>}>
      <Answer query={useQuery(tokens)}>
        {(rows) => (
          <Box className="card" p="md">
            <DataTable caption={t('nav.tokens')} columns={columns} rows={rows} file={t('nav.tokens')} empty={t('tokens.none')} {...table} />
          </Box>
        )}
      </Answer>
      {leaving !== undefined && <ConfirmDelete what={nameOf(leaving)} id={leaving._id} remove={remove} done={t('tokens.deleted')} onClose={() => setLeaving(undefined)} />}
      {isMaking && <NewTokenForm onClose={() => make(false)} />}
    </Page>
  );
}

function NewTokenForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  useFocusBack(); // one dialog follows another
  const apps = useQuery(myApps).data ?? [];
  const create = useCreateToken();
  const [purpose, setPurpose] = useState('');
  const [lifetime, setLifetime] = useState<Lifetime>('month');
  const [multi, setMulti] = useState(true);
  const [chosen, setChosen] = useState<string[]>([]);
  const [endpoints, setEndpoints] = useState<string[]>([]);
  if (create.data !== undefined) {
    return (
      <Dialog onClose={onClose} title={t('tokens.made')}>
        <CopyField label={t('tokens.token')} hint={t('tokens.madeHint')} value={create.data} />
        <Group justify="flex-end" mt="md">
          <Button onClick={onClose}>{t('app.close')}</Button>
        </Group>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={t('tokens.add')}
      button={t('tokens.make')}
      pending={create.isPending}
      error={create.error}
      ready={purpose.trim() !== ''}
      onSubmit={() => create.mutate({ purpose: purpose.trim(), ttl: lifetimes[lifetime], multi, apps: chosen, endpoints })}
      onClose={onClose}
    >
      <TextInput label={t('tokens.purpose')} data-autofocus required maxLength={200} value={purpose} onChange={(e) => setPurpose(e.currentTarget.value)} />
      <Select
        label={t('tokens.lifetime')}
        allowDeselect={false}
        value={lifetime}
        data={(Object.keys(lifetimes) as Lifetime[]).map((value) => ({ value, label: t(`tokens.for.${value}`) }))}
        onChange={(value) => {
          if (value !== null) setLifetime(value);
        }}
      />
      <MultiSelect
        label={t('tokens.apps')}
        description={t('tokens.appsHint')}
        searchable
        data={apps.map((a) => ({ value: a._id, label: a.name }))}
        value={chosen}
        onChange={setChosen}
      />
      <TagsInput label={t('tokens.paths')} description={t('tokens.pathsHint')} placeholder="^/o/analytics" value={endpoints} onChange={setEndpoints} />
      <Switch label={t('tokens.multi')} checked={multi} onChange={(e) => setMulti(e.currentTarget.checked)} />
      <Text size="sm" c="dimmed">
        {t('tokens.rights')}
      </Text>
    </FormDialog>
  );
}
