import { Text } from '@mantine/core';
import './funnels.css';

/** A figure with how far off it may be. */
export interface SpanRow {
  key: string;
  name: string;
  /** Below the name. */
  under?: string;
  value: number;
  low: number;
  high: number;
  /** The figure, and what it means, in words. */
  text: string;
  note: string;
  /** How the figure is drawn: above or below what is usual, or not surely either. */
  tone: 'up' | 'down' | 'none';
}

interface Props {
  label: string;
  rows: readonly SpanRow[];
  /** The ends of the axis, and where a line marks what is usual. */
  from: number;
  to: number;
  mark: number;
}

/** Figures with their intervals, one below the other on one axis. */
export function Spans({ label, rows, from, to, mark }: Props) {
  const at = (value: number) => (to === from ? 0 : (Math.min(Math.max(value, from), to) - from) / (to - from)) * 100;
  return (
    <ul className="spans" aria-label={label}>
      {rows.map((row) => (
        <li key={row.key}>
          <div className="breakable">
            <Text size="sm" fw={600}>
              {row.name}
            </Text>
            {row.under !== undefined && (
              <Text size="xs" c="dimmed">
                {row.under}
              </Text>
            )}
          </div>
          <div className="spans-track" data-tone={row.tone} aria-hidden>
            <span className="spans-mark" style={{ insetInlineStart: `${at(mark)}%` }} />
            <span className="spans-bar" style={{ insetInlineStart: `${at(row.low)}%`, insetInlineEnd: `${100 - at(row.high)}%` }} />
            <span className="spans-dot" style={{ insetInlineStart: `${at(row.value)}%` }} />
          </div>
          <div>
            <Text size="sm" fw={600} className="spans-figure">
              {row.text}
            </Text>
            <Text size="xs" c="dimmed">
              {row.note}
            </Text>
          </div>
        </li>
      ))}
    </ul>
  );
}
