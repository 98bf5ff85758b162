type Wire = Record<string, unknown>;

/** Reads a filter object of the API as conditions that all hold; nothing for what is none. */
function partsOf(text: string): Wire[] {
  try {
    const whole: unknown = text === '' ? {} : JSON.parse(text);
    if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) return [];
    return Object.entries(whole).flatMap(([key, value]: [string, unknown]): Wire[] => {
      if (key !== '$and' || !Array.isArray(value)) return [{ [key]: value }];
      return value.filter((part: unknown): part is Wire => typeof part === 'object' && part !== null);
    });
  } catch {
    return [];
  }
}

function textOf(parts: readonly Wire[]): string {
  if (parts.length === 0) return '';
  return JSON.stringify(parts.length === 1 ? parts[0] : { $and: parts });
}

/** A filter, as JSON, narrowed to a value of a property. What it asked of the property before is gone; asked twice, all of it. */
export function withValue(text: string, path: string, value: string): string {
  return withAll(text, { [path]: { $in: [value] } });
}

/** A filter, as JSON, narrowed by conditions on properties, by their paths. What it asked of these before is gone; where it asked just that, all of it. */
export function withAll(text: string, asked: Readonly<Record<string, object>>): string {
  const own = Object.entries(asked).map(([path, condition]): Wire => ({ [path]: condition }));
  const parts = partsOf(text);
  const rest = parts.filter((part) => !Object.hasOwn(asked, Object.keys(part).join()));
  const had = new Set(parts.map((part) => JSON.stringify(part)));
  return textOf(own.every((part) => had.has(JSON.stringify(part))) ? rest : [...rest, ...own]);
}

/** A filter, as JSON, without one of the conditions that all hold. */
export function without(text: string, at: number): string {
  return textOf(partsOf(text).filter((_, i) => i !== at));
}

/** How many conditions a filter has that all hold, each as JSON. */
export function conditionsOf(text: string): string[] {
  return partsOf(text).map((part) => JSON.stringify(part));
}
