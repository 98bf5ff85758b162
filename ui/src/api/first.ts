/** What every page reads first, in one request that index.html begins before any script runs (build/early.ts). */
export const firstReads = { me: '/o/users/me', apps: '/o/apps/mine', modules: '/o/system/plugins' } as const;

/** The address of a request of several reads. */
export function batchAddress(requests: readonly string[]): string {
  return `/o/batch?${new URLSearchParams({ requests: JSON.stringify(requests) }).toString()}`;
}
