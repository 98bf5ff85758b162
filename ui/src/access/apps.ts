import { queryOptions } from '@tanstack/react-query';
import { read } from '../api/client';
import { firstReads } from '../api/first';
import * as v from '../api/schema';
import { base } from '../lib/base';

export const appTypes = ['web', 'mobile', 'desktop'] as const;
export type AppType = (typeof appTypes)[number];

/** An app as lists of the API hold it. */
export const App = v.object({
  _id: v.string(),
  name: v.string(),
  key: v.string(),
  timezone: v.string(),
  country: v.string(),
  category: v.string(),
  type: v.picklist(appTypes),
  salt: v.optional(v.string()),
  has_image: v.boolean(),
});
export type App = v.Of<typeof App> & {
  /** A filter object of the API, as JSON: figures are of the part of the app that it selects; of all unless given. */
  filter?: string;
};

/** The categories of apps, by the number that the API has for each. */
export const categories = [
  'books', 'business', 'education', 'entertainment', 'finance', 'games', 'health', 'lifestyle', 'medical', 'music',
  'navigation', 'news', 'photography', 'productivity', 'reference', 'social', 'sports', 'travel', 'utilities', 'weather',
] as const;

export const Mine = v.object({
  admin_of: v.record(App),
  user_of: v.record(App),
});
export type Mine = v.Of<typeof Mine>;

/** The apps that the member may see, by name. */
export function sorted({ admin_of, user_of }: Mine): App[] {
  const all = new Map(Object.entries({ ...user_of, ...admin_of }));
  return [...all.values()].sort((a, b) => a.name.localeCompare(b.name) || (a._id < b._id ? -1 : 1));
}

export const myApps = queryOptions({
  queryKey: ['apps', 'mine'],
  queryFn: async ({ signal }) => sorted(await read(firstReads.apps, Mine, {}, signal)),
  staleTime: 60_000,
});

/** Where an app's picture is; undefined when it has none. */
export function iconOf(app: Pick<App, '_id' | 'has_image'>): string | undefined {
  return app.has_image ? `${base}/appimages/${app._id}.png` : undefined;
}
