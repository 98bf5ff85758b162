import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A state in a word, with a sign of how good it is. */
export function Status({ kind, children }: { kind: 'good' | 'bad' | 'busy' | 'idle'; children: ReactNode }) {
  return (
    <Group component="span" gap={8} wrap="nowrap" display="inline-flex">
      <span className="sign" data-kind={kind} aria-hidden />
      <Text span size="sm">
        {children}
      </Text>
    </Group>
  );
}
