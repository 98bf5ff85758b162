import type { Span } from '../../lib/period';

/** A step of an axis: its full name and a short one. */
export interface Step {
  label: string;
  tick: string;
  /** Its days, where a period can be narrowed to them. */
  days?: Span;
}

/** Something that can be done with a step of a chart. */
export interface PointAction {
  label: string;
  run: () => void;
}

export interface Series {
  name: string;
  values: readonly (number | undefined)[];
  /** Drawn dashed: what the others are compared with. Quiet in colour, too, unless it has one. */
  quiet?: boolean;
  /** Its colour, from 1 to 6, where it is not just the next one. */
  color?: number;
  /** How its line is dashed, where there are more lines than colours. */
  dash?: 1 | 2 | 3;
  /** Names of its own steps, where they are other than the chart's. */
  labels?: readonly string[];
  /** Filters the page by what the series is of. */
  onPick?: (() => void) | undefined;
}

interface Numbers {
  format: (value: number) => string;
  /** Format of the axis, where room is scarce. */
  formatTick: (value: number) => string;
  /** Whether values are durations, whose axis steps by minutes and hours rather than by tens. */
  seconds?: boolean;
}

/** Figures over the steps of a period. */
export interface SeriesSpec extends Numbers {
  kind: 'series';
  steps: readonly Step[];
  series: readonly Series[];
  /** Whether values between whole numbers make sense. */
  continuous: boolean;
  /** The step that is still going on: drawn as unfinished, and nothing after it. */
  present?: number | undefined;
  /** Texts at steps, by the step's index. */
  marks?: readonly { step: number; text: string }[];
  /** Draws columns, one upon another. */
  stacked?: boolean;
  /** Draws columns side by side. */
  columns?: boolean;
  /** Fills what lies below every line. */
  filled?: boolean;
}

/** Values side by side. */
export interface BarsSpec extends Numbers {
  kind: 'bars';
  name: string;
  rows: readonly { name: string; value: number; before?: number | undefined }[];
  /** Names of both values, where there are two. */
  names?: readonly [string, string];
  /** Columns for ranges that have an order; rows otherwise. */
  upright?: boolean;
  /** What a click on a row does, by its place; the table beside the chart has the same for the keyboard. */
  onPick?: (row: number) => void;
}

/** Values of two axes. */
export interface HeatSpec extends Numbers {
  kind: 'heat';
  name: string;
  xs: readonly Step[];
  ys: readonly string[];
  values: readonly (readonly number[])[];
  /** What a click on a row does, by its place. */
  onPick?: (row: number) => void;
}

/** Parts of a whole. */
export interface PieSpec extends Numbers {
  kind: 'pie';
  name: string;
  rows: readonly { name: string; value: number }[];
  /** As that of bars. */
  onPick?: (row: number) => void;
}

/** Values of countries, by ISO 3166 code. */
export interface MapSpec extends Numbers {
  kind: 'map';
  name: string;
  rows: readonly { code: string; name: string; value: number }[];
  /** As that of bars. */
  onPick?: (row: number) => void;
  /** Cities with their values, drawn as discs. */
  points?: readonly { name: string; lat: number; lng: number; value: number }[];
  /** Circles on the globe. A draft is one that is not kept yet. */
  circles?: readonly Circle[];
  /** What the map begins with in place of the whole world: a country, by its code, or a circle. */
  focus?: string | Circle | undefined;
  /** What a click on a point of the globe does, in place of picking a country. */
  onPoint?: ((lat: number, lng: number) => void) | undefined;
}

/** A circle on the globe, of a radius in km. */
export interface Circle {
  name: string;
  lat: number;
  lng: number;
  km: number;
  draft?: boolean;
}

export type ChartSpec = SeriesSpec | BarsSpec | HeatSpec | PieSpec | MapSpec;

/** How many pixels a chart needs in height. */
export function heightOf(spec: ChartSpec): number {
  switch (spec.kind) {
    case 'series':
      return 300;
    case 'bars':
      return spec.upright === true ? 280 : Math.max(140, spec.rows.length * (spec.names === undefined ? 34 : 46) + 24);
    case 'pie':
      return 300;
    case 'heat':
      return spec.ys.length * 36 + 76;
    case 'map':
      return 420;
  }
}
