import { Alert, Button, Group, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { Detail } from '../../components/Detail';
import { FormDialog } from '../../components/form/FormDialog';
import { FieldList } from '../../components/Section';
import { ErrorNote } from '../../components/ErrorNote';
import { toasts } from '../../components/toasts';
import { useSaveFile } from '../../components/useSaveFile';
import { useFormat } from '../../i18n';
import { useView } from '../../lib/useView';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { isLive } from '../../parts/tasks/api';
import { task } from '../../parts/tasks/manage';
import { TaskStatus } from '../../parts/tasks/TaskStatus';
import { held, useEraseSubject, useExportSubject, type Held } from './api';

/** What is held about a person, how it is handed out, and how it is erased. */
export function SubjectDetail({ app, uid, onClose }: { app: App; uid: string; onClose: () => void }) {
  const { t } = useTranslation();
  const query = useQuery(held(app._id, uid));
  const p = query.data?.app_user;
  return (
    <Detail title={p?.name ?? p?.email ?? p?.did ?? t('profiles.number', { uid })} onClose={onClose}>
      <Answer query={query}>{(data) => <Content app={app} data={data} onClose={onClose} />}</Answer>
    </Detail>
  );
}

function Content({ app, data, onClose }: { app: App; data: Held; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const member = useQuery(me).data;
  const [erasing, setErasing] = useState(false);
  const collect = useExportSubject(app._id);
  const { app_user: p, counts } = data;
  const or = (text: string | undefined) => text ?? '–';
  return (
    <>
      <FieldList
        fields={[
          [t('subjects.keys.uid'), p.uid],
          [t('profiles.did'), p.did],
          [t('profiles.person'), or(p.name)],
          [t('profiles.email'), or(p.email)],
          [t('profiles.username'), or(p.username)],
          [t('profiles.phone'), or(p.phone)],
          [t('profiles.fac'), p.fac === undefined ? '–' : format.moment(p.fac * 1000, app.timezone)],
          [t('profiles.lac'), p.lac === undefined ? '–' : format.moment(p.lac * 1000, app.timezone)],
        ]}
      />
      <Title order={3} size="h5">
        {t('subjects.held')}
      </Title>
      <FieldList
        fields={Object.entries(counts)
          .sort(([a], [b]) => a.localeCompare(b))
          .map(([kind, n]) => [t(`subjects.kinds.${kind as 'events'}`, { defaultValue: kind }), format.count(n)] as const)}
      />
      {collect.isError && <ErrorNote error={collect.error} />}
      {collect.data !== undefined && collect.data !== '' && <Collected app={app} id={collect.data} />}
      <Group gap="xs">
        {member !== undefined && may(member, app._id, 'users', 'u') && (
          <Button loading={collect.isPending} onClick={() => collect.mutate(p.uid)}>
            {t('subjects.export')}
          </Button>
        )}
        <Button variant="default" component={Link} to={`/apps/${app._id}/profiles/${p.uid}`}>
          {t('subjects.profile')}
        </Button>
        {member !== undefined && may(member, app._id, 'users', 'd') && (
          <Button variant="default" c="red" onClick={() => setErasing(true)}>
            {t('subjects.erase')}
          </Button>
        )}
      </Group>
      {erasing && <Erase app={app} uid={p.uid} word={p.name ?? p.did} onClose={() => setErasing(false)} onDone={onClose} />}
    </>
  );
}

/** The export of a person: under way, or ready to be downloaded. */
function Collected({ app, id }: { app: App; id: string }) {
  const { t } = useTranslation();
  const saveFile = useSaveFile();
  const one = useQuery(task(app._id, id)).data;
  if (one === undefined) return null;
  return (
    <Alert title={t('subjects.collected')} role="status">
      <Group gap="sm">
        {isLive(one) || one.status !== 'completed' ? (
          <TaskStatus task={one} />
        ) : (
          <Button size="xs" onClick={() => void saveFile(`/o/app_users/download/${id}`, { app_id: app._id })}>
            {t('save.download')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}

interface EraseProps {
  app: App;
  uid: string;
  /** What must be typed before the button works. */
  word: string;
  onClose: () => void;
  onDone: () => void;
}

function Erase({ app, uid, word, onClose, onDone }: EraseProps) {
  const { t } = useTranslation();
  const [, set] = useView();
  const erase = useEraseSubject(app._id);
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  return (
    <FormDialog
      title={t('subjects.erase')}
      button={t('subjects.erase')}
      danger
      ready={typed.trim() === word.trim()}
      pending={erase.isPending}
      error={erase.error}
      onClose={onClose}
      onSubmit={() =>
        erase.mutate(
          { uid, reason: reason.trim() },
          {
            onSuccess: () => {
              toasts.show(t('subjects.erasing'));
              onDone();
              set({ tab: 'erasures', open: '', q: '', sort: '', page: 1, hide: '' });
            },
          },
        )
      }
    >
      <Text>{t('subjects.eraseHint')}</Text>
      <Alert color="yellow" title={t('subjects.backups')}>
        {t('subjects.backupsHint')}
      </Alert>
      <TextInput label={t('subjects.reason')} description={t('subjects.reasonHint')} maxLength={500} value={reason} onChange={(e) => setReason(e.currentTarget.value)} />
      <TextInput label={t('subjects.typeName', { word })} autoComplete="off" value={typed} onChange={(e) => setTyped(e.currentTarget.value)} />
    </FormDialog>
  );
}
