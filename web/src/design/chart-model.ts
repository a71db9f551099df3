/** One line, or the bars of one colour. */
export interface Series {
  name: string;
  /** One value per category; null for no data. */
  values: ReadonlyArray<number | null>;
  /** Series colour 1 to 7 of the theme: 6 is "others", 7 is "none". `ink` is the total. Defaults to the position. */
  color?: number | 'bad' | 'ink';
  /** A thin dashed line, for a bound that values are compared with. */
  dashed?: boolean;
}

/** Values by category, usually days. */
export interface CategoryChart {
  kind: 'bars' | 'lines';
  title: string;
  unit: string;
  /** Name of the category axis: "Day (UTC)". */
  axis: string;
  categories: readonly string[];
  series: readonly Series[];
  /** The last category has not ended: its bars are hatched. */
  unfinished?: boolean | undefined;
  /** Stacks the bars of a category. */
  stacked?: boolean;
  format(value: number): string;
  /** Values are counts: the axis shows whole numbers. */
  whole?: boolean;
  /** The end of the scale (1 for a share): the axis does not go beyond it. */
  limit?: number;
  /** Opens what a category consists of, or one series of it. */
  open?(category: number, series: string | null): void;
}

/** A named point with two measures. */
export interface Point {
  name: string;
  x: number;
  y: number;
  /** Highlights the point. */
  marked?: boolean;
}

/** A scatter plot of two measures. */
export interface ScatterChart {
  kind: 'scatter';
  title: string;
  unit: string;
  x: { name: string; format(value: number): string };
  y: { name: string; format(value: number): string; limit?: number };
  points: readonly Point[];
  /** Points connected by a line, in this order. */
  line?: { name: string; points: readonly Point[] };
}

export type ChartModel = CategoryChart | ScatterChart;

/** Something that happened while a chart's values were measured. */
export interface MarkedEvent {
  id: string;
  name: string;
  /** When, for people. */
  when: string;
  open(): void;
}

/** What happened in one category of a chart over time, in order. */
export interface ChartMark {
  category: number;
  events: readonly MarkedEvent[];
}
