/** The kinds of properties, by what they hold. Moments are numbers: seconds since 1970. */
export const kinds = ['text', 'number', 'bool', 'any', 'moment'] as const;
export type Kind = (typeof kinds)[number];

/** What can be asked of a property. */
export const operators = {
  is: ['text', 'any'],
  isNot: ['text', 'any'],
  contains: ['text', 'any'],
  begins: ['text', 'any'],
  equals: ['number'],
  differs: ['number'],
  above: ['number'],
  below: ['number'],
  between: ['number'],
  since: ['moment'],
  until: ['moment'],
  yes: ['bool'],
  no: ['bool'],
  known: ['text', 'any', 'number', 'bool', 'moment'],
  unknown: ['text', 'any', 'number', 'bool', 'moment'],
} as const satisfies Record<string, readonly Kind[]>;

export type Operator = keyof typeof operators;

/** The operators of a kind, in the order of the menu. */
export function operatorsOf(kind: Kind): Operator[] {
  return (Object.keys(operators) as Operator[]).filter((op) => (operators[op] as readonly Kind[]).includes(kind));
}

/** One condition. Which of the values count depends on the operator. */
export interface Rule {
  path: string;
  op: Operator;
  texts: string[];
  numbers: (number | undefined)[];
}

/** Conditions of which all, or any, must hold. */
export interface Group {
  all: boolean;
  parts: (Rule | Group)[];
}

export const nothing: Group = { all: true, parts: [] };

export function isGroup(part: Rule | Group): part is Group {
  return 'parts' in part;
}

/** A new condition about a property. */
export function ruleOf(path: string, kind: Kind): Rule {
  return { path, op: operatorsOf(kind)[0] ?? 'known', texts: [], numbers: [] };
}

/** How many numbers and texts an operator needs. */
export function needs(op: Operator): { texts: 'none' | 'one' | 'many'; numbers: number } {
  switch (op) {
    case 'is':
    case 'isNot':
      return { texts: 'many', numbers: 0 };
    case 'contains':
    case 'begins':
      return { texts: 'one', numbers: 0 };
    case 'between':
      return { texts: 'none', numbers: 2 };
    case 'equals':
    case 'differs':
    case 'above':
    case 'below':
    case 'since':
    case 'until':
      return { texts: 'none', numbers: 1 };
    case 'yes':
    case 'no':
    case 'known':
    case 'unknown':
      return { texts: 'none', numbers: 0 };
  }
}

/** Whether a condition says all that its operator needs. */
export function isComplete({ op, texts, numbers }: Rule): boolean {
  const need = needs(op);
  const enoughTexts = need.texts === 'none' || texts.some((text) => text !== '');
  return enoughTexts && Array.from({ length: need.numbers }, (_, i) => numbers[i]).every((n) => n !== undefined);
}

type Wire = Record<string, unknown>;

const plain = /[\\^$.*+?()[\]{}|]/g;

function escape(text: string): string {
  return text.replace(plain, '\\$&');
}

function conditionOf({ op, texts, numbers }: Rule): unknown {
  const [first, second] = numbers;
  switch (op) {
    case 'is':
      return { $in: texts };
    case 'isNot':
      return { $nin: texts };
    case 'contains':
      return { $regex: escape(texts[0] ?? ''), $options: 'i' };
    case 'begins':
      return { $regex: `^${escape(texts[0] ?? '')}`, $options: 'i' };
    case 'equals':
      return { $eq: first };
    case 'differs':
      return { $ne: first };
    case 'above':
      return { $gt: first };
    case 'below':
      return { $lt: first };
    case 'between':
      return { $gte: first, $lte: second };
    case 'since':
      return { $gte: first };
    case 'until':
      return { $lt: first };
    case 'yes':
      return { $eq: true };
    case 'no':
      return { $eq: false };
    case 'known':
      return { $exists: true };
    case 'unknown':
      return { $exists: false };
  }
}

/** Writes conditions as the filter object of the API; what is not complete, and groups of nothing, are left out. {} selects everything. */
export function toWire(group: Group): Wire {
  const parts = group.parts
    .filter((part) => isGroup(part) || isComplete(part))
    .map((part): Wire => (isGroup(part) ? toWire(part) : { [part.path]: conditionOf(part) }))
    .filter((part) => Object.keys(part).length > 0);
  const [only] = parts;
  if (only === undefined) return {};
  if (parts.length === 1 && group.all) return only;
  return { [group.all ? '$and' : '$or']: parts };
}

/** Reads a filter object from JSON: nothing for all, undefined for what is none. */
export function readFilter(text: string): object | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The kind that a path has, as far as it is known. */
export type KindOf = (path: string) => Kind;

/** Reads a filter object back, also in the form in which the server keeps it. Those that the editor cannot show give undefined. */
export function fromWire(value: unknown, kindOf: KindOf): Group | undefined {
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value);
  const [first] = entries;
  if (first === undefined) return nothing;
  if (entries.length === 1 && first[0].startsWith('$')) return groupFrom(first[0], first[1], kindOf);
  const parts = entries.map(([path, asked]) => {
    if (!path.startsWith('$')) return ruleFrom(path, asked, kindOf(path));
    const group = groupFrom(path, asked, kindOf);
    return group?.parts.length === 0 ? undefined : group;
  });
  return parts.every((part) => part !== undefined) ? { all: true, parts } : undefined;
}

function groupFrom(operator: string, list: unknown, kindOf: KindOf): Group | undefined {
  const all = operator === '$and';
  if (!Array.isArray(list) || !(all || operator === '$or')) return undefined;
  const parts = (all ? bounded(list) : list).map((part: unknown) => partOf(part, kindOf));
  return parts.every((part) => part !== undefined) ? { all, parts } : undefined;
}

/** Conditions with two bounds of a property, which the server keeps one after the other, in one. */
function bounded(list: readonly unknown[]): unknown[] {
  const boundOf = (part: unknown, operator: string) => {
    const [[path, asked] = ['', undefined], ...more] = isObject(part) ? Object.entries(part) : [];
    return more.length === 0 && isObject(asked) && Object.keys(asked).join() === operator ? { path, asked } : undefined;
  };
  const out: unknown[] = [];
  for (const part of list) {
    const most = boundOf(part, '$lte');
    const least = boundOf(out.at(-1), '$gte');
    if (most !== undefined && least?.path === most.path) out[out.length - 1] = { [most.path]: { ...least.asked, ...most.asked } };
    else out.push(part);
  }
  return out;
}

function partOf(value: unknown, kindOf: KindOf): Rule | Group | undefined {
  const group = fromWire(value, kindOf);
  const [only] = group?.parts ?? [];
  return group?.all === true && group.parts.length === 1 && only !== undefined && !isGroup(only) ? only : group;
}

function ruleFrom(path: string, asked: unknown, kind: Kind): Rule | undefined {
  const rule = (op: Operator, texts: string[] = [], numbers: number[] = []): Rule => ({ path, op, texts, numbers });
  if (!isObject(asked)) return ruleFrom(path, { $eq: asked }, kind);
  const names = Object.keys(asked).sort().join();
  const value = Object.values(asked)[0];
  switch (names) {
    case '$eq':
      if (typeof value === 'boolean') return rule(value ? 'yes' : 'no');
      if (typeof value === 'number') return rule('equals', [], [value]);
      return typeof value === 'string' ? rule('is', [value]) : undefined;
    case '$in':
    case '$nin':
      if (!Array.isArray(value) || !value.every((v) => typeof v === 'string')) return undefined;
      return rule(names === '$in' ? 'is' : 'isNot', value);
    case '$exists':
      return rule(value === true ? 'known' : 'unknown');
    case '$ne':
      if (typeof value === 'string') return rule('isNot', [value]);
      return typeof value === 'number' ? rule('differs', [], [value]) : undefined;
    case '$gt':
      return typeof value === 'number' ? rule('above', [], [value]) : undefined;
    case '$gte':
      return typeof value === 'number' && kind === 'moment' ? rule('since', [], [value]) : undefined;
    case '$lt':
      return typeof value === 'number' ? rule(kind === 'moment' ? 'until' : 'below', [], [value]) : undefined;
    case '$gte,$lte': {
      const { $gte, $lte } = asked;
      return typeof $gte === 'number' && typeof $lte === 'number' ? rule('between', [], [$gte, $lte]) : undefined;
    }
    case '$options,$regex': {
      const { $regex, $options } = asked;
      if (typeof $regex !== 'string' || $options !== 'i') return undefined;
      const begins = $regex.startsWith('^');
      const pattern = begins ? $regex.slice(1) : $regex;
      const text = pattern.replace(/\\(.)/g, '$1');
      return escape(text) === pattern ? rule(begins ? 'begins' : 'contains', [text]) : undefined;
    }
  }
  return undefined;
}

function isObject(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How many conditions there are. */
export function countRules(group: Group): number {
  return group.parts.reduce((n, part) => n + (isGroup(part) ? countRules(part) : 1), 0);
}
