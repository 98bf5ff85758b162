/** How long to wait before each further try, in ms. */
const pauses = [400, 1200, 3000] as const;

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Loads a part of the dashboard, and tries again when the way to the server was interrupted. */
export async function patiently<T>(load: () => Promise<T>, sleep: (ms: number) => Promise<void> = wait): Promise<T> {
  for (const pause of pauses) {
    try {
      return await load();
    } catch {
      await sleep(pause);
    }
  }
  return load();
}
