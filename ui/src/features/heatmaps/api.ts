import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, upload, write, writeFor } from '../../api/client';
import * as v from '../../api/schema';
import { base } from '../../lib/base';
import { wirePeriod, type Period } from '../../lib/period';
import type { Scope } from '../../parts/figures/api';

/** The kinds of devices, by the width of the page in pixels. */
export const widths = {
  all: {},
  phone: { maxWidth: 599 },
  tablet: { minWidth: 600, maxWidth: 1023 },
  desktop: { minWidth: 1024 },
} as const;
export type Device = keyof typeof widths;
export const devices = Object.keys(widths) as Device[];

/** What a heat map shows. */
export const kinds = ['click', 'scroll', 'dead', 'rage'] as const;
export type Kind = (typeof kinds)[number];

/** Where people click on a view and how far they scroll; spots are column, row, clicks, dead clicks, rage clicks. Times are in ms. */
export const Heat = v.object({
  clicks: v.number(),
  users: v.number(),
  dead: v.number(),
  rage: v.number(),
  rage_users: v.number(),
  visits: v.number(),
  clicked: v.number(),
  first_click: v.number(),
  first_click_late: v.number(),
  scrolls: v.number(),
  reached: v.array(v.number()),
  width: v.number(),
  height: v.number(),
  columns: v.number(),
  rows: v.number(),
  spots: v.array(v.tuple([v.number(), v.number(), v.number(), v.number(), v.number()])),
  cut: v.boolean(),
});
export type Heat = v.Of<typeof Heat>;

export function heatParams(app: Scope, view: string, device: Device, period: Period) {
  const { filter } = app;
  return { app_id: app._id, view, device: widths[device], period: wirePeriod(period, app.timezone), ...(filter === undefined ? {} : { filter }) };
}

/** The heat map of a view; onTask gets the task that counts it, where it takes the server long. */
export function heatOf(app: Scope, view: string, device: Device, period: Period, onTask?: (id: string | undefined) => void) {
  const params = heatParams(app, view, device, period);
  return queryOptions({
    queryKey: ['heatmaps', app._id, 'heat', params],
    queryFn: ({ signal }) => read('/o/heatmaps', Heat, params, signal, onTask),
    staleTime: 30_000,
  });
}

/** A picture of a view on a kind of devices; the address is that of the page, "" of an uploaded one. */
export const Picture = v.object({
  view: v.string(),
  device: v.string(),
  width: v.number(),
  height: v.number(),
  address: v.string(),
  at: v.number(),
});
export type Picture = v.Of<typeof Picture>;

const picturesKey = (appID: string) => ['heatmaps', appID, 'pictures'];

export function pictures(appID: string) {
  return queryOptions({
    queryKey: picturesKey(appID),
    queryFn: ({ signal }) => read('/o/heatmaps/pictures', v.array(Picture), { app_id: appID }, signal),
    staleTime: 30_000,
  });
}

/** Where the browser finds a picture. */
export function sourceOf(appID: string, { view, device, at }: Picture): string {
  return `${base}/o/heatmaps/picture?${new URLSearchParams({ app_id: appID, view, device, at: String(at) }).toString()}`;
}

export interface Change {
  view: string;
  device: Device;
}

/** Has the server take a picture of a page, keeps one that is uploaded, or deletes one. */
export function useTake(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ url, ...of }: Change & { url: string }) => writeFor('/i/heatmaps/take', Picture, { app_id: appID, ...of, url }),
    onSuccess: () => queries.invalidateQueries({ queryKey: picturesKey(appID) }),
  });
}

export function useUpload(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ file, view, device }: Change & { file: File }) => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ app_id: appID, view, device })) form.set(name, value);
      form.set('picture', file);
      return upload('/i/heatmaps/upload', Picture, form);
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: picturesKey(appID) }),
  });
}

export function useDeletePicture(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (of: Change) => write('/i/heatmaps/delete', { app_id: appID, ...of }),
    onSuccess: () => queries.invalidateQueries({ queryKey: picturesKey(appID) }),
  });
}

/** How long a page of a site may read heat maps that was opened from here, in seconds. */
const lasting = 3600;

/** A token that is good for reading clicks of the app, and for nothing else. */
export async function tokenOf(appID: string): Promise<string> {
  const Created = v.object({ result: v.string() });
  const params = { apps: appID, endpoint: '^/o/actions$', purpose: 'heatmap', ttl: lasting, multi: true };
  return (await writeFor('/i/token/create', Created, params)).result;
}
