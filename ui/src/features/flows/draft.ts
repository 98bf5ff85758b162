import { readFilter } from '../../components/filter/filter';
import { formatPeriod, isDay, parsePeriod, wallClock } from '../../lib/period';
import { viewKey } from '../../lib/segments';
import { parseList, parseOnly, type View } from '../../lib/view';
import { sessionKey } from '../../parts/events/useEventNames';
import type { Anchor, Flow, Node, Sent } from './api';

/** What the steps of a flow are, beside sessions that begin. */
export const kinds = ['events', 'views'] as const;
export type Kind = (typeof kinds)[number];

/** On which side of the step that a flow is about its other steps lie. */
export const directions = ['after', 'before', 'around'] as const;
export type Direction = (typeof directions)[number];

/** What a path stays within: a session, some seconds around its start, or nothing but the period. */
export type Bound = 'session' | 'user' | number;

/** What a kept flow has that the page cannot edit: conditions on its start and end, and other options. */
export interface Rest {
  at?: Record<string, unknown>;
  end?: Record<string, unknown>;
  options?: Record<string, unknown>;
}

/** A flow as the page asks for it. Steps are texts: the key of an event, for a view with a colon and its name. */
export interface Draft {
  kind: Kind;
  at: string;
  /** Empty for any end. */
  end: string;
  direction: Direction;
  /** How many steps on a side, and how many different ones a level shows. */
  steps: number;
  nodes: number;
  bound: Bound;
  /** Steps that do not count. */
  hidden: string[];
  /** The path of a property by whose values steps are split; empty for none. */
  by: string;
  filter: object;
  rest: Rest;
}

/** Bounds of a flow; the window in seconds. */
export const most = { steps: 20, nodes: 25, window: 366 * 86_400 } as const;

/** What is shown until something else is chosen. */
export const usualFlow: Draft = { kind: 'events', at: sessionKey, end: '', direction: 'after', steps: 4, nodes: 6, bound: 'session', hidden: [], by: '', filter: {}, rest: {} };

/** The key of crashes. */
export const crashKey = '[CLY]_crash';
/** Keys of events of which the name says what happened. */
const named = [viewKey, crashKey];

/** The text of a step; undefined of what stands for several. */
export function stepOf({ event, name = '', other }: Pick<Node, 'event' | 'name' | 'other'>): string | undefined {
  if (other === true || event === undefined) return undefined;
  return named.includes(event) && name !== '' ? `${event}:${name}` : event;
}

/** The key of a step, and the name of the view or crash that it is. */
export function partsOf(step: string): { event: string; name?: string } {
  const key = named.find((k) => step.startsWith(`${k}:`));
  return key === undefined ? { event: step } : { event: key, name: step.slice(key.length + 1) };
}

/** Reads a flow from the view of an address. */
export function draftOf({ tab, events, only, segment, filter }: Pick<View, 'tab' | 'events' | 'only' | 'segment' | 'filter'>): Draft {
  const { at, end, direction, steps, nodes, bound, rest } = parseOnly(only);
  const window = wholeOf(bound, most.window);
  return {
    kind: tab === 'views' ? 'views' : 'events',
    at: at ?? usualFlow.at,
    end: direction === 'before' ? '' : (end ?? ''),
    direction: directions.find((d) => d === direction) ?? 'after',
    steps: wholeOf(steps, most.steps) ?? usualFlow.steps,
    nodes: wholeOf(nodes, most.nodes) ?? usualFlow.nodes,
    bound: window ?? (bound === 'user' ? 'user' : 'session'),
    hidden: parseList(events),
    by: segment,
    filter: readFilter(filter) ?? {},
    rest: restOf(rest),
  };
}

/** Reads a whole number from 1 on. */
function wholeOf(text: string | undefined, largest: number): number | undefined {
  const n = Number(text);
  return Number.isInteger(n) && n >= 1 && n <= largest ? n : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function restOf(text = ''): Rest {
  const all: Record<string, unknown> = { ...readFilter(text) };
  return {
    ...(isRecord(all.at) ? { at: all.at } : {}),
    ...(isRecord(all.end) ? { end: all.end } : {}),
    ...(isRecord(all.options) ? { options: all.options } : {}),
  };
}

/** The search of an address that holds a flow. */
export function searchOf({ kind, at, end, direction, steps, nodes, bound, hidden, by, filter, rest }: Draft): Pick<View, 'tab' | 'events' | 'only' | 'segment' | 'filter'> {
  const json = (value: object) => (Object.keys(value).length === 0 ? '' : JSON.stringify(value));
  const only = {
    ...(at === usualFlow.at ? {} : { at }),
    ...(end === '' ? {} : { end }),
    ...(direction === 'after' ? {} : { direction }),
    ...(steps === usualFlow.steps ? {} : { steps: String(steps) }),
    ...(nodes === usualFlow.nodes ? {} : { nodes: String(nodes) }),
    ...(bound === 'session' ? {} : { bound: String(bound) }),
    ...(Object.keys(rest).length === 0 ? {} : { rest: JSON.stringify(rest) }),
  };
  return { tab: kind === 'views' ? 'views' : '', events: json(hidden), only: json(only), segment: by, filter: json(filter) };
}

/** Writes a flow as the API takes it. What leads up to a step is one that ends with it. */
export function toSent({ kind, at, end, direction, steps, nodes, bound, hidden, by, filter, rest }: Draft): Sent {
  const anchor = (step: string, query?: object): Anchor => (step === '' ? {} : { ...partsOf(step), ...(query === undefined ? {} : { query: { ...query } }) });
  const about = anchor(at, rest.at);
  const backwards = direction === 'before';
  return {
    type: kind,
    start: backwards ? {} : about,
    end: backwards ? about : anchor(end, rest.end),
    exclude: hidden.map((step) => partsOf(step)),
    ...(Object.keys(filter).length === 0 ? {} : { user_segmentation: filter }),
    options: {
      ...rest.options,
      nodes,
      ...(backwards || direction === 'around' ? { before: steps } : {}),
      ...(backwards ? {} : { after: steps }),
      ...(typeof bound === 'number' ? { bound: 'window', window: bound } : bound === 'user' ? { bound } : {}),
      ...(by === '' ? {} : { expand: by }),
    },
  };
}

/** Reads a kept flow; nameOf is the name of the view of an id. */
export function fromFlow({ type, start, end, exclude, user_segmentation, options }: Flow, nameOf: (vid: string) => string | undefined): Draft {
  const { bound, window, before, after, nodes, expand, ...others } = options;
  const number = (value: unknown, usual: number) => (typeof value === 'number' ? value : usual);
  const stepFrom = ({ event = '', vid, cid, name }: Anchor) => stepOf({ event, name: vid === undefined ? (cid ?? name ?? '') : (nameOf(vid) ?? vid) }) ?? '';
  const backwards = stepFrom(start) === '';
  const about = backwards ? end : start;
  const side = backwards ? before : after;
  const around = !backwards && number(before, 0) > 0;
  const rest: Rest = {
    ...(about.query === undefined ? {} : { at: about.query }),
    ...(backwards || end.query === undefined ? {} : { end: end.query }),
    ...(Object.keys(others).length === 0 ? {} : { options: others }),
  };
  return {
    kind: type === 'views' ? 'views' : 'events',
    at: stepFrom(about) || sessionKey,
    end: backwards ? '' : stepFrom(end),
    direction: backwards ? 'before' : around ? 'around' : 'after',
    steps: Math.max(1, number(side, most.steps)),
    nodes: number(nodes, 10),
    bound: bound === 'window' ? number(window, 1) : bound === 'user' ? 'user' : 'session',
    hidden: exclude.map(stepFrom).filter((step) => step !== ''),
    by: typeof expand === 'string' ? expand : '',
    filter: user_segmentation,
    rest,
  };
}

/** The period of a kept flow as addresses hold it; undefined for one that they cannot. */
export function periodOf(text: string, zone: string): string | undefined {
  const preset = parsePeriod(text);
  if (preset.kind === 'preset' && preset.preset === text) return text;
  const [from, to] = [...text.matchAll(/\d{9,15}/g)].map(([ms]) => wallClock(Number(ms), zone).slice(0, 10));
  return from === undefined || to === undefined || !isDay(from) || !isDay(to) ? undefined : formatPeriod({ kind: 'custom', from, to });
}

/** What someone may do with a step of the picture. */
export const walks = ['start', 'before', 'end', 'hide'] as const;
export type Walk = (typeof walks)[number];

/** What can be done with a step of a flow: not what it is about already. */
export function walksAt({ at, end, direction }: Draft, step: string): Walk[] {
  const able: Record<Walk, boolean> = {
    start: step !== at || direction !== 'after',
    before: step !== at || direction !== 'before',
    end: step !== at && step !== end && direction !== 'before',
    hide: step !== at && step !== end,
  };
  return walks.filter((walk) => able[walk]);
}

/** The flow after a walk. */
export function walked(draft: Draft, walk: Walk, step: string): Draft {
  const shown = draft.hidden.filter((s) => s !== step);
  const { at: ofAt, end: ofEnd, options } = draft.rest;
  const rest = (at: Rest['at'], end: Rest['end']): Rest => ({
    ...(at === undefined ? {} : { at }),
    ...(end === undefined ? {} : { end }),
    ...(options === undefined ? {} : { options }),
  });
  switch (walk) {
    case 'start': {
      const end = draft.end === step ? '' : draft.end;
      return { ...draft, at: step, end, direction: 'after', hidden: shown, rest: rest(undefined, end === '' ? undefined : ofEnd) };
    }
    case 'before':
      return { ...draft, at: step, direction: 'before', end: '', hidden: shown, rest: rest(undefined, undefined) };
    case 'end':
      return { ...draft, end: step, hidden: shown, rest: rest(ofAt, undefined) };
    case 'hide':
      return { ...draft, hidden: [...shown, step] };
  }
}
