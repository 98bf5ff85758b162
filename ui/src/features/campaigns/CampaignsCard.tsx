import { Button, FileInput, Group, NumberInput, Select, Switch, Text, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import { CopyButton } from '../../components/CopyBlock';
import { ConfirmDelete } from '../../components/form/ConfirmDelete';
import { FormDialog } from '../../components/form/FormDialog';
import { actionColumn } from '../../components/form/RowActions';
import { Section } from '../../components/Section';
import { Coming, Failed } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useTableState } from '../../components/table/useTableState';
import { toasts } from '../../components/toasts';
import { useFormat } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { useTime, useView } from '../../lib/useView';
import { making } from '../../lib/view';
import { campaignList, useDelete, useHide, useImport, useSave, type Campaign, type Draft, type Imported } from './api';

/** The platforms that have an address of their own in the form. */
const platforms = ['android', 'ios', 'windows', 'macos'] as const;
const platformNames = { android: 'Android', ios: 'iOS', windows: 'Windows', macos: 'macOS' } as const;
const costTypes = ['click', 'install', 'campaign'] as const;

/** The campaigns of an app, and what they brought. */
export function CampaignsCard({ app }: { app: App }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const [view, set] = useView();
  const { period, span } = useTime(app);
  const member = useQuery(me).data;
  const [hidden, setHidden] = useState(false);
  const [leaving, setLeaving] = useState<Campaign>();
  const [importing, setImporting] = useState(false);
  const table = useTableState('name');
  const { data, error, refetch } = useQuery({ ...campaignList(app, period, hidden), placeholderData: keepPreviousData });
  const remove = useDelete(app._id);
  const hide = useHide(app._id);
  const can = (action: 'c' | 'u' | 'd') => member !== undefined && may(member, app._id, 'attribution', action);
  const quotient = (a: number, b: number) => (b === 0 ? undefined : a / b);
  const money = (value: number | undefined) => (value === undefined ? '–' : format.amount(value));
  const columns: Column<Campaign>[] = [
    {
      key: 'name',
      title: t('campaigns.name'),
      fixed: true,
      value: (c) => c.name.toLocaleLowerCase(),
      text: (c) => c.name,
      cell: (c) => (
        <Group gap={4} wrap="nowrap">
          <div>
            <Text size="sm" className="breakable">
              {c.name}
            </Text>
            <Text size="xs" c="dimmed" className="breakable">
              {c.path}
            </Text>
          </div>
          <CopyButton what={t('campaigns.copy', { name: c.name })} text={window.location.origin + c.path} />
        </Group>
      ),
    },
    { key: 'clicks', title: t('campaigns.clicks'), numeric: true, value: (c) => c.aclk, text: (c) => format.count(c.aclk) },
    { key: 'visitors', title: t('campaigns.visitors'), numeric: true, value: (c) => c.clk, text: (c) => format.count(c.clk) },
    { key: 'bots', title: t('campaigns.bots'), numeric: true, value: (c) => c.bots, text: (c) => format.count(c.bots) },
    { key: 'installs', title: t('campaigns.campaignInstalls'), numeric: true, value: (c) => c.ins, text: (c) => format.count(c.ins) },
    { key: 'sessions', title: t('campaigns.sessions'), numeric: true, value: (c) => c.ses, text: (c) => format.count(c.ses) },
    { key: 'revenue', title: t('campaigns.revenue'), numeric: true, value: (c) => c.rev, text: (c) => money(c.rev) },
    { key: 'spent', title: t('campaigns.spent'), numeric: true, value: (c) => c.totalCost, text: (c) => money(c.totalCost) },
    { key: 'perInstall', title: t('campaigns.perInstall'), numeric: true, value: (c) => quotient(c.totalCost, c.ins) ?? 0, text: (c) => money(quotient(c.totalCost, c.ins)) },
    { key: 'roas', title: t('campaigns.roas'), numeric: true, value: (c) => quotient(c.rev, c.totalCost) ?? 0, text: (c) => (c.totalCost === 0 ? '–' : format.percent(c.rev / c.totalCost)) },
    actionColumn((c) => [
      ...(can('u') ? [{ label: t('app.edit'), name: t('app.editWhat', { what: c.name }), onClick: () => set({ open: c._id }) }] : []),
      ...(can('u') ? [{ label: t(hidden ? 'campaigns.show' : 'campaigns.hide'), name: `${t(hidden ? 'campaigns.show' : 'campaigns.hide')}: ${c.name}`, onClick: () => hide.mutate({ id: c._id, hide: !hidden }) }] : []),
      ...(can('d') ? [{ label: t('app.delete'), name: t('app.deleteWhat', { what: c.name }), danger: true, onClick: () => setLeaving(c) }] : []),
    ]),
  ];
  const opened = view.open === making ? undefined : data?.find((c) => c._id === view.open);
  return (
    <Section
      title={t('campaigns.list')}
      actions={
        <Group gap="xs" className="no-print">
          <Switch size="sm" label={t('campaigns.hidden')} checked={hidden} onChange={(e) => setHidden(e.currentTarget.checked)} />
          {can('u') && (
            <Button size="xs" variant="default" onClick={() => setImporting(true)}>
              {t('campaigns.import')}
            </Button>
          )}
          {can('c') && (
            <Button size="xs" onClick={() => set({ open: making })}>
              {t('campaigns.new')}
            </Button>
          )}
        </Group>
      }
    >
      {error !== null && <Failed error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Coming height={160} />}
      {data !== undefined && <DataTable caption={t('campaigns.list')} columns={columns} rows={data} file={fileNamed([t('nav.campaigns'), t('campaigns.list')], span)} empty={t('campaigns.empty')} {...table} />}
      {leaving !== undefined && <ConfirmDelete what={leaving.name} id={leaving._id} remove={remove} done={t('campaigns.deleted')} onClose={() => setLeaving(undefined)} />}
      {view.open === making && can('c') && <CampaignForm app={app} was={undefined} onClose={() => set({ open: '' })} />}
      {opened !== undefined && can('u') && <CampaignForm key={opened._id} app={app} was={opened} onClose={() => set({ open: '' })} />}
      {importing && <ImportForm app={app} onClose={() => setImporting(false)} />}
    </Section>
  );
}

/** Makes a campaign, or changes one. */
function CampaignForm({ app, was, onClose }: { app: App; was: Campaign | undefined; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const save = useSave(app._id);
  const [draft, setDraft] = useState<Draft>(was ?? { _id: '', name: '', link: '', links: {}, cost: 0, costtype: 'click' });
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const submit = () => {
    const { _id, name, link, links, cost, costtype } = draft;
    save.mutate(
      { isNew: was === undefined, draft: { ...(_id === undefined || _id === '' ? {} : { _id }), name, link, links, cost, costtype } },
      {
        onSuccess: () => {
          toasts.show(t('campaigns.saved'));
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog title={t(was === undefined ? 'campaigns.new' : 'campaigns.edit')} size="lg" pending={save.isPending} error={save.error} ready={draft.name.trim() !== ''} onClose={onClose} onSubmit={submit}>
      <TextInput data-autofocus required label={t('campaigns.name')} maxLength={200} value={draft.name} onChange={(e) => change({ name: e.currentTarget.value })} />
      {was === undefined && <TextInput label={t('campaigns.id')} description={t('campaigns.idHint')} maxLength={128} value={draft._id ?? ''} onChange={(e) => change({ _id: e.currentTarget.value })} />}
      <TextInput type="url" label={t('campaigns.link')} description={t('campaigns.linkHint')} maxLength={2048} value={draft.link} onChange={(e) => change({ link: e.currentTarget.value })} />
      {platforms.map((p) => (
        <TextInput
          key={p}
          label={t('campaigns.links', { platform: platformNames[p] })}
          maxLength={2048}
          value={draft.links[p] ?? ''}
          onChange={(e) => change({ links: { ...draft.links, [p]: e.currentTarget.value } })}
        />
      ))}
      <Group grow align="end">
        <NumberInput label={t('campaigns.cost')} min={0} value={draft.cost} onChange={(value) => change({ cost: typeof value === 'number' ? value : Number(value) || 0 })} />
        <Select
          label={t('campaigns.costPer')}
          allowDeselect={false}
          value={draft.costtype}
          onChange={(next) => change({ costtype: costTypes.find((c) => c === next) ?? 'click' })}
          data={costTypes.map((value) => ({ value, label: t(`campaigns.costTypes.${value}`) }))}
        />
      </Group>
    </FormDialog>
  );
}

/** Takes a file of costs, and says what became of it. */
function ImportForm({ app, onClose }: { app: App; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const send = useImport(app._id);
  const [file, setFile] = useState<File | null>(null);
  const [done, setDone] = useState<Imported>();
  const submit = () => {
    if (file !== null) send.mutate(file, { onSuccess: setDone });
  };
  return (
    <FormDialog
      title={t('campaigns.import')}
      button={t('campaigns.import')}
      pending={send.isPending}
      error={send.error}
      ready={file !== null}
      onClose={onClose}
      onSubmit={submit}
      below={
        done !== undefined && (
          <Text size="sm" mt="md" role="status">
            {t('campaigns.imported', { count: done.days })}
            {done.missed > 0 && <> {t('campaigns.missed', { count: done.missed, line: done.unmatched[0] ?? '' })}</>}
          </Text>
        )
      }
    >
      <Text size="sm" c="dimmed">
        {t('campaigns.importHint')}
      </Text>
      <FileInput label={t('campaigns.file')} accept=".csv,text/csv" value={file} onChange={setFile} />
    </FormDialog>
  );
}
