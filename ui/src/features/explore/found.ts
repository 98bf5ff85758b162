import type { QueryClient } from '@tanstack/react-query';
import { defaultParseSearch } from '@tanstack/react-router';
import type { Found } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { parseView } from '../../lib/view';
import { savedViews, segmentPage } from '../../parts/saved/api';

/** The pages of an app that are kept under a name. */
export async function found(appID: string, queries: QueryClient): Promise<Found[]> {
  const list = await queries.query(savedViews(appID));
  return list
    .filter(({ page }) => page !== segmentPage)
    .map(({ name, page, state }) => ({ label: name, route: { fullPath: `${appRoute.fullPath}/${page}` }, search: parseView(defaultParseSearch(`?${state}`)) }));
}
