import type { QueryClient } from '@tanstack/react-query';
import type { Found, Place } from '../../feature/manifest';
import { saved } from './api';

/** The saved statements of an app. */
export async function found(route: Place, appID: string, queries: QueryClient): Promise<Found[]> {
  return (await queries.query(saved(appID))).map(({ _id, name }) => ({ label: name, route, search: { open: _id } }));
}
