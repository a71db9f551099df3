import { z } from 'zod';
import { change } from './changes.ts';
import { environmentQuery, pricedCalls, rangeQuery, storable } from './common.ts';

/** Types of nodes of the dependency graph. */
export const nodeTypes = ['service', 'agent', 'model', 'provider', 'prompt', 'tool', 'retriever'] as const;
export type NodeType = (typeof nodeTypes)[number];

const count = z.number().int();
const nodeId = z.string().describe('<type>:<name>');
const named = { id: nodeId, type: z.enum(nodeTypes), name: z.string() };
const p95Latency = z.number().describe('milliseconds; 0 when nothing has finished');

export const graphNode = z.object({
  ...named,
  calls: count.describe('spans; of a service traces'),
  errors: count,
  errorRate: z.number().describe('fraction 0..1'),
  cost: z.number().describe('US dollars of the calls of models behind it; 0 for tools and retrievers'),
  ...pricedCalls,
  p95Latency,
});
export type GraphNode = z.output<typeof graphNode>;

export const graphEdge = z.object({ source: nodeId, target: nodeId, calls: count, errors: count, p95Latency });
export type GraphEdge = z.output<typeof graphEdge>;

export const graph = z.object({
  nodes: z.array(graphNode).describe('by calls, descending, then id; at most 500'),
  edges: z.array(graphEdge).describe('by source, then target'),
  truncated: z.boolean().describe('whether nodes or edges were left out'),
});
export type Graph = z.output<typeof graph>;

export const graphParams = z.object({ id: z.string() });
export const graphQuery = z.object({ ...rangeQuery, ...environmentQuery });
export type GraphQuery = z.output<typeof graphQuery>;

export const blastRadiusQuery = graphQuery.extend({
  node: z
    .string()
    .min(1)
    .max(8_192)
    .refine(...storable)
    .describe('id of a node, such as tool:search'),
});
export type BlastRadiusQuery = z.output<typeof blastRadiusQuery>;

export const affectedNode = z.object({
  ...named,
  distance: count.describe('fewest edges to the node'),
  calls: count,
  share: z.number().describe('traces with both nodes / traces with this one'),
});
export type AffectedNode = z.output<typeof affectedNode>;

export const blastRadius = z.object({
  node: graphNode,
  affected: z.array(affectedNode).describe('nodes from which the node can be reached; by distance, calls descending, id'),
  truncated: z.literal(true).optional().describe('present when nodes were left out of affected'),
  totals: z
    .object({
      agents: count.describe('affected agents in these traces'),
      traces: count,
      sessions: count,
      users: count,
      cost: z.number().describe('US dollars of the whole traces'),
      ...pricedCalls,
      outcomes: count,
    })
    .describe('over the traces that contain the node'),
  changes: z.array(change).describe('of the range, newest first, at most 20'),
});
export type BlastRadius = z.output<typeof blastRadius>;
