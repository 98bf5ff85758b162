/** Steps of a chart that are chosen: from where that began to where it is. */
export interface Range {
  anchor: number;
  at: number;
}

/** The first and the last step of a range, within those that there are. */
export function spanBetween({ anchor, at }: Range, last: number): { first: number; end: number } {
  const within = (step: number) => Math.min(last, Math.max(0, step));
  return { first: within(Math.min(anchor, at)), end: within(Math.max(anchor, at)) };
}

interface Press {
  key: string;
  shift: boolean;
  rtl: boolean;
}

/** How many steps a page is. */
const leap = 7;

/** The range after a key: another step, or with the shift key another end; undefined for keys that do not move. */
export function stepped({ key, shift, rtl }: Press, { anchor, at }: Range, last: number): Range | undefined {
  const forward = rtl ? 'ArrowLeft' : 'ArrowRight';
  const backward = rtl ? 'ArrowRight' : 'ArrowLeft';
  const moves: Readonly<Record<string, number>> = { [forward]: at + 1, [backward]: at - 1, ArrowUp: at + 1, ArrowDown: at - 1, PageUp: at + leap, PageDown: at - leap, Home: 0, End: last };
  const next = Object.hasOwn(moves, key) ? moves[key] : undefined;
  if (next === undefined) return undefined;
  const to = Math.min(last, Math.max(0, next));
  return { anchor: shift ? anchor : to, at: to };
}
