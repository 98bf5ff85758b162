/**
 * The items whose label has the letters of a text in order, or that another word for them begins with; the closest first, ties in the
 * given order. What the server found for the text is among them, whatever it was found by.
 */
export function rank<T extends { label: string; words?: readonly string[]; asked?: boolean }>(items: readonly T[], text: string): T[] {
  const wanted = text.trim().toLocaleLowerCase();
  if (wanted === '') return [...items];
  return items
    .map((item) => ({ item, cost: Math.min(item.asked === true ? ofServer : Infinity, costOf(item.label.toLocaleLowerCase(), wanted), ...(item.words ?? []).map((word) => costOfWord(word, wanted))) }))
    .filter(({ cost }) => cost < Infinity)
    .sort((a, b) => a.cost - b.cost)
    .map(({ item }) => item);
}

/** The cost of what the server found by something that is not shown. */
const ofServer = 2.5;

/** 0 for a beginning, little for the beginning of a word, more for letters apart, Infinity for none. */
function costOf(label: string, wanted: string): number {
  if (label.startsWith(wanted)) return 0;
  const whole = label.indexOf(wanted);
  if (whole > 0) return label[whole - 1] === ' ' ? 1 : 2;
  let from = 0;
  let gaps = 0;
  for (const letter of wanted) {
    const next = label.indexOf(letter, from);
    if (next < 0) return Infinity;
    gaps += next - from;
    from = next + 1;
  }
  return 3 + gaps;
}

/** What one wrote entirely is nearly as good as a label; the beginning of it less so. */
function costOfWord(word: string, wanted: string): number {
  if (word === wanted) return 0.5;
  return word.startsWith(wanted) ? 1.5 : Infinity;
}
