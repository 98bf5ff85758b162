import { useQuery } from '@tanstack/react-query';
import { useModules } from '../../access/useModules';
import { definedEvents, type Defined } from './defined';

/** The defined events of an app; undefined until they are known, or where the server has none. */
export function useDefined(appID: string): readonly Defined[] | undefined {
  const on = useModules()?.includes('definedevents') === true;
  return useQuery({ ...definedEvents(appID), enabled: on }).data;
}
