import type { Format } from '../../lib/format';
import type { Granularity } from '../../lib/granularity';
import { addDays, weekOf, type Span } from '../../lib/period';
import type { ViewFigures, ViewName } from './api';
import type { Course } from './courses';

/** The figures that a chart of views shows. */
export const viewMeasures = ['t', 'u', 'n', 's', 'd-calc'] as const;
export type ViewMeasure = (typeof viewMeasures)[number];

/** Reads the chosen figure from the URL. */
export function parseMeasure(text: string): ViewMeasure {
  return viewMeasures.find((m) => m === text) ?? 't';
}

/** Writes a figure. */
export function writeMeasure(measure: keyof ViewFigures, value: number, format: Format): string {
  if (measure === 'd' || measure === 'd-calc') return format.duration(value);
  if (measure === 'br' || measure === 'scr-calc') return format.share(value / 100);
  return format.count(value);
}

/** Writes a figure of a view; a dash where nothing was measured of which it could be one. */
export function writeFigure(key: keyof ViewFigures, figures: ViewFigures, format: Format): string {
  const of = { br: figures.s, 'd-calc': figures.d, 'scr-calc': figures.scr };
  return key in of && of[key as keyof typeof of] === 0 ? '–' : writeMeasure(key, figures[key], format);
}

/** What a view is called: the name that people gave it, else its own. */
export function nameOfView({ view, display }: Pick<ViewName, 'view' | 'display'>): string {
  return display === undefined || display === '' ? view : display;
}

/** A step of a period with the figure of it. */
export interface Point {
  _id: string;
  value: number;
}

/** The widths that views can be cut into: hours are not kept. */
export const viewSteps = ['day', 'week', 'month'] as const satisfies readonly Granularity[];

/** The ids of the days, weeks or months of a span, as the server writes them. */
export function stepsOf({ from, to }: Span, step: Granularity): string[] {
  const ids: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const [year, month, date] = day.split('-').map(Number);
    const id = step === 'week' ? weekOf(day) : step === 'month' ? `${year ?? 0}-${month ?? 0}` : `${year ?? 0}-${month ?? 0}-${date ?? 0}`;
    if (ids.at(-1) !== id) ids.push(id);
  }
  return ids;
}

/** Whether a part of a course is a step, not the days of a month. */
function isFigures(at: Course[string][string]): at is ViewFigures {
  return typeof at.t === 'number';
}

/** The value of a figure in each step; nothing is 0. */
export function pointsOf(course: Course | undefined, ids: readonly string[], measure: ViewMeasure): Point[] {
  return ids.map((_id) => {
    const [year = '', month = '', day] = _id.split('-');
    const at = course?.[year]?.[month.toUpperCase()]; // a week is W20
    const figures = at === undefined || isFigures(at) ? at : at[day ?? ''];
    return { _id, value: figures?.[measure] ?? 0 };
  });
}

/** What reports a view with the SDK for the web. */
export const viewSnippet = `// the path of the page
Countly.q.push(['track_pageview']);
// a name of your own
Countly.q.push(['track_pageview', 'Checkout']);`;
