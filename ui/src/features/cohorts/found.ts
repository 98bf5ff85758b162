import type { QueryClient } from '@tanstack/react-query';
import type { Found, Place } from '../../feature/manifest';
import { cohortNames } from '../../parts/cohorts/api';

/** The cohorts of an app that one sees. */
export async function found(route: Place, appID: string, queries: QueryClient): Promise<Found[]> {
  return Object.entries(await queries.query(cohortNames(appID))).map(([cohortId, label]) => ({ label, route, params: { cohortId } }));
}
