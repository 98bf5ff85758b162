import type { TFunction } from 'i18next';
import type { Field } from './field';
import { isComplete, isGroup, needs, type Group, type Rule } from './filter';
import type { Format } from '../../lib/format';

/** What a filter says, as a sentence. Conditions that are not complete are left out; nothing gives an empty text. */
export function wordsOf(group: Group, fields: readonly Field[], t: TFunction, format: Format, zone: string): string {
  const parts = group.parts.flatMap((part) => {
    if (!isGroup(part)) return isComplete(part) ? [ruleWords(part, fields, t, format, zone)] : [];
    const words = wordsOf(part, fields, t, format, zone);
    return words === '' ? [] : [part.parts.length > 1 ? `(${words})` : words];
  });
  return parts.join(` ${t(group.all ? 'filter.and' : 'filter.or')} `);
}

function ruleWords({ path, op, texts, numbers }: Rule, fields: readonly Field[], t: TFunction, format: Format, zone: string): string {
  const field = fields.find((f) => f.path === path);
  const need = needs(op);
  const number = (n: number | undefined) => (n === undefined ? '' : field?.kind === 'moment' ? format.moment(n * 1000, zone) : format.amount(n));
  const values = need.texts !== 'none' ? texts.map((text) => field?.decode(text) ?? text).join(', ') : numbers.slice(0, need.numbers).map(number).join(' – ');
  const [only] = texts.length === 1 && need.texts === 'many' ? ([op === 'is' ? 'equals' : 'differs'] as const) : [op];
  return `${field?.name ?? path} ${t(`filter.op.${only}`)}${values === '' ? '' : ` ${values}`}`;
}
