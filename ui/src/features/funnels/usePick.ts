import { useQuery } from '@tanstack/react-query';
import type { App } from '../../access/apps';
import type { Field } from '../../components/filter/field';
import { withGroup } from '../../components/filter/groups';
import { useView } from '../../lib/useView';
import { properties } from '../../parts/properties/api';
import type { Part } from './api';

/** Narrows the funnel to a group of its breakdown; undefined where that would leave out steps, as the filter holds for all of them. */
export function usePick(app: App, events: readonly string[], fields: readonly Field[]): (part: Part) => (() => void) | undefined {
  const [{ filter, segment }, set] = useView();
  const known = useQuery(properties(app._id)).data;
  const has = (key: string) => known?.events.find((e) => e.key === key)?.properties.some(({ name }) => `sg.${name}` === segment) === true;
  const everywhere = !segment.startsWith('sg.') || events.every(has);
  return ({ value, other }) => {
    const next = other === true || !everywhere ? undefined : withGroup(filter, { [segment]: value }, fields);
    return next === undefined ? undefined : () => set({ filter: next });
  };
}
