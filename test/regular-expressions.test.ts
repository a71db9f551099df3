import { analyse } from 'scslre';
import type { Literal } from 'scslre';
import { expect, test } from 'vitest';
import { parseSync, Visitor } from 'vite';
import { readSourceTree } from './support/source-tree.ts';

// One process answers everybody: a regular expression that backtracks without end on somebody's text is an outage.

test('no regular expression of the product can take more than linear time to say no', () => {
  const sources = [...readSourceTree('src', 'web/src')].filter(([path]) => !/\.(?:test|fixture|oracle)\./.test(path));
  const literals = sources.flatMap(([path, text]) => literalsOf(path, text));
  expect(literals.length).toBeGreaterThan(100);
  expect(literals.filter(({ literal }) => isSlow(literal))).toEqual([]);
});

test.each([
  String.raw`const text = /"(?:[^"\\]+|\\.)*"/y;`,
  String.raw`const spaces = /(?:\s*,?\s*)*x/;`,
  String.raw`const both = /^\w*\d*$/v;`,
])('%s is found', (text) => {
  expect(literalsOf('src/planted.ts', text).filter(({ literal }) => isSlow(literal))).toHaveLength(1);
});

function literalsOf(path: string, text: string): Array<{ path: string; literal: Literal }> {
  const found: Array<{ path: string; literal: Literal }> = [];
  const { program } = parseSync(path, text);
  new Visitor({
    Literal(node) {
      if ('regex' in node) found.push({ path, literal: { source: node.regex.pattern, flags: node.regex.flags } });
    },
  }).visit(program);
  return found;
}

/** Whether repetitions compete for the same characters. One that may begin anywhere is let pass: it is quadratic at worst, on texts that are short. */
function isSlow(literal: Literal): boolean {
  return analyse(literal, { reportTypes: { Move: false, Self: true, Trade: true } }).reports.length > 0;
}
