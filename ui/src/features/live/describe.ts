import type { TFunction } from 'i18next';
import type { Format } from '../../lib/format';
import { isTelling, viewKey } from '../../lib/segments';
import { decodeName, decodeVersion } from '../../lib/wire';
import { nameOf } from '../../parts/metrics/definitions';
import type { Entry, FeedItem } from './api';

/** What an entry says, in the words of a language. */
export interface Described {
  /** What the request did besides its events: a session that began, a crash. */
  marks: { id: Mark; text: string }[];
  items: { name: string; count: string; details: string }[];
  /** Said of events that are not listed. */
  more: string;
  /** Where and on what. */
  from: string;
}

export type Mark = 'new' | 'begin' | 'end' | 'crash' | 'consent' | 'person' | 'time' | 'request';

/** Returns what puts entries into words. */
export function describer(t: TFunction, format: Format, lang: string): (e: Entry) => Described {
  const country = nameOf(lang, 'region');
  const item = (i: FeedItem) => {
    const segments = (i.segments ?? []).filter(([name]) => isTelling(i.key, name));
    const page = i.key === viewKey ? i.segments?.find(([name]) => name === 'name')?.[1] : undefined;
    const details = segments.map(([name, value]) => `${name}: ${value}`);
    if (i.more !== undefined) details.push(t('live.moreSegments', { count: i.more, number: format.count(i.more) }));
    if (i.sum !== undefined) details.push(`${t('events.s')}: ${format.amount(i.sum)}`);
    if (i.dur !== undefined) details.push(format.duration(i.dur));
    return {
      name: i.key === viewKey ? t('live.view', { name: page ?? '' }).trim() : i.key,
      count: i.count > 1 ? `×${format.count(i.count)}` : '',
      details: details.join(' · '),
    };
  };
  return (e) => {
    const marks: Described['marks'] = [];
    const mark = (id: Exclude<Mark, 'time'>, so: boolean | undefined) => {
      if (so === true) marks.push({ id, text: t(`live.mark.${id}`) });
    };
    mark('new', e.new);
    mark('begin', e.begin);
    mark('end', e.end);
    mark('crash', e.crash);
    mark('person', e.person);
    mark('consent', e.consent);
    if (e.seconds !== undefined) marks.push({ id: 'time', text: t('live.seconds', { time: format.duration(e.seconds) }) });
    const items = (e.events ?? []).map(item);
    if (marks.length === 0 && items.length === 0) mark('request', true);
    const known = (text: string | undefined, read = (s: string) => s) => (text === undefined || text === 'Unknown' ? [] : [read(text)]);
    return {
      marks,
      items,
      more: e.more === undefined ? '' : t('live.moreEvents', { count: e.more, number: format.count(e.more) }),
      from: [
        ...known(e.country, country),
        ...known(e.city),
        ...known(e.device, decodeName),
        ...known(e.os, decodeName),
        ...known(e.browser, decodeName),
        ...known(e.version, (v) => t('live.version', { version: decodeVersion(v) })),
      ].join(' · '),
    };
  };
}

/** All that an entry says, for looking through it. */
export function textOf({ marks, items, from }: Described): string {
  return [...marks.map((m) => m.text), ...items.map((i) => `${i.name} ${i.details}`), from].join('\n');
}
