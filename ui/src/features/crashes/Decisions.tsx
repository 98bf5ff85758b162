import { Button, Checkbox, Group as Row, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { messageOf } from '../../api/client';
import { CopyField } from '../../components/CopyBlock';
import { Dialog } from '../../components/Dialog';
import { ErrorNote } from '../../components/ErrorNote';
import { ConfirmDelete } from '../../components/form/ConfirmDelete';
import { toasts } from '../../components/toasts';
import { serverAddress } from '../../lib/base';
import { useCarried } from '../../lib/useView';
import { sharedParts, useDecide, useNote, type Decision, type Group } from './api';

/** What can be decided about a group, as far as one may. */
export function Decisions({ app, group }: { app: App; group: Group }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const carried = useCarried();
  const member = useQuery(me).data;
  const decide = useDecide(app._id);
  const [open, setOpen] = useState<'share' | 'delete'>();
  const can = (action: 'u' | 'd') => member !== undefined && may(member, app._id, 'crashes', action);
  const act = (what: Decision) =>
    decide.mutate(
      { ids: [group._id], what },
      { onSuccess: () => toasts.show(t(`crashes.done.${what}`, { count: 1 })), onError: (error) => toasts.show(messageOf(error), 'failed') },
    );
  const offered: Exclude<Decision, 'share' | 'unshare' | 'delete'>[] = [
    ...(group.is_resolved ? (['unresolve'] as const) : (['resolve'] as const)),
    ...(group.is_resolved || group.is_resolving === true ? [] : (['resolving'] as const)),
    group.is_hidden === true ? 'show' : 'hide',
  ];
  return (
    <Row gap="xs">
      {can('u') &&
        offered.map((what) => (
          <Button key={what} variant={what === 'resolve' ? 'filled' : 'default'} disabled={decide.isPending} onClick={() => act(what)}>
            {t(`crashes.do.${what}`)}
          </Button>
        ))}
      {can('u') && (
        <Button variant="default" onClick={() => setOpen('share')}>
          {t('crashes.share')}
        </Button>
      )}
      {can('d') && (
        <Button variant="default" c="red" onClick={() => setOpen('delete')}>
          {t('app.delete')}
        </Button>
      )}
      {open === 'share' && <Share app={app} group={group} onClose={() => setOpen(undefined)} />}
      {open === 'delete' && (
        <ConfirmDelete
          what={group.name}
          id={{ ids: [group._id], what: 'delete' as const }}
          remove={decide}
          done={t('crashes.done.delete', { count: 1 })}
          onClose={() => setOpen(undefined)}
          onDone={() => void navigate({ to: '/apps/$appId/crashes', params: { appId: app._id }, search: carried })}
        />
      )}
    </Row>
  );
}

/** Whether a part of the public page is on. */
const shown = (value: unknown): boolean => value === true || value === 1;

/** The public page of a group: whether there is one, its address, and what it shows. */
function Share({ app, group, onClose }: { app: App; group: Group; onClose: () => void }) {
  const { t } = useTranslation();
  const decide = useDecide(app._id);
  const note = useNote(app._id, group._id);
  const error = decide.error ?? note.error;
  const title = t('crashes.shareTitle');
  return (
    <Dialog onClose={onClose} title={title}>
      <Stack gap="md">
        {error !== null && <ErrorNote error={error} />}
        <Text size="sm">{t('crashes.shareHint')}</Text>
        {group.is_public && <CopyField label={t('crashes.shareLink')} hint={t('crashes.shareLinkHint')} value={`${serverAddress()}/crash/${group.url}`} />}
        <Checkbox.Group
          label={t('crashes.shareParts')}
          description={t('crashes.sharePartsHint')}
          value={sharedParts.filter((part) => shown(group.share[part]))}
          onChange={(chosen: string[]) => note.mutate({ what: 'modify_share', data: Object.fromEntries(sharedParts.map((part) => [part, chosen.includes(part) ? 1 : 0])) })}
        >
          <Stack gap="xs" mt="xs">
            {sharedParts.map((part) => (
              <Checkbox key={part} value={part} label={t(`crashes.parts.${part}`)} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Row justify="flex-end">
          <Button
            variant={group.is_public ? 'default' : 'filled'}
            {...(group.is_public ? { c: 'red' } : {})}
            loading={decide.isPending}
            onClick={() => decide.mutate({ ids: [group._id], what: group.is_public ? 'unshare' : 'share' })}
          >
            {t(group.is_public ? 'crashes.unshare' : 'crashes.shareNow')}
          </Button>
        </Row>
      </Stack>
    </Dialog>
  );
}
