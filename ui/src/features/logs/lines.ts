export const levels = ['error', 'warn'] as const;
export type Level = (typeof levels)[number];

/** The level of a line of a log, in either of its formats. */
export function levelOf(line: string): Level | undefined {
  const level = /(?:\blevel=|"level":")(\w+)/.exec(line)?.[1]?.toLowerCase();
  return levels.find((l) => l === level);
}

/** The lines of a log, the newest first, that hold a text and have a level. */
export function linesOf(text: string, q: string, level: Level | undefined): string[] {
  const wanted = q.trim().toLowerCase();
  return text
    .split('\n')
    .filter((line) => line !== '' && line.toLowerCase().includes(wanted) && (level === undefined || levelOf(line) === level))
    .reverse();
}
