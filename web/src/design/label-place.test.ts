import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeLabel } from './label-place.ts';
import type { Rect } from './label-place.ts';

const overlaps = (a: Rect, b: Rect) =>
  Math.min(a.x + a.width, b.x + b.width) > Math.max(a.x, b.x) && Math.min(a.y + a.height, b.y + b.height) > Math.max(a.y, b.y);

test('a name stands beside its point, right if it is free', () => {
  const point = { x: 100, y: 50, width: 10, height: 10 };
  const label = { x: 0, y: 0, width: 40, height: 12 };
  const right = placeLabel(point, label, []);
  expect(right).toEqual({ x: 114, y: 49 });
  expect(placeLabel(point, label, [{ ...label, ...right }])).toEqual({ x: 56, y: 49 });
});

test('no two names overlap, however close the points are', () => {
  const point = fc.record({
    x: fc.integer({ min: 0, max: 600 }),
    y: fc.integer({ min: 0, max: 300 }),
    width: fc.integer({ min: 10, max: 180 }),
  });
  fc.assert(
    fc.property(fc.array(point, { maxLength: 40 }), (points) => {
      const placed: Rect[] = [];
      for (const { x, y, width } of points) {
        const label = { x: 0, y: 0, width, height: 13 };
        placed.push({ ...label, ...placeLabel({ x, y, width: 10, height: 10 }, label, placed) });
      }
      for (const [index, one] of placed.entries())
        for (const other of placed.slice(index + 1)) expect(overlaps(one, other)).toBe(false);
    }),
  );
});
