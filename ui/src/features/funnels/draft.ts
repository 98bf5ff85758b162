import { readFilter } from '../../components/filter/filter';
import { sessionKey } from '../../parts/events/useEventNames';
import { viewKey } from '../../lib/segments';
import type { Funnel, Order, Sent } from './api';
import type { PathStep } from './templates';

/** Events of which any will do, with conditions on them. */
export interface Alternative {
  events: string[];
  filter: object;
}

/** A step of a funnel that is being made. Its number stays when it moves. */
export interface DraftStep {
  no: number;
  alternatives: Alternative[];
  optional: boolean;
  /** Whether it keeps its place, with the order anchored. */
  anchor: boolean;
}

/** An event that must not happen between two steps, by their numbers; the first and the last when undefined. */
export interface DraftExclusion {
  event: string;
  filter: object;
  from: number | undefined;
  to: number | undefined;
}

/** A funnel that is being made. */
export interface Draft {
  name: string;
  description: string;
  sameSession: boolean;
  steps: DraftStep[];
  order: Order;
  /** How long from the first to the last step; no bound when undefined. */
  window: { amount: number | undefined; unit: Unit } | undefined;
  exclusions: DraftExclusion[];
  hold: string[];
  repeat: boolean;
}

/** Bounds of a funnel. */
export const most = { steps: 20, exclusions: 12, hold: 3, window: 366 * 86_400 } as const;

/** Units of the window, in seconds. */
export const units = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const;
export type Unit = keyof typeof units;

export const noAlternative: Alternative = { events: [], filter: {} };

/** A step without an event; its number is one that no other has. */
export function newStep(steps: readonly DraftStep[]): DraftStep {
  return { no: Math.max(0, ...steps.map((s) => s.no)) + 1, alternatives: [noAlternative], optional: false, anchor: false };
}

/** What a new funnel begins with: two steps, a week's time. */
export function newDraft(): Draft {
  const first = newStep([]);
  return {
    name: '',
    description: '',
    sameSession: false,
    steps: [first, newStep([first])],
    order: 'sequential',
    window: { amount: 7, unit: 'days' },
    exclusions: [],
    hold: [],
    repeat: false,
  };
}

/** A new funnel with the steps of a path; views are those of a name. */
export function draftOfTemplate(name: string, path: readonly PathStep[]): Draft {
  const steps = path.map(({ event, name: view }, i): DraftStep => ({
    no: i + 1,
    alternatives: [{ events: [event], filter: view === undefined ? {} : { 'sg.name': view } }],
    optional: false,
    anchor: false,
  }));
  return { ...newDraft(), name: name.slice(0, 200), steps };
}

/** A new funnel whose steps are events that a filter holds for, as the report they come from has it. */
export function draftOfEvents(name: string, events: readonly string[], filter: object): Draft {
  const path = [...events.slice(0, most.steps)].map((event, i): DraftStep => ({ no: i + 1, alternatives: [{ events: [event], filter }], optional: false, anchor: false }));
  const steps = path.length < 2 ? [...path, newStep(path)] : path;
  return { ...newDraft(), name: name.slice(0, 200), steps };
}

/** Whether a step of the wire is an alternative of the one before. */
function isAlternative(group: unknown): boolean {
  return typeof group === 'object' && group !== null && 'c' in group && group.c === 'or';
}

/** The steps of a funnel with their alternatives together. */
export function stepsOf({ steps, queries, stepGroups }: Pick<Funnel, 'steps' | 'queries' | 'stepGroups'>): Alternative[][] {
  const out: Alternative[][] = [];
  steps.forEach((step, i) => {
    const own: Alternative = { events: typeof step === 'string' ? [step] : step, filter: readFilter(queries[i] ?? '') ?? {} };
    const before = out.at(-1);
    if (before !== undefined && isAlternative(stepGroups[i])) before.push(own);
    else out.push([own]);
  });
  return out;
}

/** The largest unit that leaves a whole number. */
function windowOf(seconds: number): NonNullable<Draft['window']> {
  const unit = (['days', 'hours', 'minutes'] as const).find((u) => seconds % units[u] === 0) ?? 'seconds';
  return { amount: seconds / units[unit], unit };
}

/** Reads a kept funnel for changing it. */
export function fromFunnel(f: Funnel): Draft {
  const { order = 'sequential', window, exclusions, hold, optional, anchors, reentry } = f.options ?? {};
  const own = stepsOf(f);
  const ends = [1, own.length];
  return {
    name: f.name,
    description: f.description,
    sameSession: f.type === 'same-session',
    steps: own.map((alternatives, i) => ({ no: i + 1, alternatives, optional: optional?.includes(i + 1) ?? false, anchor: (anchors?.length ? anchors : ends).includes(i + 1) && order === 'anchored' })),
    order,
    window: typeof window === 'number' ? windowOf(window) : undefined,
    exclusions: (exclusions ?? []).map((x) => ({
      event: x.event,
      filter: typeof x.query === 'object' && x.query !== null ? x.query : {},
      from: x.from === undefined || x.from <= 1 ? undefined : x.from,
      to: x.to === undefined || x.to === 0 ? undefined : x.to,
    })),
    hold: [...(hold ?? [])],
    repeat: reentry === 'repeat',
  };
}

/** Writes a funnel as the API takes it. */
export function toSent(d: Draft): Sent {
  const flat = d.steps.flatMap((s) => s.alternatives.map((a, i) => ({ ...a, or: i > 0 })));
  const place = (no: number | undefined) => {
    const at = d.steps.findIndex((s) => s.no === no);
    return at < 0 ? undefined : at + 1;
  };
  const anchored = d.order === 'anchored';
  const optional = d.steps.flatMap((s, i) => (s.optional && isInner(d, i) && !anchored ? [i + 1] : []));
  const anchors = anchorsOf(d);
  const window = secondsOf(d);
  return {
    funnel_name: d.name.trim(),
    funnel_desc: d.description.trim(),
    funnel_type: d.sameSession ? 'same-session' : 'session-independent',
    steps: flat.map(({ events }) => (events.length === 1 ? (events[0] ?? '') : events)),
    queries: flat.map(({ filter }) => JSON.stringify(filter)),
    queryTexts: flat.map(() => ''),
    stepGroups: flat.some(({ or }) => or) ? flat.map(({ or }) => ({ c: or ? 'or' : 'and' })) : [],
    options: {
      ...(d.order === 'sequential' ? {} : { order: d.order }),
      ...(window === undefined ? {} : { window }),
      ...(d.exclusions.length === 0
        ? {}
        : {
            exclusions: d.exclusions.map(({ event, filter, from, to }) => {
              const [first, last] = [place(from), place(to)];
              return { event, query: filter, ...(first === undefined ? {} : { from: first }), ...(last === undefined ? {} : { to: last }) };
            }),
          }),
      ...(d.hold.length === 0 ? {} : { hold: d.hold }),
      ...(optional.length === 0 ? {} : { optional }),
      ...(anchored && anchors.length > 0 ? { anchors } : {}),
      ...(d.repeat ? { reentry: 'repeat' } : {}),
    },
  };
}

/** The steps that keep their place with the order anchored, from 1: those that are chosen; else the first and the last. */
export function anchorsOf({ steps }: Draft): number[] {
  const chosen = steps.flatMap((s, i) => (s.anchor ? [i + 1] : []));
  return chosen.length > 0 ? chosen : [1, steps.length];
}

/** Changes the order of a funnel; the first and the last step keep their place unless others were chosen. */
export function ordered({ steps }: Draft, order: Order): Pick<Draft, 'order' | 'steps'> {
  if (order !== 'anchored' || steps.some((s) => s.anchor)) return { order, steps };
  return { order, steps: steps.map((s, i) => ({ ...s, anchor: !isInner({ steps }, i) })) };
}

/** Whether a step lies between others, so that it may be skipped. */
export function isInner({ steps }: Pick<Draft, 'steps'>, i: number): boolean {
  return i > 0 && i < steps.length - 1;
}

/** The window in seconds; undefined for none. */
export function secondsOf({ window }: Draft): number | undefined {
  return window?.amount === undefined ? undefined : Math.round(window.amount * units[window.unit]);
}

/** What keeps a funnel from being saved. */
export type Problem = 'name' | 'few' | 'event' | 'twice' | 'window' | 'between' | 'anchors';

/** What keeps a funnel from being saved, in the order in which it is filled in. */
export function problems(d: Draft): Problem[] {
  const out: Problem[] = [];
  if (d.name.trim() === '') out.push('name');
  if (d.steps.length < 2) out.push('few');
  if (d.steps.some((s) => s.alternatives.some((a) => a.events.length === 0)) || d.exclusions.some((x) => x.event === '')) out.push('event');
  if (twice(d.steps).length > 0) out.push('twice');
  const seconds = secondsOf(d);
  if (d.window !== undefined && (seconds === undefined || seconds < 1 || seconds > most.window)) out.push('window');
  const at = (no: number | undefined, usual: number) => (no === undefined ? usual : d.steps.findIndex((s) => s.no === no));
  if (d.exclusions.some((x) => at(x.from, 0) >= at(x.to, d.steps.length - 1))) out.push('between');
  const anchors = anchorsOf(d);
  const place = (no: number | undefined, usual: number) => at(no, usual) + 1;
  if (d.order === 'anchored' && d.exclusions.some((x) => !anchors.includes(place(x.from, 0)) || !anchors.includes(place(x.to, d.steps.length - 1)))) out.push('anchors');
  return out;
}

/** Events that stand in the steps more than once; sessions and views may. */
export function twice(steps: readonly DraftStep[]): string[] {
  const keys = steps.flatMap((s) => s.alternatives.flatMap((a) => a.events));
  return [...new Set(keys.filter((key, i) => keys.indexOf(key) !== i && key !== viewKey && key !== sessionKey))];
}

/** The steps without one; exclusions that named it go to the ends. */
export function withoutStep(d: Draft, no: number): Draft {
  const free = (at: number | undefined) => (at === no ? undefined : at);
  return { ...d, steps: d.steps.filter((s) => s.no !== no), exclusions: d.exclusions.map((x) => ({ ...x, from: free(x.from), to: free(x.to) })) };
}

/** The steps with one moved by a place. */
export function moved(d: Draft, no: number, by: -1 | 1): Draft {
  const from = d.steps.findIndex((s) => s.no === no);
  const [one, other] = [d.steps[from], d.steps[from + by]];
  if (one === undefined || other === undefined) return d;
  return { ...d, steps: d.steps.map((s) => (s === one ? other : s === other ? one : s)) };
}
