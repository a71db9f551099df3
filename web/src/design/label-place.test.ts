import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeLabel } from './label-place.ts';
import type { Rect } from './label-place.ts';

const overlaps = (a: Rect, b: Rect) =>
  Math.min(a.x + a.width, b.x + b.width) > Math.max(a.x, b.x) && Math.min(a.y + a.height, b.y + b.height) > Math.max(a.y, b.y);

test('a name stands beside its point, right if it is free', () => {
  const point = { x: 100, y: 50, width: 10, height: 10 };
  const label = { x: 0, y: 0, width: 40, height: 12 };
  const right = placeLabel(point, label, [], 600);
  expect(right).toEqual({ x: 114, y: 49 });
  expect(placeLabel(point, label, [{ ...label, ...right }], 600)).toEqual({ x: 56, y: 49 });
});

test('a name stays inside the chart', () => {
  const label = { x: 0, y: 0, width: 80, height: 12 };
  const atRight = { x: 290, y: 50, width: 10, height: 10 };
  expect(placeLabel(atRight, label, [], 300)).toEqual({ x: 206, y: 49 });
  // Neither side has room.
  expect(placeLabel({ ...atRight, x: 45 }, label, [], 100)).toMatchObject({ x: 10 });
});

test('no name covers another or a symbol, however close the points are', () => {
  const point = fc.record({
    x: fc.integer({ min: 0, max: 600 }),
    y: fc.integer({ min: 0, max: 300 }),
    width: fc.integer({ min: 10, max: 180 }),
  });
  fc.assert(
    fc.property(fc.array(point, { maxLength: 40 }), (points) => {
      const symbols = points.map(({ x, y }) => ({ x, y, width: 10, height: 10 }));
      const names: Rect[] = [];
      for (const [index, { width }] of points.entries()) {
        const label = { x: 0, y: 0, width, height: 13 };
        const symbol = symbols[index] ?? label;
        names.push({ ...label, ...placeLabel(symbol, label, [...symbols, ...names], 620) });
      }
      for (const [index, one] of names.entries()) {
        for (const other of [...symbols, ...names.slice(index + 1)]) expect(overlaps(one, other)).toBe(false);
        expect([one.x >= 0, one.x + one.width <= 620]).toEqual([true, true]);
      }
    }),
  );
});
