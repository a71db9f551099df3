/** One line or one colour of bars. */
export interface Series {
  name: string;
  /** One for each category; null where there is nothing. */
  values: ReadonlyArray<number | null>;
  /** Which of the theme's series colours, 1 to 7: 6 is for what is left, 7 for what belongs to none. By place unless given. */
  color?: number | 'bad';
}

/** Values over categories, mostly days. */
export interface CategoryChart {
  kind: 'bars' | 'lines';
  title: string;
  unit: string;
  /** What the categories are: "Day (UTC)". */
  axis: string;
  categories: readonly string[];
  series: readonly Series[];
  /** Bars of one category stand on each other. */
  stacked?: boolean;
  format(value: number): string;
  /** Values are counts: the axis has no fractions. */
  whole?: boolean;
  /** Largest value of the axis, where it is known (a share, a score). */
  max?: number;
}

/** One thing with two measures. */
export interface Point {
  name: string;
  x: number;
  y: number;
  /** The one that the page is about. */
  marked?: boolean;
}

/** Two measures against each other. */
export interface ScatterChart {
  kind: 'scatter';
  title: string;
  unit: string;
  x: { name: string; format(value: number): string };
  y: { name: string; format(value: number): string };
  points: readonly Point[];
  /** Joined by a line, in this order. */
  line?: { name: string; points: readonly Point[] };
}

export type ChartModel = CategoryChart | ScatterChart;
