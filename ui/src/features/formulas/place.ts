/** Figures of an event, by their names: whether they are of a property, may be, or are of none. */
export const figures = {
  count: 'none',
  users: 'none',
  sum: 'may',
  average: 'may',
  dur: 'none',
  sessions: 'none',
  per_user: 'may',
  median: 'needs',
  percentile: 'needs',
  min: 'needs',
  max: 'needs',
  accounts: 'needs',
} as const;
export type FigureName = keyof typeof figures;

/** Functions of numbers; min and max are figures, too. */
export const functions = ['abs', 'round'] as const;
export type FunctionName = (typeof functions)[number];

/** Everything that has a name in formulas, in the order of help. */
export const names: readonly (FigureName | FunctionName)[] = [...(Object.keys(figures) as FigureName[]), ...functions];

/** What is written at a place of a formula, and from where on: what completion puts there takes the place of it. */
export type Place =
  | { kind: 'name' | 'nothing'; from: number }
  /** An argument of a figure that is not begun, or in quotes: whether it is in quotes, and what may stand there. */
  | { kind: 'event' | 'property'; from: number; quoted: boolean; of: string }
  /** The name of a property in a filter. */
  | { kind: 'path'; from: number };

interface Call {
  /** The name before the parenthesis; empty for one that only groups. */
  name: string;
  /** How many commas there were. */
  argument: number;
  /** The first argument, where it is a text. */
  event: string;
}

/** Reads a formula up to a place; what is wrong before it does no harm. */
export function placeIn(text: string, at: number): Place {
  const calls: (Call | '{' | '[')[] = [];
  let word = '';
  let from = 0;
  let before = '';
  for (let i = 0; i < at; i++) {
    const c = text.charAt(i);
    const top = calls.at(-1);
    if (c === '"') {
      const end = endOf(text, i, at);
      if (end === undefined) return inText(top, i + 1, before);
      if (typeof top === 'object' && top.argument === 0) top.event = textOf(text.slice(i, end + 1));
      word = '';
      before = '"';
      i = end;
      continue;
    }
    if (/[a-z_]/i.test(c)) {
      if (word === '') from = i;
      word += c;
      continue;
    }
    if (c === '(') calls.push({ name: word, argument: 0, event: '' });
    else if (c === '{' || c === '[') calls.push(c);
    else if (c === ')' || c === '}' || c === ']') calls.pop();
    else if (c === ',' && typeof top === 'object') top.argument++;
    if (c.trim() !== '') before = c;
    word = '';
  }
  const top = calls.at(-1);
  const start = word === '' ? at : from;
  if (top === '{' || top === '[') return { kind: 'nothing', from: at };
  if (top !== undefined && before !== '"') {
    const { name, argument, event } = top;
    if (name in figures && argument === 0 && (before === '(' || word !== '') && !(name === 'min' || name === 'max')) return { kind: 'event', from: start, quoted: false, of: '' };
    if (name in figures && argument === 1 && event !== '' && before === ',' && figures[name as FigureName] !== 'none') return { kind: 'property', from: start, quoted: false, of: event };
  }
  return { kind: before === '"' || (word === '' && before === ')') ? 'nothing' : 'name', from: start };
}

/** What stands in a text that is not ended. */
function inText(top: Call | '{' | '[' | undefined, from: number, before: string): Place {
  if (top === '{' && (before === '{' || before === ',')) return { kind: 'path', from };
  if (typeof top !== 'object' || !(top.name in figures)) return { kind: 'nothing', from };
  if (top.argument === 0) return { kind: 'event', from, quoted: true, of: '' };
  return top.argument === 1 && figures[top.name as FigureName] !== 'none' ? { kind: 'property', from, quoted: true, of: top.event } : { kind: 'nothing', from };
}

/** Where a text ends that begins at a place; undefined when it does not before another one. */
function endOf(text: string, begin: number, before: number): number | undefined {
  for (let i = begin + 1; i < before; i++) {
    const c = text.charAt(i);
    if (c === '\\') i++;
    else if (c === '"') return i;
  }
  return undefined;
}

function textOf(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : '';
  } catch {
    return '';
  }
}

/** The place of a character, counted as the server does, in a text of this language. */
export function unitsOf(text: string, characters: number): number {
  return Array.from(text).slice(0, characters).join('').length;
}
