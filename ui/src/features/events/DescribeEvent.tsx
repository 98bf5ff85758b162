import { Button, Divider, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmTyped } from '../../components/ConfirmTyped';
import { FormDialog } from '../../components/form/FormDialog';
import { toasts } from '../../components/toasts';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import type { EventList } from '../../parts/events/api';
import { useDeleteEvent, useDescribeEvent } from '../../parts/events/detail';

interface Props {
  app: App;
  eventKey: string;
  list: EventList;
  onClose: () => void;
}

/** Names and describes an event, or deletes it. */
export function DescribeEvent({ app, eventKey, list, onClose }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const describe = useDescribeEvent(app._id);
  const remove = useDeleteEvent(app._id);
  const member = useQuery(me).data;
  const [name, setName] = useState(list.map?.[eventKey]?.name ?? '');
  const [desc, setDesc] = useState(list.map?.[eventKey]?.desc ?? '');
  const [deleting, setDeleting] = useState(false);
  const mayDelete = member !== undefined && may(member, app._id, 'events', 'd');

  const submit = () =>
    describe.mutate(
      { key: eventKey, name: name.trim(), desc: desc.trim() },
      {
        onSuccess: () => {
          toasts.show(t('app.saved'));
          onClose();
        },
      },
    );
  if (deleting) {
    return (
      <ConfirmTyped
        title={t('events.delete')}
        text={t('events.deleteHint')}
        word={eventKey}
        button={t('events.delete')}
        pending={remove.isPending}
        error={remove.error}
        onClose={onClose}
        onConfirm={() =>
          remove.mutate(eventKey, {
            onSuccess: () => {
              toasts.show(t('events.deleted', { event: eventKey }));
              void navigate({ to: `/apps/${app._id}/events` });
            },
          })
        }
      />
    );
  }
  return (
    <FormDialog
      title={t('events.describe')}
      pending={describe.isPending}
      error={describe.error}
      onSubmit={submit}
      onClose={onClose}
      below={
        mayDelete && (
          <>
            <Divider my="md" />
            <Button color="red" variant="light" onClick={() => setDeleting(true)}>
              {t('events.delete')}
            </Button>
          </>
        )
      }
    >
      <TextInput label={t('events.key')} value={eventKey} readOnly />
      <TextInput data-autofocus label={t('events.name')} maxLength={200} value={name} onChange={(e) => setName(e.currentTarget.value)} />
      <Textarea label={t('events.desc')} maxLength={2000} autosize minRows={2} value={desc} onChange={(e) => setDesc(e.currentTarget.value)} />
    </FormDialog>
  );
}
