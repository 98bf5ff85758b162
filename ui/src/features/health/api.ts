import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';

/** A processor, a disk, a store. Usage in percent. */
export interface Part {
  id: string;
  usage: number;
  total: number;
  used: number;
  free: number;
  units: string;
}

export interface Parts {
  overall: { usage: number };
  details: Part[];
}

export interface Machine {
  id: string;
  platform: string;
  cpu: Parts;
  memory: Parts;
  disks: Parts;
  database: Parts;
}

const often = 5000;

export const machine = queryOptions({
  queryKey: ['health', 'machine'],
  queryFn: async ({ signal }) => (await read<{ result: Machine }>('/o/system/overall', {}, signal)).result,
  refetchInterval: often,
});

/** What was taken in a step: per cent, bytes of the server, records that waited. */
export interface Sample {
  ts: number;
  cpu: number;
  memory: number;
  disk: number;
  resident: number;
  waiting: number;
}

/** The last hour by minute and the last day by quarter of an hour, as far as the server has been up; with the cap of its memory. */
export interface History {
  memory: { limit: number; resident: number };
  minutes: Sample[];
  quarters: Sample[];
}

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
  queryFn: ({ signal }) => read<History>('/o/system/history', {}, signal),
  refetchInterval: 30_000,
});

/** A part of the server's work, and how many records wait for it. */
export interface Service {
  service: string;
  status: string;
  lag: number;
}

export const services = queryOptions({
  queryKey: ['health', 'services'],
  queryFn: ({ signal }) => read<Service[]>('/o/system/observability', {}, signal),
  refetchInterval: often,
});

/** What an app sent in a period, by kind. */
export interface Points {
  dp: number;
  change: number;
  sessions: number;
  events: number;
  custom: number;
  crash: number;
  views: number;
  push: number;
  cs: number;
}

/** Data points by app; "all-apps" has the sum, for administrators. */
export function dataPoints(period: string) {
  return queryOptions({
    queryKey: ['points', period],
    queryFn: ({ signal }) => read<Record<string, Points>>('/o/server-stats/data-points', { period }, signal),
    staleTime: 30_000,
  });
}

/** Hour, weekday (0 is Sunday), sum. */
type Cell = [number, number, number, object];

/** Data points by hour and weekday: rows from Sunday on. */
export function punchCard(period: string, app: string) {
  return queryOptions({
    queryKey: ['points', period, 'card', app],
    queryFn: async ({ signal }): Promise<number[][]> => {
      const { data } = await read<{ data: Cell[] }>('/o/server-stats/punch-card', { period, selected_app: app === '' ? undefined : app }, signal);
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
