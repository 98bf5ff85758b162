import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { FigureValue } from './Figure';

interface Props {
  title: string;
  lead?: ReactNode;
  /** At the right of the title. */
  actions?: ReactNode;
  danger?: boolean;
  children?: ReactNode;
}

/** A part of a page, with its own heading. */
export function Section({ title, lead, actions, danger = false, children }: Props) {
  return (
    <Stack className={danger ? 'card danger' : 'card'} p={{ base: 'md', sm: 'lg' }} gap="md" component="section" aria-label={title}>
      <Group justify="space-between" align="start" gap="sm">
        <div className="grow">
          <Title order={2} size="h4">
            {title}
          </Title>
          {lead !== undefined && (
            <Text size="sm" c="dimmed" component="div">
              {lead}
            </Text>
          )}
        </div>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}

/** Figures side by side: name, value, and what is to be said about it. A text is set as a figure. */
export function FigureList({ figures }: { figures: readonly { name: string; value: ReactNode; note?: ReactNode }[] }) {
  return (
    <dl className="figures">
      {figures.map(({ name, value, note }) => (
        <div key={name} className="card figure">
          <Text size="sm" c="dimmed" component="dt">
            {name}
          </Text>
          <dd>{typeof value === 'string' ? <FigureValue text={value} /> : <span className="figure-value">{value}</span>}</dd>
          {note !== undefined && <dd className="figure-note">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}

/** Names with their values, one below the other. */
export function FieldList({ fields }: { fields: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="fields">
      {fields.map(([name, value]) => (
        <div key={name}>
          <dt className="breakable">{name}</dt>
          <dd className="breakable">{typeof value === 'string' ? <bdi>{value}</bdi> : value}</dd>
        </div>
      ))}
    </dl>
  );
}
