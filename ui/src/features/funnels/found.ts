import type { QueryClient } from '@tanstack/react-query';
import type { Found, Place } from '../../feature/manifest';
import { funnels } from './api';

/** The funnels of an app. */
export async function found(route: Place, appID: string, queries: QueryClient): Promise<Found[]> {
  return (await queries.query(funnels(appID))).map(({ _id, name }) => ({ label: name, route, params: { funnelId: _id } }));
}
