import { queryOptions } from '@tanstack/react-query';
import { read } from '../api/client';
import { firstReads } from '../api/first';

/** An app as lists of the API hold it. */
export interface App {
  _id: string;
  name: string;
  key: string;
  timezone: string;
  country: string;
  category: string;
  type: AppType;
  salt?: string;
  has_image: boolean;
}

export const appTypes = ['web', 'mobile', 'desktop'] as const;
export type AppType = (typeof appTypes)[number];

/** The categories of apps, by the number that the API has for each. */
export const categories = [
  'books', 'business', 'education', 'entertainment', 'finance', 'games', 'health', 'lifestyle', 'medical', 'music',
  'navigation', 'news', 'photography', 'productivity', 'reference', 'social', 'sports', 'travel', 'utilities', 'weather',
] as const;

interface Mine {
  admin_of: Record<string, App>;
  user_of: Record<string, App>;
}

/** The apps that the member may see, by name. */
export function sorted({ admin_of, user_of }: Mine): App[] {
  const all = new Map(Object.entries({ ...user_of, ...admin_of }));
  return [...all.values()].sort((a, b) => a.name.localeCompare(b.name) || (a._id < b._id ? -1 : 1));
}

export const myApps = queryOptions({
  queryKey: ['apps', 'mine'],
  queryFn: async ({ signal }) => sorted(await read<Mine>(firstReads.apps, {}, signal)),
  staleTime: 60_000,
});

/** Where an app's picture is; undefined when it has none. */
export function iconOf(app: Pick<App, '_id' | 'has_image'>): string | undefined {
  return app.has_image ? `/appimages/${app._id}.png` : undefined;
}
