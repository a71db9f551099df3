import { expect, test } from 'vitest';
import { importsOf, readSourceTree } from './support/source-tree.ts';

// An oracle that used constants or functions of the code under test would repeat its errors.

const oracle = /\boracle\.ts$|^test\/security\/expected-refusal\.ts$/;

/** Imports of an oracle that are neither types, nor packages, nor other oracles, one sentence each. */
function sharedValues(path: string, text: string): string[] {
  return importsOf(path, text)
    .filter((found) => found.path !== null && !found.isType && !oracle.test(found.path))
    .map((found) => `${path} imports ${found.path}`);
}

test('oracles import only types of the service', () => {
  const oracles = [...readSourceTree('src', 'test')].filter(([path]) => oracle.test(path));
  expect(oracles.length).toBeGreaterThan(5);
  expect(oracles.flatMap(([path, text]) => sharedValues(path, text))).toEqual([]);
});

test('a planted import of a value is found', () => {
  const path = 'src/features/models/models.oracle.ts';
  expect(sharedValues(path, "import { plans } from '../../contract/plans.ts';")).toEqual([
    `${path} imports src/contract/plans.ts`,
  ]);
  expect(sharedValues(path, "import type { Plan } from '../../contract/plans.ts';")).toEqual([]);
});
