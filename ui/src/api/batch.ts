import * as v from './schema';

/** The answer to one read of a batch, with the code of a fault. */
export const Part = v.object({ status: v.number(), error: v.optional(v.string()), body: v.unknown() });
export type Part = v.Of<typeof Part>;

interface Waiting {
  address: string;
  signal: AbortSignal | undefined;
  resolve: (part: Part | undefined) => void;
  reject: (error: unknown) => void;
}

/** How long a read waits for others to come along, in ms: pages start theirs within one turn, timers of the same length nearly so. */
const patience = 3;
/** What the server takes in one batch, and the characters that addresses may have: proxies take lines of 8 kB. */
const most = { reads: 16, characters: 4000 };

type Send = (addresses: string[], signal: AbortSignal) => Promise<Part[]>;
type Read = (address: string, signal?: AbortSignal) => Promise<Part | undefined>;

/**
 * Collects reads that are wanted at about the same time and makes them in one request. send makes a batch of several; a read
 * that is alone, or whose answer is too large for a batch, gets undefined and is made by itself. A read whose signal aborts ends at
 * once, and the request with the last of its reads.
 */
export function batches(send: Send): Read {
  let waiting: Waiting[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    const all = waiting.filter(({ signal }) => signal?.aborted !== true); // those have ended
    [waiting, timer] = [[], undefined];
    if (all.length === 0) return;
    if (all.length === 1) return all[0]?.resolve(undefined);
    const request = new AbortController();
    const leave = () => {
      if (all.every(({ signal }) => signal?.aborted === true)) request.abort();
    };
    all.forEach(({ signal }) => signal?.addEventListener('abort', leave, { once: true }));
    try {
      const parts = await send(all.map(({ address }) => address), request.signal);
      all.forEach(({ resolve }, i) => resolve(parts[i]?.error === 'request.answer_too_large' ? undefined : parts[i]));
    } catch (error) {
      all.forEach(({ reject }) => reject(error));
    } finally {
      all.forEach(({ signal }) => signal?.removeEventListener('abort', leave));
    }
  }

  return (address, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')), { once: true });
      const length = waiting.reduce((sum, w) => sum + w.address.length, address.length);
      if (waiting.length === most.reads || length > most.characters) void flush();
      waiting.push({ address, signal, resolve, reject });
      timer ??= setTimeout(() => void flush(), patience);
    });
}
