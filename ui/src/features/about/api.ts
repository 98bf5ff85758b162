import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';

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
      read<{ version: string }>('/o/system/version', {}, signal),
      read<string[]>('/o/system/plugins', {}, signal),
    ]);
    const begun = performance.now();
    const healthy = await read<{ result: string }>('/o/ping', {}, signal).then(
      ({ result }) => result === 'Success',
      () => false,
    );
    return { version, modules, healthy, delay: performance.now() - begun };
  },
  refetchInterval: 10_000,
});
