import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';
import * as v from '../../api/schema';

/** A processor, a disk, a store. Usage in percent. */
export const Part = v.object({
  id: v.string(),
  usage: v.number(),
  total: v.number(),
  used: v.number(),
  free: v.number(),
  units: v.string(),
});
export type Part = v.Of<typeof Part>;

export const Parts = v.object({
  overall: v.object({ usage: v.number() }),
  details: v.array(Part),
});
export type Parts = v.Of<typeof Parts>;

export const Machine = v.object({
  id: v.string(),
  platform: v.string(),
  cpu: Parts,
  memory: Parts,
  disks: Parts,
  database: Parts,
});
export type Machine = v.Of<typeof Machine>;

const often = 5000;

export const machine = queryOptions({
  queryKey: ['health', 'machine'],
  queryFn: async ({ signal }) => (await read('/o/system/overall', v.object({ result: Machine }), {}, signal)).result,
  refetchInterval: often,
});

/** What was taken in a step: per cent, bytes of the server, records that waited. */
export const Sample = v.object({
  ts: v.number(),
  cpu: v.number(),
  memory: v.number(),
  disk: v.number(),
  resident: v.number(),
  waiting: v.number(),
});
export type Sample = v.Of<typeof Sample>;

/** The last hour by minute and the last day by quarter of an hour, as far as the server has been up; with the cap of its memory. */
export const History = v.object({
  memory: v.object({ limit: v.number(), resident: v.number() }),
  minutes: v.array(Sample),
  quarters: v.array(Sample),
});
export type History = v.Of<typeof History>;

/** The newest steps of a width, each with its sample if there is one. */
export function stepsOf(samples: readonly Sample[], width: number, count: number): { ts: number; sample: Sample | undefined }[] {
  const last = samples.at(-1)?.ts;
  if (last === undefined) return [];
  const at = new Map(samples.map((s) => [s.ts, s]));
  return Array.from({ length: count }, (_, i) => {
    const ts = last - (count - 1 - i) * width;
    return { ts, sample: at.get(ts) };
  });
}

export const history = queryOptions({
  queryKey: ['health', 'history'],
  queryFn: ({ signal }) => read('/o/system/history', History, {}, signal),
  refetchInterval: 30_000,
});

/** A part of the server's work, and how many records wait for it. */
export const Service = v.object({
  service: v.string(),
  status: v.string(),
  lag: v.number(),
});
export type Service = v.Of<typeof Service>;

export const services = queryOptions({
  queryKey: ['health', 'services'],
  queryFn: ({ signal }) => read('/o/system/observability', v.array(Service), {}, signal),
  refetchInterval: often,
});

/** What an app sent in a period, by kind. */
export const Points = v.object({
  dp: v.number(),
  change: v.number(),
  sessions: v.number(),
  events: v.number(),
  custom: v.number(),
  crash: v.number(),
  views: v.number(),
  push: v.number(),
  cs: v.number(),
});
export type Points = v.Of<typeof Points>;

/** Data points by app; "all-apps" has the sum, for administrators. */
export function dataPoints(period: string) {
  return queryOptions({
    queryKey: ['points', period],
    queryFn: ({ signal }) => read('/o/server-stats/data-points', v.record(Points), { period }, signal),
    staleTime: 30_000,
  });
}

/** Hour, weekday (0 is Sunday), sum. */
export const Cell = v.tuple([v.number(), v.number(), v.number()]);
export type Cell = v.Of<typeof Cell>;

/** Data points by hour and weekday: rows from Sunday on. */
export function punchCard(period: string, app: string) {
  return queryOptions({
    queryKey: ['points', period, 'card', app],
    queryFn: async ({ signal }): Promise<number[][]> => {
      const { data } = await read('/o/server-stats/punch-card', v.object({ data: v.array(Cell) }), { period, selected_app: app === '' ? undefined : app }, signal);
      return weekOfCells(data);
    },
    staleTime: 30_000,
  });
}

/** Sums of cells by weekday and hour. */
export function weekOfCells(cells: readonly Cell[]): number[][] {
  const week = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  for (const [hour, day, sum] of cells) {
    const row = week[day];
    if (row !== undefined && hour in row) row[hour] = sum;
  }
  return week;
}
