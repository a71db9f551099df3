import type { ReactNode } from 'react';
import type { GraphNode } from '../../api/service.ts';
import { Absent, Usd } from '../../design/figures.tsx';

/** The cost of the calls of models behind a node. Tools and retrievers have none. */
export function NodeCost({ node }: { node: GraphNode }): ReactNode {
  const { type, cost, unpricedCalls, partlyPricedCalls } = node;
  if (type === 'tool' || type === 'retriever') return <Absent why="Only calls of models have a cost" />;
  return <Usd value={cost} unpriced={unpricedCalls} partly={partlyPricedCalls} />;
}
