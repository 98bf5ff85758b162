import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { GoesOn } from '../../components/GoesOn';
import { Coming, Failed } from '../../components/States';

/** Stands for the answer of a question until it is there. */
export function Waiting({ task, error, refetch }: { task: string | undefined; error: Error | null; refetch: () => unknown }) {
  if (error !== null) return <Failed error={error} retry={() => void refetch()} />;
  return task === undefined ? <Coming height={240} /> : <GoesOn task={task} />;
}

/** Says that there are too few people. */
export function TooFew({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <div>
      <Text size="sm" fw={600}>
        {t('crashes.impact.few')}
      </Text>
      <Text size="sm" c="dimmed">
        {text}
      </Text>
    </div>
  );
}
