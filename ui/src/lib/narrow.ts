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
  const own: Wire = { [path]: { $in: [value] } };
  const parts = partsOf(text);
  const rest = parts.filter((part) => Object.keys(part).join() !== path);
  return textOf(parts.some((part) => JSON.stringify(part) === JSON.stringify(own)) ? rest : [...rest, own]);
}

/** A filter, as JSON, without one of the conditions that all hold. */
export function without(text: string, at: number): string {
  return textOf(partsOf(text).filter((_, i) => i !== at));
}

/** How many conditions a filter has that all hold, each as JSON. */
export function conditionsOf(text: string): string[] {
  return partsOf(text).map((part) => JSON.stringify(part));
}
