/** A rectangle on a chart, pixels. */
export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

const gap = 4;

/**
 * The place of a point's name: beside the point, or in the nearest free row above or below.
 *
 * @param point the symbol of the point
 * @param label the size of its name
 * @param placed what the name must not cover: all symbols, and the names that were placed before
 * @param width the width of the chart
 * @returns the upper left corner
 */
export function placeLabel(point: Rect, label: Rect, placed: readonly Rect[], width: number): { x: number; y: number } {
  const middle = point.y + point.height / 2 - label.height / 2;
  const center = point.x + point.width / 2 - label.width / 2;
  const inside = Math.max(0, Math.min(center, width - label.width));
  const sides = [point.x + point.width + gap, point.x - label.width - gap].filter((x) => x >= 0 && x + label.width <= width);
  const rows = placed.length * 2 + 1;
  for (let row = 0; row <= rows; row += 1) {
    for (const y of row === 0 ? [middle] : [middle - row * label.height, middle + row * label.height]) {
      for (const x of row === 0 ? sides : [...sides, inside]) {
        const place = { ...label, x, y };
        if (y >= 0 && !placed.some((other) => overlap(place, other))) return { x, y };
      }
    }
  }
  return { x: inside, y: middle };
}

function overlap(one: Rect, other: Rect): boolean {
  return (
    one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height
  );
}
