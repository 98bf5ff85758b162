import { Anchor, Badge, Button, Group, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { me } from '../../access/me';
import { administers, may } from '../../access/rights';
import { ErrorNote } from '../../components/ErrorNote';
import { FormDialog } from '../../components/form/FormDialog';
import { Section } from '../../components/Section';
import { toasts } from '../../components/toasts';
import { useFormat } from '../../i18n';
import { draft, issue, settings, useDo, type Deed, type Issue, type Proposal } from './api';
import { kindName } from './TrackerPage';

const colours = { open: 'blue', doing: 'orange', done: 'green' } as const;

/** The issue of a crash group, or the ways to one. */
export function IssueSection({ app, group }: { app: App; group: string }) {
  const { t } = useTranslation();
  const member = useQuery(me).data;
  const set = useQuery(settings(app._id));
  const found = useQuery(issue(app._id, group));
  const [open, setOpen] = useState<'create' | 'link'>();
  const deed = useDo(app._id, group);
  // The feature may be switched off.
  if (set.data === undefined || found.data === undefined || member === undefined) return null;
  const can = (action: 'c' | 'u') => may(member, app._id, 'crashes', action);
  if (!set.data.set_up && found.data === null) {
    return administers(member, app._id) ? (
      <Section
        title={t('trackers.issue')}
        lead={t('trackers.notSetUp')}
        actions={
          <Button component={Link} to={`/apps/${app._id}/issue-tracker`} variant="default">
            {t('trackers.setUp')}
          </Button>
        }
      />
    ) : null;
  }
  const act = (what: Deed, done: string) => deed.mutate(what, { onSuccess: () => toasts.show(done) });
  return (
    <Section
      title={t('trackers.issue')}
      lead={found.data === null ? t('trackers.none', { tracker: kindName(set.data.tracker) }) : undefined}
      actions={
        found.data === null ? (
          <Group gap="xs">
            {can('c') && <Button onClick={() => setOpen('create')}>{t('trackers.create')}</Button>}
            {can('u') && (
              <Button variant="default" onClick={() => setOpen('link')}>
                {t('trackers.link')}
              </Button>
            )}
          </Group>
        ) : (
          can('u') && (
            <Group gap="xs">
              <Button variant="default" disabled={deed.isPending} onClick={() => act({ do: 'sync' }, t('trackers.synced'))}>
                {t('trackers.sync')}
              </Button>
              <Button
                variant="default"
                disabled={deed.isPending}
                onClick={() => act({ do: 'state', state: found.data?.state === 'done' ? 'open' : 'done' }, t('trackers.changed'))}
              >
                {t(found.data.state === 'done' ? 'trackers.reopen' : 'trackers.close')}
              </Button>
              <Button variant="default" disabled={deed.isPending} onClick={() => act({ do: 'unlink' }, t('trackers.unlinked'))}>
                {t('trackers.unlink')}
              </Button>
            </Group>
          )
        )
      }
    >
      {deed.error !== null && open === undefined && <ErrorNote error={deed.error} />}
      {found.data !== null && <One app={app} issue={found.data} />}
      {open === 'create' && <Create app={app} group={group} onClose={() => setOpen(undefined)} />}
      {open === 'link' && <LinkExisting app={app} group={group} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

function One({ app, issue: i }: { app: App; issue: Issue }) {
  const { t } = useTranslation();
  const format = useFormat();
  const safe = /^https?:\/\//.test(i.url);
  const name = `${kindName(i.tracker)} ${/^\d+$/.test(i.key) ? '#' : ''}${i.key}`;
  return (
    <div>
      <Group gap="sm">
        {safe ? (
          <Anchor href={i.url} target="_blank" rel="noreferrer noopener" fw={600}>
            {name}
          </Anchor>
        ) : (
          <Text fw={600}>{name}</Text>
        )}
        <Badge size="sm" variant="light" color={colours[i.state]} tt="none" autoContrast>
          {i.tracker === 'jira' && i.status !== '' ? i.status : t(`trackers.states.${i.state}`)}
        </Badge>
      </Group>
      <Text size="sm" className="breakable">
        <bdi>{i.title}</bdi>
      </Text>
      <Text size="sm" c="dimmed">
        {t('trackers.lastChecked', { at: format.moment(i.lastChecked * 1000, app.timezone) })}
      </Text>
      {i.fault !== '' && (
        <Text size="sm" c="red" role="status">
          {t('trackers.notSynced', { problem: i.problem })}
        </Text>
      )}
    </div>
  );
}

interface Dialog {
  app: App;
  group: string;
  onClose: () => void;
}

/** Makes an issue, of the text that the server proposes. */
function Create({ app, group, onClose }: Dialog) {
  const { t } = useTranslation();
  const proposed = useQuery(draft(app._id, group));
  const deed = useDo(app._id, group);
  const [own, setOwn] = useState<Partial<Proposal>>({});
  const title = own.title ?? proposed.data?.title ?? '';
  const text = own.text ?? proposed.data?.text ?? '';
  return (
    <FormDialog
      title={t('trackers.create')}
      button={t('trackers.create')}
      size="xl"
      pending={deed.isPending}
      error={deed.error ?? proposed.error}
      ready={title.trim() !== '' && text.trim() !== ''}
      onSubmit={() =>
        deed.mutate(
          { do: 'create', title, text },
          {
            onSuccess: () => {
              toasts.show(t('trackers.created'));
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    >
      <TextInput label={t('trackers.issueTitle')} required maxLength={250} disabled={proposed.isPending} value={title} onChange={(e) => setOwn({ ...own, title: e.currentTarget.value })} />
      <Textarea label={t('trackers.text')} required autosize minRows={8} maxRows={18} disabled={proposed.isPending} value={text} onChange={(e) => setOwn({ ...own, text: e.currentTarget.value })} />
    </FormDialog>
  );
}

/** Links the group with an issue that is there. */
function LinkExisting({ app, group, onClose }: Dialog) {
  const { t } = useTranslation();
  const deed = useDo(app._id, group);
  const [name, setName] = useState('');
  return (
    <FormDialog
      title={t('trackers.link')}
      button={t('trackers.linkNow')}
      pending={deed.isPending}
      error={deed.error}
      ready={name.trim() !== ''}
      onSubmit={() =>
        deed.mutate(
          { do: 'link', issue: name.trim() },
          {
            onSuccess: () => {
              toasts.show(t('trackers.linked'));
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    >
      <TextInput label={t('trackers.which')} description={t('trackers.whichHint')} required data-autofocus value={name} onChange={(e) => setName(e.currentTarget.value)} />
    </FormDialog>
  );
}
