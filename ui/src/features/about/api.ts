import { queryOptions } from '@tanstack/react-query';
import { Modules } from '../../access/useModules';
import { read } from '../../api/client';
import * as v from '../../api/schema';

export const Version = v.object({ version: v.string() });

/** An answer in a word. */
export const Said = v.object({ result: v.string() });

export interface About {
  version: string;
  modules: string[];
  /** Whether the server's store answers, and how long that took, in ms. */
  healthy: boolean;
  delay: number;
}

export const about = queryOptions({
  queryKey: ['about'],
  queryFn: async ({ signal }): Promise<About> => {
    const [{ version }, modules] = await Promise.all([
      read('/o/system/version', Version, {}, signal),
      read('/o/system/plugins', Modules, {}, signal),
    ]);
    const begun = performance.now();
    const healthy = await read('/o/ping', Said, {}, signal).then(
      ({ result }) => result === 'Success',
      () => false,
    );
    return { version, modules, healthy, delay: performance.now() - begun };
  },
  refetchInterval: 10_000,
});
