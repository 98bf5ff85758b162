import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import { viewKey } from '../../lib/segments';
import { sessionKey, useEventNames } from '../../parts/events/useEventNames';
import { viewNames } from '../../parts/views/manage';
import type { Node } from './api';
import { crashKey, partsOf, stepOf, type Kind } from './draft';

type Options = { group: string; items: { value: string; label: string }[] }[];

/** What the steps of flows are called, and what flows can be about. */
export interface Steps {
  nameOf: (step: string) => string;
  /** What a node is called; split is whether nodes are of values of a property. */
  nameOfNode: (node: Node, split: boolean) => string;
  /** The name of the view of an id. */
  viewOf: (vid: string) => string | undefined;
  options: Record<Kind, Options>;
  /** The keys of the app's own events. */
  keys: string[];
}

/** The steps of an app. Views have names for those who may read views; others see what was sent. */
export function useSteps(appID: string): Steps {
  const { t } = useTranslation();
  const member = useQuery(me).data;
  const readsViews = member !== undefined && may(member, appID, 'views', 'r');
  const views = useQuery({ ...viewNames(appID), enabled: readsViews, refetchInterval: false }).data;
  const { nameOf: eventName, options } = useEventNames(appID);
  return useMemo(() => {
    const nameOf = (step: string) => {
      const { event, name } = partsOf(step);
      if (event === crashKey) return name === undefined ? t('flows.crash') : `${t('flows.crash')}: ${name}`;
      return name === undefined ? eventName(event) : (views?.find((view) => view.view === name)?.display ?? name);
    };
    const nameOfNode = (node: Node, split: boolean) => {
      const step = stepOf(node);
      if (step === undefined) return t('flows.other');
      return split ? `${nameOf(step)}: ${node.value ?? t('flows.absent')}` : nameOf(step);
    };
    const events = options.map(({ group, items }) => ({ group, items: items.filter(({ value }) => value !== viewKey) })).filter(({ items }) => items.length > 0);
    const visits = (views ?? []).map(({ view }) => ({ value: `${viewKey}:${view}`, label: nameOf(`${viewKey}:${view}`) })).sort((a, b) => a.label.localeCompare(b.label));
    return {
      nameOf,
      nameOfNode,
      viewOf: (vid) => views?.find((view) => view._id === vid)?.view,
      options: {
        events,
        views: [...(visits.length === 0 ? [] : [{ group: t('nav.views'), items: visits }]), { group: t('events.reserved'), items: [{ value: sessionKey, label: nameOf(sessionKey) }] }],
      },
      keys: events.flatMap(({ items }) => items.map(({ value }) => value)),
    };
  }, [t, views, eventName, options]);
}
