/** A value for each of some keys. */
export function recordOf<K extends string, T>(keys: readonly K[], valueOf: (key: K) => T): Record<K, T> {
  // eslint-disable-next-line quipu/uncast -- fromEntries forgets which keys there are
  return Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Record<K, T>;
}
