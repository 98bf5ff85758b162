import { Alert, Button, Group, Switch, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { CopyBlock } from '../../components/CopyBlock';
import { Detail } from '../../components/Detail';
import { Form } from '../../components/form/Form';
import { FormDialog } from '../../components/form/FormDialog';
import { FieldList } from '../../components/Section';
import { ErrorNote } from '../../components/ErrorNote';
import { toasts } from '../../components/toasts';
import { useSaveFile } from '../../components/useSaveFile';
import { useFormat } from '../../i18n';
import { me } from '../../access/me';
import { administers, may } from '../../access/rights';
import { isLive, nameOfTask, typeOfTask, type Task } from '../../parts/tasks/api';
import { task, useDeleteTask, useEditTask, useRerun } from '../../parts/tasks/manage';
import { TaskStatus } from '../../parts/tasks/TaskStatus';

/** How much of a JSON result is shown, in characters; the rest is in its file. */
const shown = 20_000;

interface Props {
  anyApp: string;
  id: string;
  appName: (task: Task) => string;
  onClose: () => void;
}

/** One task: what it is, its result, and what can be done with it. */
export function TaskDetail({ anyApp, id, appName, onClose }: Props) {
  const { t } = useTranslation();
  const query = useQuery(task(anyApp, id));
  return (
    <Detail title={query.data === undefined ? t('tasks.one') : nameOfTask(query.data)} onClose={onClose}>
      <Answer query={query}>{(found) => <Content key={found._id} anyApp={anyApp} task={found} appName={appName} onClose={onClose} />}</Answer>
    </Detail>
  );
}

function Content({ anyApp, task: one, appName, onClose }: { anyApp: string; task: Task } & Pick<Props, 'appName' | 'onClose'>) {
  const { t } = useTranslation();
  const format = useFormat();
  const saveFile = useSaveFile();
  const member = useQuery(me).data;
  const rerun = useRerun(anyApp);
  const remove = useDeleteTask(anyApp);
  const [deleting, setDeleting] = useState(false);
  const mine = member !== undefined && (one.creator === member._id || (one.app_id === '' ? member.global_admin : administers(member, one.app_id)));
  const allowed = (action: 'u' | 'd') => mine && may(member, one.app_id === '' ? anyApp : one.app_id, 'core', action);
  const time = (ms: number | undefined) => (ms === undefined || ms === 0 ? '–' : format.moment(ms));
  const text = one.data === undefined ? '' : JSON.stringify(one.data, undefined, 2);
  return (
    <>
      {one.errormsg !== undefined && (
        <Alert color="red" title={t('tasks.states.errored')} className="breakable">
          {one.errormsg}
        </Alert>
      )}
      {rerun.isError && <ErrorNote error={rerun.error} />}
      <FieldList
        fields={[
          [t('tasks.state'), <TaskStatus key="state" task={one} />],
          [t('tasks.type'), typeOfTask(t, one)],
          [t('tasks.app'), appName(one)],
          [t('tasks.asked'), time(one.ts)],
          [t('tasks.start'), time(one.start)],
          [t('tasks.end'), time(one.end)],
          ...(one.start !== undefined && one.end !== undefined && one.end > one.start
            ? [[t('tasks.took'), format.duration((one.end - one.start) / 1000)] as const]
            : []),
          ...(one.file === undefined ? [] : [[t('tasks.file'), `${one.file.name} (${format.bytes(one.file.size)})`] as const]),
        ]}
      />
      <Group gap="xs">
        {one.hasData && <Button onClick={() => void saveFile(`/o/export/download/${one._id}`, { app_id: anyApp })}>{t('tasks.download')}</Button>}
        {allowed('u') && !isLive(one) && (
          <Button variant="default" loading={rerun.isPending} onClick={() => rerun.mutate({ id: one._id }, { onSuccess: () => toasts.show(t('tasks.rerunning')) })}>
            {t('tasks.rerun')}
          </Button>
        )}
        {allowed('d') && (
          <Button variant="default" c="red" onClick={() => setDeleting(true)}>
            {t('app.delete')}
          </Button>
        )}
      </Group>
      {allowed('u') && <Naming anyApp={anyApp} task={one} />}
      {text !== '' && <CopyBlock label={t('tasks.result')} code={text.length > shown ? `${text.slice(0, shown)}\n…` : text} />}
      {deleting && (
        <FormDialog
          title={t('tasks.delete')}
          button={t('app.delete')}
          danger
          pending={remove.isPending}
          error={remove.error}
          onClose={() => setDeleting(false)}
          onSubmit={() =>
            remove.mutate(
              { id: one._id },
              {
                onSuccess: () => {
                  toasts.show(t('tasks.deleted'));
                  onClose();
                },
              },
            )
          }
        >
          {t('tasks.deleteHint', { name: nameOfTask(one) })}
        </FormDialog>
      )}
    </>
  );
}

function Naming({ anyApp, task: one }: { anyApp: string; task: Task }) {
  const { t } = useTranslation();
  const edit = useEditTask(anyApp);
  const [name, setName] = useState(one.name ?? one.report_name);
  const [description, setDescription] = useState(one.report_desc ?? '');
  const [shared, setShared] = useState(one.global);
  const submit = () => edit.mutate({ id: one._id, name: name.trim(), description: description.trim(), shared }, { onSuccess: () => toasts.show(t('app.saved')) });
  return (
    <Form pending={edit.isPending} error={edit.error} onSubmit={submit}>
      <TextInput label={t('tasks.name')} maxLength={500} value={name} onChange={(e) => setName(e.currentTarget.value)} />
      <Textarea label={t('tasks.description')} maxLength={2000} autosize minRows={2} value={description} onChange={(e) => setDescription(e.currentTarget.value)} />
      {one.app_id !== '' && (
        <Switch label={t('tasks.shared')} description={t('tasks.sharedHint')} checked={shared} onChange={(e) => setShared(e.currentTarget.checked)} />
      )}
    </Form>
  );
}
