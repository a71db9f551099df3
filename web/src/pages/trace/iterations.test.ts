import { expect, test } from 'vitest';
import type { TraceSpan } from '../../api/service.ts';
import { equalIterations } from './iterations.ts';
import { traceTree } from './trace-tree.ts';

/** A tree from a text: a line is a span, indented by its depth. */
function treeOf(...lines: string[]) {
  return traceTree(
    lines.map((line, index) => {
      const name = line.trim();
      return {
        spanId: `s${index}`,
        depth: line.length - line.trimStart().length,
        name: name.replace('!', ''),
        kind: 'span',
        status: name.endsWith('!') ? 'error' : 'ok',
        startTime: new Date(index).toISOString(),
        durationMs: 1,
      } as TraceSpan;
    }),
  );
}
const found = (...lines: string[]) => Object.fromEntries(equalIterations(treeOf(...lines)));

test('the iterations between the first and the last are hidden', () => {
  expect(found('root', ' a', ' a', ' a', ' a', ' a')).toEqual({ 1: { hidden: [2, 3, 4], count: 3 } });
  expect(found('root', ' a', ' a', ' a')).toEqual({});
});

test('an iteration may be several spans with descendants', () => {
  const turn = [' llm', ' tool', '  http'];
  expect(found('root', ...turn, ...turn, ...turn, ...turn, ' end')).toEqual({ 1: { hidden: [4, 5, 7, 8], count: 2 } });
});

test('spans that failed, or have other descendants, are no equal iterations', () => {
  expect(found('root', ' a', ' a', ' a!', ' a', ' a')).toEqual({});
  expect(found('root', ' a', ' a', '  b', ' a', ' a', '  b')).toEqual({});
  expect(found('root', ' a', ' b', ' c', ' d', ' e')).toEqual({});
});

test('two loops one after the other, and spans without a parent', () => {
  expect(found('a', 'a', 'a', 'a', 'b', 'b', 'b', 'b')).toEqual({
    0: { hidden: [1, 2], count: 2 },
    4: { hidden: [5, 6], count: 2 },
  });
});
