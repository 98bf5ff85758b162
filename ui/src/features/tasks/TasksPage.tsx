import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { actionColumn } from '../../components/form/RowActions';
import { Page } from '../../components/Page';
import type { Column } from '../../components/table/columns';
import { Filters, FilterSelect } from '../../components/table/Filters';
import { ServerTable } from '../../components/table/ServerTable';
import { useSaveFile } from '../../components/useSaveFile';
import { useFormat } from '../../i18n';
import { useOnly, useView } from '../../lib/useView';
import { myApps, type App } from '../../access/apps';
import { isLive, nameOfTask, taskList, taskStates, typeOfTask, type Task } from '../../parts/tasks/api';
import { TaskDetail } from './TaskDetail';
import { TaskStatus } from '../../parts/tasks/TaskStatus';

/** Long work of the server: exports and the like, what became of it, and its results. */
export function TasksPage({ app }: { app: App }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [only] = useOnly();
  const [view, set] = useView();
  const apps = useQuery(myApps).data ?? [];
  const saveFile = useSaveFile();
  const appName = (task: Task) => (task.app_id === '' ? t('tasks.noApp') : (apps.find((a) => a._id === task.app_id)?.name ?? task.app_id));
  const time = (ms: number | undefined) => (ms === undefined || ms === 0 ? '–' : format.moment(ms));
  const columns: Column<Task>[] = [
    {
      key: 'name',
      title: t('tasks.name'),
      fixed: true,
      value: nameOfTask,
      text: nameOfTask,
      cell: (task) => (
        <Anchor component="button" type="button" size="sm" ta="start" className="breakable" onClick={() => set({ open: task._id })}>
          {nameOfTask(task)}
        </Anchor>
      ),
    },
    { key: 'status', title: t('tasks.state'), fixed: true, value: (task) => task.status, text: (task) => task.status, cell: (task) => <TaskStatus task={task} /> },
    { key: 'type', title: t('tasks.type'), value: (task) => typeOfTask(t, task), text: (task) => typeOfTask(t, task) },
    { key: 'app', title: t('tasks.app'), value: appName, text: appName },
    { key: 'ts', title: t('tasks.asked'), short: true, value: (task) => task.ts, text: (task) => time(task.ts) },
    { key: 'start', title: t('tasks.start'), short: true, value: (task) => task.start ?? 0, text: (task) => time(task.start) },
    { key: 'end', title: t('tasks.end'), short: true, value: (task) => task.end ?? 0, text: (task) => time(task.end) },
    actionColumn((task) =>
      task.hasData
        ? [
            {
              label: t('tasks.download'),
              name: t('tasks.downloadWhat', { what: nameOfTask(task) }),
              onClick: () => void saveFile(`/o/export/download/${task._id}`, { app_id: app._id }),
            },
          ]
        : [],
    ),
  ];
  return (
    <Page title={t('nav.tasks')} lead={t('tasks.lead')}>
      <Filters>
        <FilterSelect name="state" label={t('tasks.state')} data={taskStates.map((value) => ({ value, label: t(`tasks.states.${value}`) }))} />
        <FilterSelect name="app" label={t('tasks.app')} data={apps.map((a) => ({ value: a._id, label: a.name }))} />
      </Filters>
      <ServerTable
        caption={t('nav.tasks')}
        list={taskList(app._id, only)}
        columns={columns}
        order="-ts"
        usuallyHidden="start,end"
        file={t('nav.tasks')}
        empty={t('tasks.none')}
        every={(rows: readonly Task[]) => (rows.some(isLive) ? 1500 : 15_000)}
      />
      {view.open !== '' && <TaskDetail anyApp={app._id} id={view.open} appName={appName} onClose={() => set({ open: '' })} />}
    </Page>
  );
}
