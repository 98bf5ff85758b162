import { Text } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';

const smaller = 0.62;

/** A large figure that always fits its card; units stand smaller than numbers. */
export function FigureValue({ text, title }: { text: string; title?: string }) {
  const parts = text.split(/((?<=\d)\u00a0[^\s\d]+)/); // a number, its unit, a number, …
  const letters = parts.reduce((sum, part, i) => sum + part.length * (i % 2 === 1 ? smaller : 1), 0);
  return (
    <span className="figure-value" title={title} style={{ '--letters': letters } as CSSProperties}>
      <bdi dir="ltr">{parts.map((part, i) => (i % 2 === 1 ? <small key={i}>{part}</small> : part))}</bdi>
    </span>
  );
}

interface Item {
  name: string;
  /** A text is set as a figure. */
  value: ReactNode;
  /** Said below. */
  note?: string;
}

/** Figures side by side that are only read. */
export function FigureList({ items }: { items: readonly Item[] }) {
  return (
    <dl className="figures">
      {items.map(({ name, value, note }) => (
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
