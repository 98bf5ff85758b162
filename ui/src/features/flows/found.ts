import type { QueryClient } from '@tanstack/react-query';
import type { Found, Place } from '../../feature/manifest';
import { viewNames } from '../../parts/views/manage';
import { flowList } from './api';
import { fromFlow, searchOf } from './draft';

/** The saved flows of an app. Who may not read views sees those that are about one by what was sent. */
export async function found(route: Place, appID: string, queries: QueryClient): Promise<Found[]> {
  const [list, views] = await Promise.all([queries.query(flowList(appID)), queries.query({ ...viewNames(appID), retry: false }).catch(() => [])]);
  return list.map((flow) => ({ label: flow.name, route, search: searchOf(fromFlow(flow, (vid) => views.find((view) => view._id === vid)?.view)) }));
}
