/** Whether a path is about the event of a purchase rather than about the person behind it. */
export function ofPurchase(path: string): boolean {
  return path.startsWith('sg.');
}

/** Whether two lists have the same members. */
export function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one) => b.includes(one));
}
