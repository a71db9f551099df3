import { expect, test } from 'vitest';
import type { Graph, GraphNode } from '../../api/service.ts';
import { errorStrength, shownGraph } from './shown-graph.ts';

const node = (id: string, calls: number): GraphNode => ({
  id,
  type: id.slice(0, id.indexOf(':')) as GraphNode['type'],
  name: id.slice(id.indexOf(':') + 1),
  calls,
  errors: 0,
  errorRate: 0,
  cost: 0,
  unpricedCalls: 0,
  partlyPricedCalls: 0,
  p95Latency: 0,
});
const graph: Graph = {
  nodes: [node('agent:a', 400), node('model:m', 100), node('tool:t', 1)],
  edges: [
    { source: 'agent:a', target: 'model:m', calls: 100, errors: 0, p95Latency: 0 },
    { source: 'agent:a', target: 'tool:t', calls: 1, errors: 0, p95Latency: 0 },
  ],
  truncated: false,
};
const idsOf = (shown: ReturnType<typeof shownGraph>) => [shown.nodes.map((one) => one.node.id), shown.edges.length];

test('hidden types and nodes with too few calls are left out with their edges, the opened node never', () => {
  expect(idsOf(shownGraph(graph, { hide: [], min: 1, opened: null }))).toEqual([['agent:a', 'model:m', 'tool:t'], 2]);
  expect(idsOf(shownGraph(graph, { hide: ['model'], min: 1, opened: null }))).toEqual([['agent:a', 'tool:t'], 1]);
  expect(idsOf(shownGraph(graph, { hide: [], min: 2, opened: null }))).toEqual([['agent:a', 'model:m'], 1]);
  expect(idsOf(shownGraph(graph, { hide: ['model'], min: 2, opened: 'model:m' }))).toEqual([['agent:a', 'model:m'], 1]);
});

test('nodes and edges grow with their calls', () => {
  const { nodes, edges } = shownGraph(graph, { hide: [], min: 1, opened: null });
  expect(nodes.map(({ width }) => width)).toEqual([142, 120, 101]);
  expect(edges.map(({ width }) => width)).toEqual([6, 1.5]);
});

test('any error is visible, and a fifth of errors is as bad as all', () => {
  expect([errorStrength(0, 10), errorStrength(1, 1000), errorStrength(2, 10), errorStrength(10, 10)]).toEqual([0, 10, 100, 100]);
});
