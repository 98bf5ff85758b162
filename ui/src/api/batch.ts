/** The answer to one read of a batch. */
export interface Part {
  status: number;
  /** The code of a fault. */
  error?: string;
  body: unknown;
}

interface Waiting {
  address: string;
  resolve: (part: Part | undefined) => void;
  reject: (error: unknown) => void;
}

/** How long a read waits for others to come along, in ms: pages start theirs within one turn, timers of the same length nearly so. */
const patience = 3;
/** What the server takes in one batch, and the characters that addresses may have: proxies take lines of 8 kB. */
const most = { reads: 16, characters: 4000 };

/**
 * Collects reads that are wanted at about the same time and makes them in one request. send makes a batch of several; a read
 * that is alone, or whose answer is too large for a batch, gets undefined and is made by itself.
 */
export function batches(send: (addresses: string[]) => Promise<Part[]>): (address: string) => Promise<Part | undefined> {
  let waiting: Waiting[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    const all = waiting;
    [waiting, timer] = [[], undefined];
    if (all.length === 1) return all[0]?.resolve(undefined);
    try {
      const parts = await send(all.map(({ address }) => address));
      all.forEach(({ resolve }, i) => resolve(parts[i]?.error === 'request.answer_too_large' ? undefined : parts[i]));
    } catch (error) {
      all.forEach(({ reject }) => reject(error));
    }
  }

  return (address) =>
    new Promise((resolve, reject) => {
      const length = waiting.reduce((sum, w) => sum + w.address.length, address.length);
      if (waiting.length === most.reads || length > most.characters) void flush();
      waiting.push({ address, resolve, reject });
      timer ??= setTimeout(() => void flush(), patience);
    });
}
