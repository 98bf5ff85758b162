import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { viewKey } from '../../lib/segments';
import { eventGroups } from './manage';
import { hiddenBy } from './defined';
import { useDefined } from './useDefined';
import { properties } from '../properties/api';
import { eventList } from './api';
import { nameOfEvent } from './figures';

/** The key of sessions, as questions over rows name them. */
export const sessionKey = '[CLY]_session';

/** Keys with what they are called, by headings. */
type Options = { group: string; items: { value: string; label: string }[] }[];

/** What the events of an app are called, and all that can be asked about, for menus. */
export function useEventNames(appID: string): { nameOf: (key: string) => string; options: Options } {
  const { t } = useTranslation();
  const list = useQuery(eventList(appID)).data;
  const known = useQuery(properties(appID)).data;
  const groups = useQuery(eventGroups(appID)).data;
  const defined = useDefined(appID);
  return useMemo(() => {
    const own: Record<string, string> = { [viewKey]: t('events.viewEvent'), [sessionKey]: t('events.sessionEvent') };
    const nameOf = (key: string) => own[key] ?? (groups?.find((g) => g._id === key) ?? defined?.find((d) => d._id === key))?.name ?? nameOfEvent(key, list);
    const option = (value: string) => ({ value, label: nameOf(value) });
    const hidden = hiddenBy(defined ?? []);
    const keys = [...new Set([...(list?.list ?? []), ...(known?.events ?? []).map((e) => e.key)])].filter((key) => !(key in own) && !hidden.has(key));
    const options: Options = [
      { group: t('nav.events'), items: keys.map(option).sort((a, b) => a.label.localeCompare(b.label)) },
      { group: t('events.definedEvents'), items: (defined ?? []).map((d) => option(d._id)) },
      { group: t('events.groupEvents'), items: (groups ?? []).map((g) => option(g._id)) },
      { group: t('events.reserved'), items: Object.keys(own).map(option) },
    ];
    return { nameOf, options: options.filter((o) => o.items.length > 0) };
  }, [t, list, known, groups, defined]);
}
