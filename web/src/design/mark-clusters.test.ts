import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clusterMarks } from './mark-clusters.ts';

const mark = (category: number, ...names: string[]) => ({
  category,
  events: names.map((name) => ({ id: name, name, when: '', open: () => undefined })),
});
const namesOf = (clusters: ReturnType<typeof clusterMarks>) => clusters.map(({ events }) => events.map(({ name }) => name));

test('marks that are far enough apart have a button each', () => {
  const clusters = clusterMarks([mark(0, 'a'), mark(3, 'b', 'c')], (category) => category * 10, 24);
  expect(namesOf(clusters)).toEqual([['a'], ['b', 'c']]);
  expect(clusters.map(({ x }) => x)).toEqual([0, 30]);
});

test('marks whose buttons would cover each other share one, in the middle of their lines', () => {
  const clusters = clusterMarks([mark(0, 'a'), mark(1, 'b'), mark(9, 'c')], (category) => category * 10, 24);
  expect(namesOf(clusters)).toEqual([['a', 'b'], ['c']]);
  expect(clusters[0]).toMatchObject({ x: 5, lines: [0, 10] });
});

test('no two buttons cover each other, and every event has one, in order', () => {
  const categories = fc.uniqueArray(fc.nat(200), { maxLength: 40 }).map((some) => some.toSorted((left, right) => left - right));
  fc.assert(
    fc.property(categories, fc.integer({ min: 1, max: 30 }), (some, step) => {
      const marks = some.map((category) => mark(category, `e${category}`));
      const clusters = clusterMarks(marks, (category) => category * step, 24);
      expect(clusters.flatMap(({ events }) => events)).toEqual(marks.flatMap(({ events }) => events));
      expect(clusters.flatMap(({ lines }) => lines)).toEqual(some.map((category) => category * step));
      clusters.slice(1).forEach(({ x }, index) => expect(x - (clusters[index]?.x ?? 0)).toBeGreaterThanOrEqual(24));
    }),
  );
});
