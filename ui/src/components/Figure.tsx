import type { CSSProperties } from 'react';

const smaller = 0.62;

/** A large figure that always fits its card; units stand smaller than numbers. */
export function FigureValue({ text, title }: { text: string; title?: string }) {
  const parts = text.split(/((?<=\d)\u00a0[^\s\d]+)/); // a number, its unit, a number, …
  const letters = parts.reduce((sum, part, i) => sum + part.length * (i % 2 === 1 ? smaller : 1), 0);
  const style: CSSProperties & { '--letters': number } = { '--letters': letters };
  return (
    <span className="figure-value" title={title} style={style}>
      <bdi dir="ltr">{parts.map((part, i) => (i % 2 === 1 ? <small key={i}>{part}</small> : part))}</bdi>
    </span>
  );
}
