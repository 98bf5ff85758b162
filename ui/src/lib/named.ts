import type { Span } from './period';

/** The name of a file without ending: what it is about and the days of it. */
export function fileNamed(about: readonly string[], { from, to }: Span): string {
  return `${about.join(' ').slice(0, 100)} ${from === to ? from : `${from}_${to}`}`;
}
