import { daysIn, type Span } from './period';

/** How wide the steps of a course are. */
export const granularities = ['hour', 'day', 'week', 'month'] as const;
export type Granularity = (typeof granularities)[number];

/** About how many steps a chart shows well. */
const legible = 100;
/** How many steps can be asked for. */
const most = 1000;

/** How many steps of a width a span has, at most. */
function stepsIn(span: Span, step: Granularity): number {
  const days = daysIn(span);
  switch (step) {
    case 'hour':
      return days * 24;
    case 'day':
      return days;
    case 'week':
      return Math.ceil(days / 7) + (days % 7 > 1 ? 1 : 0);
    case 'month': {
      const [from, to] = [span.from, span.to].map((day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)));
      return (to ?? 0) - (from ?? 0) + 1;
    }
  }
}

/** The widths that a span can be cut into: more than one step, and not too many. The one day has hours alone. */
export function possible(span: Span, of: readonly Granularity[] = granularities): Granularity[] {
  const fitting = of.filter((step) => {
    const n = stepsIn(span, step);
    return n > 1 && n <= most && (step !== 'week' || daysIn(span) > 7);
  });
  return fitting.length > 0 ? fitting : [of.includes('day') ? 'day' : 'month'];
}

/** The width that draws a span with at most about a hundred steps: hours of a day, else days, weeks or months. */
export function usualStep(span: Span, of: readonly Granularity[] = granularities): Granularity {
  const can = possible(span, of);
  const days = can.filter((step) => step !== 'hour' || daysIn(span) === 1);
  return (days.length > 0 ? days : can).find((step) => stepsIn(span, step) <= legible) ?? can.at(-1) ?? 'month';
}

/** The chosen width where it is possible, else the usual one. */
export function stepOfView(chosen: string, span: Span, of: readonly Granularity[] = granularities): Granularity {
  return possible(span, of).find((step) => step === chosen) ?? usualStep(span, of);
}

/** A width in the words of the wire. */
export function stepParam(step: Granularity): string {
  return step === 'day' ? 'daily' : `${step}ly`;
}
