import type { Cohort, Conditions, Sent, Step } from '../../parts/cohorts/api';

/** How often people did something. */
export const bounds = ['least', 'most', 'exactly'] as const;
export type Bound = (typeof bounds)[number];

/** A condition on what people did, as the form has it. */
export interface Rule {
  type: Step['type'];
  event: string;
  bound: Bound;
  times: number;
  /** 7days, 0days for ever, or another period, which stays as it is. */
  period: string;
  filter: object;
  conj: Conj;
  /** How long behind the one before at most, where conj is then. */
  within: { amount: number; unit: Unit };
}

/** How a condition is combined with those before it: it narrows or widens what they select, or is what people did behind the one before. */
export const conjs = ['and', 'or', 'then'] as const;
export type Conj = (typeof conjs)[number];

/** Units of times, in seconds. */
export const units = { minutes: 60, hours: 3600, days: 86_400 } as const;
export type Unit = keyof typeof units;
export const unitNames = Object.keys(units) as Unit[];

/** How many seconds within may be. */
export const longest = 366 * 86_400;

/** A cohort, as the form has it. */
export interface Draft {
  name: string;
  description: string;
  type: 'auto' | 'manual';
  isPrivate: boolean;
  shared: string[];
  rules: Rule[];
  people: object;
}

export const newRule: Rule = { type: 'did', event: '', bound: 'least', times: 1, period: '30days', filter: {}, conj: 'and', within: { amount: 1, unit: 'days' } };

export const newDraft = (type: 'auto' | 'manual'): Draft => ({ name: '', description: '', type, isPrivate: false, shared: [], rules: type === 'auto' ? [newRule] : [], people: {} });

/** How many days a period goes back; 0 for ever, undefined for one that is not a number of days. */
export function daysOf(period: string): number | undefined {
  const found = /^(\d+)days$/.exec(period.replaceAll('"', ''));
  return found === null ? undefined : Number(found[1]);
}

/** The largest unit that leaves a whole number. */
function withinOf(seconds: number = units.days): Rule['within'] {
  const unit = (['days', 'hours'] as const).find((u) => seconds % units[u] === 0) ?? 'minutes';
  return { amount: seconds / units[unit], unit };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads how often a step asks for; clients send JSON in texts, too. */
export function timesOf(sent: unknown): Pick<Rule, 'bound' | 'times'> | undefined {
  if (typeof sent === 'string') {
    try {
      return timesOf(JSON.parse(sent));
    } catch {
      return undefined;
    }
  }
  if (sent === undefined || sent === null) return { bound: 'least', times: 1 };
  if (typeof sent === 'number') return { bound: 'least', times: sent };
  if (!isObject(sent)) return undefined;
  const entries = Object.entries(sent);
  if (entries.length === 0) return { bound: 'least', times: 1 };
  const [[op, n] = ['', undefined]] = entries;
  if (entries.length > 1 || typeof n !== 'number') return undefined;
  switch (op) {
    case '$gte':
      return { bound: 'least', times: n };
    case '$gt':
      return { bound: 'least', times: n + 1 };
    case '$lte':
      return { bound: 'most', times: n };
    case '$lt':
      return { bound: 'most', times: n - 1 };
    case '$eq':
      return { bound: 'exactly', times: n };
  }
  return undefined;
}

/** What is kept, as the form has it. */
export function fromCohort(c: Cohort): Draft {
  return {
    name: c.name,
    description: c.description,
    type: c.type,
    isPrivate: c.visibility === 'private',
    shared: c.shared_email_edit,
    rules: c.steps.map((s) => ({ type: s.type, event: s.event, ...(timesOf(s.times) ?? { bound: 'least', times: 1 }), period: s.period, filter: s.query, conj: conjs.find((c) => c === s.conj) ?? 'and', within: withinOf(s.within) })),
    people: c.user_segmentation,
  };
}

const operator = { least: '$gte', most: '$lte', exactly: '$eq' } as const;

/** Whether a rule is what people did before that of the next one. */
export const isBefore = (rules: readonly Rule[], i: number) => rules[i + 1]?.conj === 'then';

/** The conditions of a form, those that are complete. Those that are done one after the other have the period of the last of them. */
export function conditionsOf({ rules, people }: Pick<Draft, 'rules' | 'people'>): Conditions {
  const complete = rules.filter((r) => r.event !== '').map((r, i): Rule => (i === 0 ? { ...r, conj: 'and' } : r));
  const last = (i: number): Rule | undefined => (isBefore(complete, i) ? last(i + 1) : complete[i]);
  return {
    steps: complete.map((r, i) => {
      const then = r.conj === 'then';
      const before = isBefore(complete, i);
      const type = before || (then && r.type === 'first') ? 'did' : r.type;
      return {
        type,
        event: r.event,
        period: last(i)?.period ?? r.period,
        ...(type === 'first' || then || before ? {} : { times: { [type === 'didnt' ? '$gte' : operator[r.bound]]: Math.max(1, r.times) } }),
        query: r.filter,
        conj: r.conj,
        ...(then ? { within: Math.min(longest, Math.max(1, Math.round(r.within.amount * units[r.within.unit]))) } : {}),
      };
    }),
    user_segmentation: people,
  };
}

/** Whether something selects people. */
export const isAsking = ({ steps, user_segmentation }: Conditions) => steps.length > 0 || Object.keys(user_segmentation).length > 0;

/** What is sent of a form. */
export function toSent(d: Draft): Sent {
  return {
    cohort_name: d.name.trim(),
    cohort_desc: d.description.trim(),
    type: d.type,
    visibility: d.isPrivate ? 'private' : 'global',
    shared_email_edit: d.isPrivate ? d.shared : [],
    ...(d.type === 'auto' ? conditionsOf(d) : {}),
  };
}
