import { Anchor, Group, Loader, Progress, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { read } from '../api/client';
import * as v from '../api/schema';
import { useFormat } from '../i18n';

/** How far a task is; a total of 0 is not known. */
export const Going = v.object({ progress: v.optional(v.object({ done: v.number(), total: v.number() })) });

/** How often is asked how far it is, in ms. */
const pause = 1000;

/** Says that the server works on the answer as a task and how far it is, so that nobody needs to wait for it here. */
export function GoesOn({ task }: { task: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { appId } = useParams({ strict: false });
  const { data } = useQuery({
    queryKey: ['goesOn', task],
    queryFn: ({ signal }) => read('/o/tasks/task', Going, { app_id: appId, task_id: task }, signal),
    enabled: appId !== undefined,
    refetchInterval: pause,
    retry: false,
  });
  const { done = 0, total = 0 } = data?.progress ?? {};
  const share = total > 0 ? Math.min(1, done / total) : undefined;
  return (
    <div role="status" className="goes-on">
      <Group gap="sm" mb="xs" wrap="nowrap" align="flex-start">
        <Loader size="xs" mt={3} aria-hidden />
        <Text size="sm" c="dimmed">
          {t('goesOn.text')}{' '}
          <Anchor size="sm" underline="always" renderRoot={(props) => <Link {...props} to="/manage/tasks" search={{ open: task }} />}>
            {t('goesOn.toTask')}
          </Anchor>
        </Text>
      </Group>
      {share !== undefined && <Progress value={share * 100} size="sm" mb="sm" aria-label={t('bell.share', { share: format.percent(share) })} />}
    </div>
  );
}
