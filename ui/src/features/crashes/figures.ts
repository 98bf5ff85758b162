import { readFilter } from '../../components/filter/filter';
import type { Row, Sums } from '../../parts/figures/api';
import type { Figures, Plain } from '../../parts/trends/api';

/** What a chart of crashes shows over time. */
export const measures = ['freeSessions', 'freeUsers', 'fatal', 'nonfatal', 'hit'] as const;
export type Measure = (typeof measures)[number];

/** Reads a measure from an address. */
export const parseMeasure = (text: string): Measure => measures.find((m) => m === text) ?? 'freeSessions';

/** Whether a measure is a share of 1. */
export const isShare = (measure: Measure): boolean => measure === 'freeSessions' || measure === 'freeUsers';

/** Crashes that ended the app, and errors that did not, of a period or a step of it. */
export interface Both {
  fatal: Figures | undefined;
  other: Figures | undefined;
}

/** The share of what was hit by nothing; undefined where there was nothing. */
function free(of: number, hit: number): number | undefined {
  return of === 0 ? undefined : Math.max(0, 1 - hit / of);
}

/** A measure of a period or a step of it, beside its sessions and users. Sessions hit are those that sent a crash which ended the app. */
export function valueOf(measure: Measure, { fatal, other }: Both, all: Pick<Sums, 't' | 'u'>): number | undefined {
  switch (measure) {
    case 'freeSessions':
      return free(all.t, fatal?.m?.[0] ?? 0);
    case 'freeUsers':
      return free(all.u, fatal?.u ?? 0);
    case 'fatal':
      return fatal?.t ?? 0;
    case 'nonfatal':
      return other?.t ?? 0;
    case 'hit':
      return fatal?.u ?? 0;
  }
}

/** The name of a step among those of drill: 2031.5.14.9 for "2031-5-14 9:00", 2031.w20 for "2031-w20". */
export const slotOf = (id: string): string => id.replace(/:00$/, '').replace(/[- ]/g, '.');

/** A measure over the steps of a period. */
export function courseOf(measure: Measure, rows: readonly Row[], bucket: string, fatal: Plain, other: Plain): (number | undefined)[] {
  return rows.map((row) => {
    const at = slotOf(row._id);
    return valueOf(measure, { fatal: fatal.data[bucket]?.[at], other: other.data[bucket]?.[at] }, row);
  });
}

/** A filter of the page together with one more condition. */
export function within(filter: string | undefined, more: object): object {
  if (filter === undefined) return more;
  return { $and: [readFilter(filter) ?? {}, more] };
}

/** The frames of a stack: lines, and whether they are of the app's own code as far as their names tell. */
export interface Frame {
  text: string;
  own: boolean;
  /** Whether the line is a frame at all, not a message. */
  frame: boolean;
}

/** How frames begin: Java and JavaScript, Python, native ones with and without a number, Unity. */
const frameStart = /^\s*(at\s|File "|#?\d+\s+\S|\S+\s+0x[0-9a-f]+\s|[\w$.<>/]*@\S+:\d+|[\w.+<>`]+[:.][\w.<>|]+ ?\([^()]*\) \(at )/i;

/** Code that comes with platforms, languages and widespread frameworks. */
const foreign =
  /(^|[^\w.])(java|javax|sun|jdk|kotlin|kotlinx|scala|groovy|android|androidx|dalvik|com\.android|com\.google\.android|libcore|okhttp3|retrofit2|io\.reactivex|org\.apache|org\.springframework|org\.eclipse|io\.netty|UnityEngine|UnityEditor)\.|^\s*(at )?System\.|node:internal|node_modules[/\\]|\binternal\/(modules|process|timers)\b|react-dom|\bzone\.js\b|webpack\/(bootstrap|runtime)|(^|\s)(UIKit|UIKitCore|Foundation|CoreFoundation|CoreGraphics|QuartzCore|GraphicsServices|MapKit|libdispatch\S*|libsystem\S*|libobjc\S*|libc\+\+\S*|libswift\S*|dyld|libc\.so|libart\.so|linker64?|libandroid_runtime\.so)\b|package:flutter\/|(^|[\s(])dart:|site-packages/;

/** Reads a stack trace. */
export function framesOf(error: string): Frame[] {
  return error
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const frame = frameStart.test(line);
      return { text: line.trimEnd(), frame, own: frame && !foreign.test(line) };
    });
}

/** The values of a distribution, the most frequent first, and how many reports the values beyond them have. */
export function topOf(bars: Readonly<Record<string, number>>, most: number): { rows: { name: string; value: number }[]; rest: number } {
  const rows = Object.entries(bars)
    .map(([name, value]) => ({ name, value }))
    .sort((a, b) => b.value - a.value || a.name.localeCompare(b.name));
  return { rows: rows.slice(0, most), rest: rows.slice(most).reduce((sum, { value }) => sum + value, 0) };
}

/** A key of a distribution as people read it: dots are stored as colons. */
export const decoded = (key: string): string => key.replaceAll(':', '.');

/** The share of users whom a group hit. */
export const shareHit = (users: number, total: number): number => (total === 0 ? 0 : Math.min(1, users / total));

/** The lines of a log that led to a report, the oldest first; the last ones of a long log. */
export function crumbsOf(logs: string, most = 200): string[] {
  return logs
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-most);
}
