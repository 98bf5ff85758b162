import { Anchor, Button, Switch, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { defaultParseSearch, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDelete } from '../../components/form/ConfirmDelete';
import { FormDialog } from '../../components/form/FormDialog';
import { actionColumn } from '../../components/form/RowActions';
import { Section } from '../../components/Section';
import { Failed } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { toasts } from '../../components/toasts';
import { useFormat } from '../../i18n';
import { parseView } from '../../lib/view';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { savedViews, segmentPage, useDeleteView, useSaveView, type SavedView } from './api';

/** Keeps the present view under a name. */
export function SaveView({ app, page }: { app: App; page: string }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t('explore.save')}
      </Button>
      {open && <ViewDialog app={app} view={{ name: '', page, shared: false, state: window.location.search.slice(1) }} onClose={() => setOpen(false)} />}
    </>
  );
}

/** What is kept under a name; with an id, it is there already. */
type Kept = Pick<SavedView, 'name' | 'page' | 'shared' | 'state'> & { _id?: string };

/** Names a view, and says who sees it. */
function ViewDialog({ app, view, onClose }: { app: App; view: Kept; onClose: () => void }) {
  const { t } = useTranslation();
  const member = useQuery(me).data;
  const save = useSaveView(app._id);
  const [name, setName] = useState(view.name);
  const [shared, setShared] = useState(view.shared);
  const kept = view._id !== undefined;
  return (
    <FormDialog
      title={t(kept ? 'explore.rename' : 'explore.save')}
      pending={save.isPending}
      error={save.error}
      ready={name.trim() !== ''}
      onClose={onClose}
      onSubmit={() =>
        save.mutate(
          { ...(view._id === undefined ? {} : { id: view._id }), name: name.trim(), page: view.page, shared, state: view.state },
          {
            onSuccess: () => {
              toasts.show(t(kept ? 'app.saved' : 'explore.saved'));
              onClose();
            },
          },
        )
      }
    >
      <TextInput label={t('explore.name')} value={name} onChange={(e) => setName(e.currentTarget.value)} maxLength={200} data-autofocus required />
      {member !== undefined && (view.shared || may(member, app._id, 'core', 'c')) && (
        <Switch label={t('explore.share')} description={t('explore.shareHint')} checked={shared} onChange={(e) => setShared(e.currentTarget.checked)} />
      )}
    </FormDialog>
  );
}

/** The pages that list the views of their own. */
const listing = ['retention'] as const;

interface ViewsProps {
  app: App;
  /** Whose views they are; of all pages that do not list their own when undefined. */
  page?: (typeof listing)[number];
  quietly: boolean;
}

/** The views that one kept, and those that others share; quietly, nothing where there are none. */
export function SavedViews({ app, page, quietly }: ViewsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: all, error } = useQuery(savedViews(app._id));
  const data = all?.filter((v) => (page === undefined ? v.page !== segmentPage && !listing.some((own) => own === v.page) : v.page === page));
  const remove = useDeleteView(app._id);
  const [renaming, setRenaming] = useState<SavedView>();
  const [leaving, setLeaving] = useState<SavedView>();
  const columns: Column<SavedView>[] = [
    {
      key: 'name',
      title: t('explore.name'),
      fixed: true,
      value: (v) => v.name,
      text: (v) => v.name,
      cell: (v) => (
        <Anchor
          size="sm"
          className="breakable"
          renderRoot={(props) => <Link {...props} to={`/apps/${app._id}/${v.page}`} search={parseView(defaultParseSearch(`?${v.state}`))} />}
        >
          {v.name}
        </Anchor>
      ),
    },
    { key: 'owner', title: t('explore.owner'), value: (v) => v.owner_name, text: (v) => (v.mine ? t('explore.mine') : v.owner_name === '' ? '–' : v.owner_name) },
    { key: 'shared', title: t('explore.seenBy'), value: (v) => (v.shared ? 1 : 0), text: (v) => (v.shared ? t('explore.everyone') : t('explore.onlyMe')) },
    { key: 'edited', title: t('explore.edited'), short: true, value: (v) => v.edited_at, text: (v) => format.moment(v.edited_at, app.timezone) },
    actionColumn((v) =>
      v.may_change
        ? [
            { label: t('explore.rename'), name: t('explore.renameWhat', { what: v.name }), onClick: () => setRenaming(v) },
            {
              label: t('app.delete'),
              name: t('app.deleteWhat', { what: v.name }),
              danger: true,
              onClick: () => setLeaving(v),
            },
          ]
        : [],
    ),
  ];
  if (error !== null && data === undefined) return <Failed error={error} />;
  if (quietly && (data === undefined || data.length === 0)) return null;
  return (
    <Section title={t('explore.views')}>
      {data === undefined || data.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('explore.noViews')}
        </Text>
      ) : (
        <DataTable caption={t('explore.views')} columns={columns} rows={data} file={`${app.name} ${t('explore.views')}`} pageSize={10} />
      )}
      {leaving !== undefined && <ConfirmDelete what={leaving.name} id={leaving._id} remove={remove} done={t('explore.deleted')} onClose={() => setLeaving(undefined)} />}
      {renaming !== undefined && <ViewDialog app={app} view={renaming} onClose={() => setRenaming(undefined)} />}
    </Section>
  );
}
