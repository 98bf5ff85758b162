import { ActionIcon, Anchor, Box, Button, Checkbox, Group, MultiSelect, Switch, Tabs, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { ConfirmTyped } from '../../components/ConfirmTyped';
import { FormDialog } from '../../components/form/FormDialog';
import { actionColumn } from '../../components/form/RowActions';
import { ChevronIcon } from '../../components/icons';
import { Page } from '../../components/Page';
import { Status } from '../../components/Status';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useTableState } from '../../components/table/useTableState';
import { toasts } from '../../components/toasts';
import { useView } from '../../lib/useView';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { useModules } from '../../access/useModules';
import { messageOf } from '../../api/client';
import { eventList } from '../../parts/events/api';
import { DefinedTab } from './DefinedTab';
import {
  eventGroups,
  managed,
  moved,
  useDeleteEvents,
  useDeleteGroup,
  useOrderEvents,
  useSaveEvent,
  useSaveGroup,
  useShowEvents,
  type EventGroup,
  type Managed,
} from '../../parts/events/manage';

const tabs = ['events', 'groups', 'defined'] as const;

/** What events are called, whether they are shown and in which order, and which read as one. */
export function EventManagePage({ app }: { app: App }) {
  const { t } = useTranslation();
  const [view, set] = useView();
  const on = useModules()?.includes('definedevents') === true;
  const shown = tabs.filter((one) => one !== 'defined' || on);
  const tab = shown.find((one) => one === view.tab) ?? 'events';
  return (
    <Page title={t('nav.eventManage')} lead={t('eventManage.lead')}>
      <Tabs value={tab} keepMounted={false} onChange={(next) => set({ tab: next === null || next === 'events' ? '' : next, q: '', sort: '', page: 1, hide: '' })}>
        <Tabs.List mb="md" aria-label={t('nav.eventManage')}>
          {shown.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`eventManage.tabs.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="events">
          <Events app={app} />
        </Tabs.Panel>
        <Tabs.Panel value="groups">
          <Groups app={app} />
        </Tabs.Panel>
        <Tabs.Panel value="defined">
          <DefinedTab app={app} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function Events({ app }: { app: App }) {
  const query = useQuery(eventList(app._id));
  return <Answer query={query}>{(list) => <EventTable app={app} events={managed(list)} />}</Answer>;
}

function EventTable({ app, events }: { app: App; events: Managed[] }) {
  const { t } = useTranslation();
  const table = useTableState('', 'key');
  const member = useQuery(me).data;
  const order = useOrderEvents(app._id);
  const show = useShowEvents(app._id);
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const [editing, setEditing] = useState<Managed>();
  const [deleting, setDeleting] = useState<string[]>();
  const mayWrite = member !== undefined && may(member, app._id, 'events', 'u');
  const mayDelete = member !== undefined && may(member, app._id, 'events', 'd');
  const chosen = ticked.filter((key) => events.some((e) => e.key === key));
  const failed = (e: Error) => toasts.show(messageOf(e), 'failed');
  // Moving makes sense only among all of them, in their own order.
  const movable = mayWrite && table.state.q === '' && table.state.sort === '';
  const keys = events.map((e) => e.key);
  const nameOf = (e: Managed) => (e.name === '' ? e.key : e.name);
  const visible = (e: Managed) => t(e.visible ? 'eventManage.shown' : 'eventManage.hidden');
  const columns: Column<Managed>[] = [
    {
      key: 'name',
      title: t('events.event'),
      fixed: true,
      value: nameOf,
      text: (e) => `${nameOf(e)} ${e.key}`,
      cell: (e) => (
        <Group gap="sm" wrap="nowrap">
          {(mayWrite || mayDelete) && (
            <Checkbox
              size="xs"
              aria-label={t('eventManage.choose', { event: nameOf(e) })}
              checked={chosen.includes(e.key)}
              onChange={(ev) => setTicked(ev.currentTarget.checked ? [...chosen, e.key] : chosen.filter((k) => k !== e.key))}
            />
          )}
          {mayWrite ? (
            <Anchor component="button" type="button" size="sm" ta="start" className="breakable" onClick={() => setEditing(e)}>
              {nameOf(e)}
            </Anchor>
          ) : (
            nameOf(e)
          )}
        </Group>
      ),
    },
    { key: 'key', title: t('events.key'), value: (e) => e.key, text: (e) => e.key },
    { key: 'desc', title: t('events.desc'), value: (e) => e.desc, text: (e) => (e.desc === '' ? '–' : e.desc) },
    { key: 'visible', title: t('eventManage.state'), short: true, value: visible, text: visible, cell: (e) => <Status kind={e.visible ? 'good' : 'idle'}>{visible(e)}</Status> },
    { key: 'segments', title: t('eventManage.segments'), value: (e) => e.segments.join(', '), text: (e) => (e.segments.length === 0 ? '–' : e.segments.join(', ')) },
    { key: 'omitted', title: t('eventManage.omitted'), value: (e) => e.omitted.join(', '), text: (e) => (e.omitted.length === 0 ? '–' : e.omitted.join(', ')) },
    ...(movable
      ? [
          {
            key: 'move',
            title: '',
            fixed: true,
            value: () => '',
            text: () => '',
            cell: (e: Managed) => (
              <Group gap={4} wrap="nowrap" justify="flex-end">
                {([-1, 1] as const).map((by) => (
                  <ActionIcon
                    key={by}
                    variant="subtle"
                    color="gray"
                    aria-label={t(by < 0 ? 'eventManage.up' : 'eventManage.down', { event: nameOf(e) })}
                    disabled={order.isPending || keys.indexOf(e.key) + by < 0 || keys.indexOf(e.key) + by >= keys.length}
                    onClick={() => order.mutate(moved(keys, e.key, by), { onError: failed })}
                  >
                    <span className={by < 0 ? 'turn-up' : 'turn-down'}>
                      <ChevronIcon size={18} />
                    </span>
                  </ActionIcon>
                ))}
              </Group>
            ),
          } satisfies Column<Managed>,
        ]
      : []),
  ];
  const change = (visibility: boolean) =>
    show.mutate(
      { keys: [...chosen], show: visibility },
      {
        onSuccess: () => {
          toasts.show(t('app.saved'));
          setTicked([]);
        },
        onError: failed,
      },
    );
  return (
    <>
      <Box className="card" p="md">
        <DataTable
          caption={t('nav.eventManage')}
          columns={columns}
          rows={events}
          file={`${app.name} ${t('nav.eventManage')}`}
          empty={t('events.none')}
          actions={
            <Group gap="xs">
              {mayWrite && (
                <>
                  <Button size="sm" px="sm" variant="default" disabled={chosen.length === 0} onClick={() => change(true)}>
                    {t('eventManage.show')}
                  </Button>
                  <Button size="sm" px="sm" variant="default" disabled={chosen.length === 0} onClick={() => change(false)}>
                    {t('eventManage.hide')}
                  </Button>
                </>
              )}
              {mayDelete && (
                <Button size="sm" px="sm" variant="default" color="red" disabled={chosen.length === 0} onClick={() => setDeleting([...chosen])}>
                  {t('app.delete')}
                </Button>
              )}
            </Group>
          }
          {...table}
        />
      </Box>
      {editing !== undefined && <EventForm app={app} event={editing} onClose={() => setEditing(undefined)} />}
      {deleting !== undefined && (
        <DeleteEvents
          app={app}
          keys={deleting}
          onClose={() => setDeleting(undefined)}
          onDone={() => {
            setDeleting(undefined);
            setTicked([]);
          }}
        />
      )}
    </>
  );
}

function EventForm({ app, event, onClose }: { app: App; event: Managed; onClose: () => void }) {
  const { t } = useTranslation();
  const save = useSaveEvent(app._id);
  const [name, setName] = useState(event.name);
  const [desc, setDesc] = useState(event.desc);
  const [visible, setVisible] = useState(event.visible);
  const [omitted, setOmitted] = useState(event.omitted);
  return (
    <FormDialog
      title={event.key}
      pending={save.isPending}
      error={save.error}
      onClose={onClose}
      onSubmit={() =>
        save.mutate(
          { key: event.key, name: name.trim(), desc: desc.trim(), visible, omitted },
          {
            onSuccess: () => {
              toasts.show(t('app.saved'));
              onClose();
            },
          },
        )
      }
    >
      <TextInput data-autofocus label={t('events.name')} maxLength={200} placeholder={event.key} value={name} onChange={(e) => setName(e.currentTarget.value)} />
      <Textarea label={t('events.desc')} maxLength={2000} autosize minRows={2} value={desc} onChange={(e) => setDesc(e.currentTarget.value)} />
      <Switch label={t('eventManage.shown')} description={t('eventManage.shownHint')} checked={visible} onChange={(e) => setVisible(e.currentTarget.checked)} />
      <TagsInput
        label={t('eventManage.omitted')}
        description={t('eventManage.omittedHint')}
        data={[...new Set([...event.segments, ...event.omitted])]}
        value={omitted}
        onChange={setOmitted}
      />
    </FormDialog>
  );
}

function DeleteEvents({ app, keys, onClose, onDone }: { app: App; keys: string[]; onClose: () => void; onDone: () => void }) {
  const { t } = useTranslation();
  const remove = useDeleteEvents(app._id);
  return (
    <ConfirmTyped
      title={t('eventManage.delete', { count: keys.length })}
      text={`${t('eventManage.deleteHint')} ${keys.join(', ')}`}
      word={keys.length === 1 ? (keys[0] ?? '') : String(keys.length)}
      button={t('app.delete')}
      pending={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(keys, {
          onSuccess: () => {
            toasts.show(t('eventManage.deleted', { count: keys.length }));
            onDone();
          },
        })
      }
    />
  );
}

function Groups({ app }: { app: App }) {
  const { t } = useTranslation();
  const member = useQuery(me).data;
  const query = useQuery(eventGroups(app._id));
  const remove = useDeleteGroup(app._id);
  const table = useTableState();
  const [open, setOpen] = useState<EventGroup | 'new'>();
  const [leaving, setLeaving] = useState<EventGroup>();
  const allowed = (action: 'c' | 'u' | 'd') => member !== undefined && may(member, app._id, 'core', action);
  const state = (g: EventGroup) => t(g.status ? 'eventManage.shown' : 'eventManage.hidden');
  const columns: Column<EventGroup>[] = [
    { key: 'name', title: t('eventManage.group'), fixed: true, value: (g) => g.name, text: (g) => g.name },
    { key: 'desc', title: t('events.desc'), value: (g) => g.description ?? '', text: (g) => (g.description === undefined || g.description === '' ? '–' : g.description) },
    { key: 'events', title: t('nav.events'), value: (g) => g.source_events.join(', '), text: (g) => g.source_events.join(', ') },
    { key: 'state', title: t('eventManage.state'), short: true, value: state, text: state, cell: (g) => <Status kind={g.status ? 'good' : 'idle'}>{state(g)}</Status> },
    actionColumn((g) => [
      ...(allowed('u') ? [{ label: t('app.edit'), name: t('app.editWhat', { what: g.name }), onClick: () => setOpen(g) }] : []),
      ...(allowed('d') ? [{ label: t('app.delete'), name: t('app.deleteWhat', { what: g.name }), danger: true, onClick: () => setLeaving(g) }] : []),
    ]),
  ];
  return (
    <Answer query={query}>
      {(groups) => (
        <Box className="card" p="md">
          <DataTable
            caption={t('eventManage.tabs.groups')}
            columns={columns}
            rows={groups}
            file={`${app.name} ${t('eventManage.tabs.groups')}`}
            empty={t('eventManage.noGroups')}
            actions={allowed('c') && <Button onClick={() => setOpen('new')}>{t('eventManage.add')}</Button>}
            {...table}
          />
          {open !== undefined && <GroupForm app={app} {...(open === 'new' ? {} : { group: open })} onClose={() => setOpen(undefined)} />}
          {leaving !== undefined && (
            <FormDialog
              title={t('eventManage.deleteGroup')}
              button={t('app.delete')}
              danger
              pending={remove.isPending}
              error={remove.error}
              onClose={() => setLeaving(undefined)}
              onSubmit={() =>
                remove.mutate(leaving._id, {
                  onSuccess: () => {
                    toasts.show(t('eventManage.groupDeleted', { name: leaving.name }));
                    setLeaving(undefined);
                  },
                })
              }
            >
              <Text>{t('eventManage.deleteGroupHint', { name: leaving.name })}</Text>
            </FormDialog>
          )}
        </Box>
      )}
    </Answer>
  );
}

function GroupForm({ app, group, onClose }: { app: App; group?: EventGroup; onClose: () => void }) {
  const { t } = useTranslation();
  const save = useSaveGroup(app._id);
  const keys = useQuery(eventList(app._id)).data?.list ?? [];
  const [name, setName] = useState(group?.name ?? '');
  const [description, setDescription] = useState(group?.description ?? '');
  const [sources, setSources] = useState(group?.source_events ?? []);
  const [status, setStatus] = useState(group?.status ?? true);
  return (
    <FormDialog
      title={group === undefined ? t('eventManage.add') : group.name}
      ready={name.trim() !== '' && sources.length > 0}
      pending={save.isPending}
      error={save.error}
      onClose={onClose}
      onSubmit={() =>
        save.mutate(
          { name: name.trim(), description: description.trim(), source_events: sources, status, ...(group === undefined ? {} : { _id: group._id }) },
          {
            onSuccess: () => {
              toasts.show(t('app.saved'));
              onClose();
            },
          },
        )
      }
    >
      <TextInput data-autofocus required label={t('eventManage.group')} maxLength={200} value={name} onChange={(e) => setName(e.currentTarget.value)} />
      <Textarea label={t('events.desc')} maxLength={2000} autosize minRows={2} value={description} onChange={(e) => setDescription(e.currentTarget.value)} />
      <MultiSelect required searchable label={t('nav.events')} data={[...new Set([...keys, ...sources])]} value={sources} onChange={setSources} maxValues={100} />
      <Switch label={t('eventManage.shown')} checked={status} onChange={(e) => setStatus(e.currentTarget.checked)} />
    </FormDialog>
  );
}
