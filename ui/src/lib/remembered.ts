/** Returns make with its results kept, by its argument: what Intl makes takes a millisecond and more each time. */
export function remembered<V>(make: (key: string) => V): (key: string) => V {
  const made = new Map<string, V>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}
