import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write } from '../../api/client';
import * as v from '../../api/schema';
import { uploadWatched } from '../../api/watched';

/** Platforms whose symbols the server reads. */
export const platforms = ['android', 'javascript'] as const;
export type Platform = (typeof platforms)[number];

/** Symbols of a build. Sizes are in bytes, and times in seconds. */
export const Symbols = v.object({
  _id: v.string(),
  platform: v.text,
  builds: v.array(v.text),
  note: v.text,
  ts: v.number(),
  sym_tool_ver: v.text,
  problem: v.text,
  size: v.number(),
  several: v.boolean(),
  files: v.array(v.object({ id: v.string(), name: v.text, size: v.number() })),
});
export type Symbols = v.Of<typeof Symbols>;

/** A build with crashes that has no symbols. */
export const Missing = v.object({ os: v.text, version: v.text, build: v.text, uuid: v.text, reports: v.number(), last: v.number() });
export type Missing = v.Of<typeof Missing>;

/** The symbols of an app, what they take of its quota, and the builds that have crashes but no symbols. */
export const Overview = v.object({
  symbols: v.array(Symbols),
  missing: v.array(Missing),
  used: v.number(),
  most: v.number(),
  max_files: v.number(),
  max_symbols: v.number(),
  days: v.number(),
  by_key: v.boolean(),
});
export type Overview = v.Of<typeof Overview>;

/** What the server knows of the symbols of an app. */
export function overview(appID: string) {
  return queryOptions({
    queryKey: ['symbols', appID],
    queryFn: ({ signal }) => read('/o', Overview, { method: 'crash_symbols_overview', app_id: appID }, signal),
  });
}

/** What an upload is answered with; problem says why no frame can be found by it. */
export const Added = v.object({ _id: v.string(), problem: v.fallback(v.text, '') });

export interface Upload {
  files: readonly File[];
  platform: string;
  build: string;
  note: string;
}

/** Uploads symbols. What crashes look like follows from them. */
export function useUpload(appID: string, onShare: (share: number) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ files, signal, ...fields }: Upload & { signal: AbortSignal }) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      for (const file of files) form.append(files.length > 1 ? 'symbols[]' : 'symbols', file);
      // The app stands in the address, since the server wants to know it before a large upload.
      return uploadWatched(`/i/crash_symbols/add_symbol?app_id=${encodeURIComponent(appID)}`, Added, form, onShare, signal);
    },
    onSuccess: () => forget(queries, appID),
  });
}

/** Deletes symbols. */
export function useRemove(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => write('/i/crash_symbols/remove_symbol', { app_id: appID, id }),
    onSuccess: () => forget(queries, appID),
  });
}

function forget(queries: ReturnType<typeof useQueryClient>, appID: string) {
  void queries.invalidateQueries({ queryKey: ['crashes', appID] });
  return queries.invalidateQueries({ queryKey: ['symbols', appID] });
}
