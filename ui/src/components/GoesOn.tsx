import { Anchor, Group, Loader, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

/** Says that the server works on the answer as a task, so that nobody needs to wait for it here. */
export function GoesOn({ task }: { task: string }) {
  const { t } = useTranslation();
  return (
    <Group role="status" gap="sm" mb="sm" wrap="nowrap" align="flex-start">
      <Loader size="xs" mt={3} aria-hidden />
      <Text size="sm" c="dimmed">
        {t('goesOn.text')}{' '}
        <Anchor size="sm" underline="always" renderRoot={(props) => <Link {...props} to="/manage/tasks" search={{ open: task }} />}>
          {t('goesOn.toTask')}
        </Anchor>
      </Text>
    </Group>
  );
}
