import { Button, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { FormDialog } from '../../components/form/FormDialog';
import { toasts } from '../../components/toasts';
import { useFormat } from '../../i18n';
import { useAddPeople, useSaveCohort, type Conditions } from './api';

/** The people of a list: their numbers, or what finds these, which make a profile group, or the conditions that select them, which make a cohort. */
type Whom = { uids: readonly string[] } | { count: number; find: () => Promise<string[]> } | { conditions: Conditions };

const countOf = (whom: Exclude<Whom, { conditions: Conditions }>) => ('uids' in whom ? whom.uids.length : whom.count);

/** Keeps the people of a list as a cohort, for those who may. */
export function SaveCohort({ app, whom }: { app: App; whom: Whom }): ReactNode {
  const { t } = useTranslation();
  const member = useQuery(me).data;
  const [open, setOpen] = useState(false);
  const allowed = (feature: 'cohorts' | 'profile_groups', action: 'c' | 'u') => member !== undefined && may(member, app._id, feature, action);
  if (!('conditions' in whom ? allowed('cohorts', 'c') : allowed('profile_groups', 'c') && allowed('profile_groups', 'u'))) return null;
  return (
    <>
      <Button variant="default" size="sm" disabled={!('conditions' in whom) && countOf(whom) === 0} onClick={() => setOpen(true)}>
        {t('cohorts.saveAs')}
      </Button>
      {open && <Save app={app} whom={whom} onClose={() => setOpen(false)} />}
    </>
  );
}

function Save({ app, whom, onClose }: { app: App; whom: Whom; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const save = useSaveCohort(app._id);
  const add = useAddPeople(app._id);
  const [name, setName] = useState('');
  const done = (duplicate: boolean) => {
    toasts.show(t(duplicate ? 'cohorts.duplicate' : 'cohorts.saved'));
    onClose();
  };
  const submit = () =>
    save.mutate(
      {
        sent: { cohort_name: name.trim(), cohort_desc: '', visibility: 'global', shared_email_edit: [], type: 'conditions' in whom ? 'auto' : 'manual', ...('conditions' in whom ? whom.conditions : {}) },
      },
      {
        onSuccess: ({ result, duplicate }) => {
          if ('conditions' in whom) done(duplicate);
          else add.mutate({ id: result, uids: 'uids' in whom ? whom.uids : whom.find }, { onSuccess: () => done(false) });
        },
      },
    );
  return (
    <FormDialog title={t('cohorts.saveAs')} pending={save.isPending || add.isPending} error={save.error ?? add.error} ready={name.trim() !== ''} onClose={onClose} onSubmit={submit}>
      <Text size="sm" c="dimmed">
        {'conditions' in whom ? t('cohorts.saveFilter') : t('cohorts.saveList', { count: countOf(whom), number: format.count(countOf(whom)) })}
      </Text>
      <TextInput data-autofocus required label={t('cohorts.name')} maxLength={200} value={name} onChange={(e) => setName(e.currentTarget.value)} />
    </FormDialog>
  );
}
