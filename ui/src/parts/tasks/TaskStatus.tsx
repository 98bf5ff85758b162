import { Group, Progress, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Status } from '../../components/Status';
import { useFormat } from '../../i18n';
import { isLive, nameOfTask, taskStates, type Task } from './api';

/** The state of a task, with how far it is. */
export function TaskStatus({ task }: { task: Task }) {
  const { t } = useTranslation();
  const format = useFormat();
  const known = taskStates.find((s) => s === task.status);
  const label = known === undefined ? task.status : t(`tasks.states.${known}`);
  if (!isLive(task)) {
    return <Status kind={task.status === 'completed' ? 'good' : task.status === 'errored' ? 'bad' : 'idle'}>{label}</Status>;
  }
  const { done = 0, total = 0 } = task.progress ?? {};
  return (
    <Group gap="xs" wrap="nowrap">
      <Progress w={90} value={total === 0 ? 100 : (100 * done) / total} animated={total === 0} aria-label={t('tasks.progress', { name: nameOfTask(task) })} />
      <Text size="sm">{total > 0 ? format.percent(done / total) : done > 0 ? format.count(done) : label}</Text>
    </Group>
  );
}
