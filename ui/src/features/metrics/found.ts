import i18next from 'i18next';
import type { Found, Place } from '../../feature/manifest';
import { tabs } from '../../parts/metrics/definitions';

/** The tabs of pages by the names of their dimensions, but for one that is called as its page. */
export function found(places: readonly { page: keyof typeof tabs; route: Place }[]): Found[] {
  return places.flatMap(({ page, route }) =>
    tabs[page]
      .map((tab, i) => ({ label: i18next.t(`dimension.${tab}`), route, search: { tab: i === 0 ? '' : tab } }))
      .filter(({ label }) => label !== i18next.t(`nav.${page}`)),
  );
}
