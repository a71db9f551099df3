import type { ChartMark, MarkedEvent } from './chart-model.ts';

/** Marks that share a button, because their buttons would cover each other. */
export interface MarkCluster {
  /** The middle of the button. */
  x: number;
  /** Where its marks are. */
  lines: readonly number[];
  events: readonly MarkedEvent[];
}

/**
 * Joins marks whose buttons would cover each other.
 *
 * @param marks in order of their categories
 * @param placeOf the place of a category, pixels; increasing
 * @param size the width of a button, pixels
 */
export function clusterMarks(
  marks: readonly ChartMark[],
  placeOf: (category: number) => number,
  size: number,
): readonly MarkCluster[] {
  let clusters: MarkCluster[] = marks.map(({ category, events }) => {
    const x = placeOf(category);
    return { x, lines: [x], events };
  });
  // A button moves to the middle of its marks, and may then cover the next one.
  for (let before = -1; before !== clusters.length;) {
    before = clusters.length;
    clusters = clusters.reduce<MarkCluster[]>((joined, cluster) => {
      const last = joined.at(-1);
      if (!last || cluster.x - last.x >= size) return [...joined, cluster];
      const lines = [...last.lines, ...cluster.lines];
      const x = ((lines[0] ?? 0) + (lines.at(-1) ?? 0)) / 2;
      return [...joined.slice(0, -1), { x, lines, events: [...last.events, ...cluster.events] }];
    }, []);
  }
  return clusters;
}
