import { expect, test } from 'vitest';
import { layOut } from './lay-out.ts';

const box = (id: string) => ({ id, width: 100, height: 30 });

test('callers stand left of what they call, cycles are allowed, and boxes do not overlap', () => {
  const nodes = ['a', 'b', 'c', 'd'].map(box);
  const edges = [
    ['a', 'b'],
    ['b', 'c'],
    ['c', 'b'],
    ['a', 'd'],
  ].map(([source = '', target = '']) => ({ source, target }));
  const places = layOut({ nodes, edges });
  expect(places.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
  const [a, b, c, d] = places;
  expect((a?.x ?? 0) + 100).toBeLessThan(b?.x ?? 0);
  expect((b?.x ?? 0) + 100).toBeLessThan(c?.x ?? 0);
  expect(Math.abs((b?.y ?? 0) - (d?.y ?? 0))).toBeGreaterThanOrEqual(30);
});

test('a graph without edges', () => {
  expect(layOut({ nodes: [box('a')], edges: [] })).toEqual([{ id: 'a', x: 0, y: 0 }]);
});

test('a layer with very many nodes stands in several columns, none over another', () => {
  const tools = Array.from({ length: 300 }, (_, index) => box(`t${index}`));
  const places = layOut({ nodes: [box('a'), ...tools], edges: tools.map(({ id }) => ({ source: 'a', target: id })) });
  const [agent, ...placed] = places;
  expect(new Set(placed.map(({ x }) => x)).size).toBeGreaterThan(5);
  expect(placed.every(({ x }) => x > (agent?.x ?? 0) + 100)).toBe(true);
  const overlapping = placed.filter((one, index) =>
    placed.slice(index + 1).some((other) => Math.abs(one.x - other.x) < 100 && Math.abs(one.y - other.y) < 30),
  );
  expect(overlapping).toEqual([]);
  const height = Math.max(...placed.map(({ y }) => y)) - Math.min(...placed.map(({ y }) => y));
  expect(height).toBeLessThan(40 * 40);
});
