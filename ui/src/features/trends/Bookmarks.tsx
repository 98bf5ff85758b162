import { Anchor, Button, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { me } from '../../access/me';
import type { App } from '../../access/apps';
import type { Field } from '../../components/filter/field';
import { ConfirmDelete } from '../../components/form/ConfirmDelete';
import { FormDialog } from '../../components/form/FormDialog';
import { isNamed, SeenBy, type Seen } from '../../components/form/SeenBy';
import { actionColumn } from '../../components/form/RowActions';
import { Section } from '../../components/Section';
import { Failed } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { toasts } from '../../components/toasts';
import { useFormat } from '../../i18n';
import { useView } from '../../lib/useView';
import { usual } from '../../lib/view';
import type { useEventNames } from '../../parts/events/useEventNames';
import { bookmarks, useDeleteBookmark, useSaveBookmark, type Bookmark, type SentBookmark } from '../../parts/trends/api';
import { listText, reportOf, searchOf, visualizationOf } from '../../parts/trends/report';
import { useFilterWords } from '../../parts/trends/useDefinition';

/** Keeps the report of the address under a name. */
export function SaveReport({ app, names, fields }: { app: App; names: ReturnType<typeof useEventNames>; fields: readonly Field[] }) {
  const { t } = useTranslation();
  const [view] = useView();
  const [open, setOpen] = useState(false);
  const words = useFilterWords(app, fields)(view.filter);
  const { events, by } = reportOf(view);
  const visualization = visualizationOf(view);
  return (
    <>
      <Button variant="default" disabled={visualization === undefined} onClick={() => setOpen(true)}>
        {t('trends.save')}
      </Button>
      {open && (
        <ReportDialog
          app={app}
          id={undefined}
          mine
          seen={{ by: 'me', view: [], edit: [] }}
          first={{
            event_key: events[0] ?? '',
            name: events.map(names.nameOf).join(', ').slice(0, 200),
            desc: '',
            global: false,
            query_obj: view.filter === '' ? '{}' : view.filter,
            query_text: view.filter === '' ? '' : words.slice(0, 500) || '–',
            by_val: by.length === 0 ? '' : listText(by),
            by_val_text: by.map((path) => fields.find((f) => f.path === path)?.name ?? path).join(', '),
            visualization: visualization ?? '',
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

interface DialogProps {
  app: App;
  id: string | undefined;
  /** Whether it is one's own: only its maker says who sees it. */
  mine: boolean;
  first: SentBookmark;
  seen: Seen;
  onClose: () => void;
}

const visibilities = { me: 'private', some: 'shared', all: 'global' } as const;

/** Names a report, and says who sees it. */
function ReportDialog({ app, id, mine, first, seen, onClose }: DialogProps) {
  const { t } = useTranslation();
  const save = useSaveBookmark(app._id);
  const [name, setName] = useState(first.name);
  const [who, see] = useState(seen);
  const sharing = mine ? { global: who.by === 'all', visibility: visibilities[who.by], shared_email_view: who.view, shared_email_edit: who.edit } : {};
  return (
    <FormDialog
      title={t(id === undefined ? 'trends.save' : 'trends.change')}
      pending={save.isPending}
      error={save.error}
      ready={name.trim() !== '' && isNamed(who)}
      onClose={onClose}
      onSubmit={() =>
        save.mutate(
          { id, sent: { ...first, name: name.trim(), ...sharing } },
          {
            onSuccess: () => {
              toasts.show(t('trends.saved'));
              onClose();
            },
          },
        )
      }
    >
      <TextInput label={t('trends.name')} value={name} onChange={(e) => setName(e.currentTarget.value)} maxLength={200} data-autofocus required />
      {mine && <SeenBy viewers value={who} onChange={see} everyone={t('trends.everyoneHint')} />}
    </FormDialog>
  );
}

/** The reports that one kept, and those that others share. */
export function Bookmarks({ app, names: { nameOf } }: { app: App; names: ReturnType<typeof useEventNames> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const member = useQuery(me).data;
  const { data, error } = useQuery(bookmarks(app._id));
  const remove = useDeleteBookmark(app._id);
  const [changing, setChanging] = useState<Bookmark>();
  const [leaving, setLeaving] = useState<Bookmark>();
  const mine = (b: Bookmark) => b.creator === member?._id;
  const events = (b: Bookmark) => reportOf({ ...usual, ...searchOf(b) }).events.map(nameOf).join(', ');
  const seenBy = (b: Bookmark) => t(`seen.${seenOf(b).by}`);
  const columns: Column<Bookmark>[] = [
    {
      key: 'name',
      title: t('trends.name'),
      fixed: true,
      value: (b) => b.name,
      text: (b) => b.name,
      cell: (b) => (
        <Anchor size="sm" className="breakable" renderRoot={(props) => <Link {...props} to="/apps/$appId/trends" params={{ appId: app._id }} search={searchOf(b)} />}>
          {b.name}
        </Anchor>
      ),
    },
    { key: 'events', title: t('nav.events'), value: events, text: events },
    { key: 'seen', title: t('seen.label'), value: seenBy, text: seenBy },
    { key: 'created', title: t('trends.created'), short: true, value: (b) => b.created_at, text: (b) => format.moment(b.created_at, app.timezone) },
    actionColumn((b) => [
      ...(b.editable ? [{ label: t('app.edit'), name: t('app.editWhat', { what: b.name }), onClick: () => setChanging(b) }] : []),
      ...(mine(b) || b.visibility === 'global' || b.editable ? [{ label: t('app.delete'), name: t('app.deleteWhat', { what: b.name }), danger: true, onClick: () => setLeaving(b) }] : []),
    ]),
  ];
  if (error !== null && data === undefined) return <Failed error={error} />;
  return (
    <Section title={t('trends.reports')}>
      {data === undefined || data.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('trends.noReports')}
        </Text>
      ) : (
        <DataTable caption={t('trends.reports')} columns={columns} rows={data} file={`${app.name} ${t('trends.reports')}`} pageSize={10} />
      )}
      {leaving !== undefined && <ConfirmDelete what={leaving.name} id={leaving._id} remove={remove} done={t('trends.deleted')} onClose={() => setLeaving(undefined)} />}
      {changing !== undefined && (
        <ReportDialog app={app} id={changing._id} mine={mine(changing)} seen={seenOf(changing)} first={sentOf(changing)} onClose={() => setChanging(undefined)} />
      )}
    </Section>
  );
}

/** A kept report as it is sent again. Without texts for people, the server leaves out what they are for. */
function sentOf({ event_key, name, desc, visibility, query_obj, query_text, by_val, by_val_text, visualization = '' }: Bookmark): SentBookmark {
  return { event_key, name, desc, global: visibility === 'global', query_obj, query_text, by_val, by_val_text: by_val_text === '' ? by_val : by_val_text, visualization };
}

/** Who sees a kept report. */
function seenOf({ visibility, shared_email_view: view, shared_email_edit: edit }: Bookmark): Seen {
  return { by: visibility === 'global' ? 'all' : visibility === 'shared' ? 'some' : 'me', view, edit };
}
