import { ActionIcon, Button, Indicator, Popover, Progress, Stack, Text, Title } from '@mantine/core';
import { useIsFetching, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isLive, nameOfTask, taskList, type Task } from '../../parts/tasks/api';
import { useFormat } from '../../i18n';
import { BellIcon } from '../../components/icons';
import { Status } from '../../components/Status';
import { useZone } from '../../components/time/useZone';
import { pageOf } from '../../components/table/listing';
import { toasts } from '../../components/toasts';
import { ended } from './ended';

/** How often the tasks are looked at, in ms: often while one is on its way. */
const [busy, idle] = [2000, 20_000];
const size = 8;
/** How long the page must have asked for nothing before the bell asks, in ms. */
const quiet = 300;

/** Whether the page has had what it asked for first. */
function usePageStands(): boolean {
  const [stands, setStands] = useState(false);
  const asks = useIsFetching({ predicate: ({ state }) => state.data === undefined }) > 0;
  useEffect(() => {
    if (asks || stands) return;
    const timer = setTimeout(() => setStands(true), quiet);
    return () => clearTimeout(timer);
  }, [asks, stands]);
  return stands;
}

/** The latest long work of the server, how far it is, and a word when it is done. */
export default function TaskBell({ appID }: { appID: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [opened, setOpened] = useState(false);
  const stands = usePageStands();
  const { data } = useQuery({
    enabled: stands || opened,
    ...pageOf(taskList(appID, {}), { search: '', sort: { key: 'ts', desc: true }, page: 1, size }),
    refetchInterval: ({ state }) => (state.data?.aaData.some(isLive) === true ? busy : idle),
  });
  const tasks = data?.aaData ?? [];
  const running = tasks.filter(isLive).length;

  const before = useRef<readonly Task[]>([]);
  const tell = useEffectEvent((now: readonly Task[]) => {
    for (const task of ended(before.current, now)) {
      const good = task.status === 'completed';
      toasts.show(t(good ? 'bell.done' : 'bell.failed', { task: nameOfTask(task) }), good ? 'done' : 'failed');
    }
    before.current = now;
  });
  useEffect(() => tell(data?.aaData ?? []), [data]);

  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" shadow="md" trapFocus returnFocus width={320}>
      <Indicator inline disabled={running === 0} size={10} processing color="indigo" offset={4}>
        <Popover.Target>
          <ActionIcon
            variant="default"
            size={36}
            radius="xl"
            aria-label={running === 0 ? t('bell.label') : t('bell.running', { count: running, number: format.count(running) })}
            onClick={() => setOpened((o) => !o)}
          >
            <BellIcon />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown aria-label={t('bell.label')}>
        <Stack gap="sm">
          <Title order={2} size="h5">
            {t('bell.label')}
          </Title>
          {tasks.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('bell.none')}
            </Text>
          ) : (
            <ul className="bell">
              {tasks.map((task) => (
                <li key={task._id}>
                  <OneTask task={task} />
                </li>
              ))}
            </ul>
          )}
          <Button component={Link} to="/manage/tasks" variant="default" onClick={() => setOpened(false)}>
            {t('bell.all')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function OneTask({ task }: { task: Task }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { zone } = useZone();
  const { done = 0, total = 0 } = task.progress ?? {};
  const share = total > 0 ? Math.min(1, done / total) : undefined;
  const name = nameOfTask(task);
  return (
    <>
      <Text size="sm" fw={600} className="breakable">
        {name}
      </Text>
      {isLive(task) ? (
        <>
          <Status kind="busy">{share === undefined ? t('bell.working') : t('bell.share', { share: format.percent(share) })}</Status>
          <Progress value={share === undefined ? 100 : share * 100} animated={share === undefined} striped={share === undefined} size="sm" mt={4} aria-label={t('bell.progress', { task: name })} />
        </>
      ) : (
        <Text size="sm" c="dimmed">
          <Status kind={task.status === 'completed' ? 'good' : 'bad'}>
            {t(task.status === 'completed' ? 'bell.finished' : 'bell.broken', { when: format.moment(task.end ?? task.ts, zone === '' ? undefined : zone) })}
          </Status>
        </Text>
      )}
    </>
  );
}
