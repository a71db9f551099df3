import { expect, test } from 'vitest';
import type { ListedTrace } from '../../api/parts.ts';
import { heldTraces } from './held-traces.ts';

const trace = (traceId: string, spanCount = 1) => ({ traceId, spanCount }) as ListedTrace;

test('a held list keeps its traces and their order, with their current data; newer traces wait', () => {
  const held = [trace('b'), trace('a')];
  expect(heldTraces([trace('d'), trace('c'), trace('b', 2)], held)).toEqual({ shown: [trace('b', 2), trace('a')], waiting: 2 });
  expect(heldTraces([trace('d'), trace('b')], null)).toEqual({ shown: [trace('d'), trace('b')], waiting: 0 });
});
