import type { ParseKeys } from 'i18next';
import type { Me } from '../access/me';
import { isAllowed } from '../feature/access';
import { areas, type BarPart, type Entry, type Feature, type Finder, type Place, type Start } from '../feature/manifest';
import { features } from '../features';

const all: readonly Feature<ParseKeys, ParseKeys>[] = features;

/** The entries of all features, in the order of the menu. */
export const entries: readonly Entry<ParseKeys>[] = areas.flatMap((area) => all.flatMap(({ menu = [] }) => menu.filter((entry) => entry.area === area)));
export const starts: readonly Start<ParseKeys>[] = all.flatMap((feature) => feature.starts ?? []);
export const finders: readonly Finder<ParseKeys>[] = all.flatMap((feature) => feature.finds ?? []);
export const barParts: readonly BarPart[] = all.flatMap((feature) => feature.bar ?? []);

/** Whether a route leads to a page of an app. */
export function isOfApp(route: Place): boolean {
  return route.fullPath.split('/').includes('$appId');
}

/** What of a list a member may use, for an app or without one. Of what is switched off there is nothing, once that is known. */
export function allowed<T extends Pick<Entry, 'access' | 'route'>>(list: readonly T[], member: Me | undefined, app: string | undefined, modules?: readonly string[]): T[] {
  return list.filter(({ access, route }) => (app !== undefined || !isOfApp(route)) && isAllowed(access, member, app, modules));
}

/** The whole path of a route, for an app or without one, and with the parameters that it has beside the app. */
export function pathOf(route: Place, app: string | undefined, params: Readonly<Record<string, string>> = {}): string {
  const values: Readonly<Record<string, string>> = { ...params, appId: app ?? '' };
  const parts = route.fullPath.split('/').map((part) => (part.startsWith('$') ? encodeURIComponent(values[part.slice(1)] ?? '') : part));
  return parts.join('/').replace(/(?<=.)\/$/, '');
}
