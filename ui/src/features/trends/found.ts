import type { QueryClient } from '@tanstack/react-query';
import type { Found, Place } from '../../feature/manifest';
import { bookmarks } from '../../parts/trends/api';
import { searchOf } from '../../parts/trends/report';

/** The saved reports of an app. */
export async function found(route: Place, appID: string, queries: QueryClient): Promise<Found[]> {
  return (await queries.query(bookmarks(appID))).map((b) => ({ label: b.name, route, search: searchOf(b) }));
}
