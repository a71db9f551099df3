/** One line, or the bars of one colour. */
export interface Series {
  name: string;
  /** One value per category; null for no data. */
  values: ReadonlyArray<number | null>;
  /** Series colour 1 to 7 of the theme: 6 is "others", 7 is "none". Defaults to the position. */
  color?: number | 'bad';
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
  /** Stacks the bars of a category. */
  stacked?: boolean;
  format(value: number): string;
  /** Values are counts: the axis shows whole numbers. */
  whole?: boolean;
  /** Upper end of the axis, where it is fixed (a share, a score). */
  max?: number;
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
  y: { name: string; format(value: number): string };
  points: readonly Point[];
  /** Points connected by a line, in this order. */
  line?: { name: string; points: readonly Point[] };
}

export type ChartModel = CategoryChart | ScatterChart;
