import type { Graph, GraphQuery } from '../../contract/graph.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { compareCodePoints } from '../../platform/text/index.ts';
import type { GraphContext } from './graph-context.ts';
import { maxEdges, maxNodes } from './graph-sql.ts';
import { GraphStore, nodeOf } from './graph-store.ts';

/** The dependency graph of a project over a range (docs/semantics.md, "Dependency graph"). Errors: `invalid_request`. */
export async function getGraph(context: GraphContext, tenant: Tenant, query: GraphQuery): Promise<Graph> {
  const store = await GraphStore.plan(context, tenant, query);
  const { nodes = [], edges = [] } = Object.groupBy(await store.graph(), ({ source }) => (source === '' ? 'nodes' : 'edges'));
  const listed = nodes.slice(0, maxNodes).map(nodeOf);
  const ids = new Set(listed.map(({ id }) => id));
  return {
    nodes: listed,
    edges: edges
      .slice(0, maxEdges)
      .filter(({ source, target }) => ids.has(source) && ids.has(target))
      .map(({ source, target, calls, errors, p95 }) => ({ source, target, calls, errors, p95Latency: p95 }))
      .toSorted((left, right) => compareCodePoints(left.source, right.source) || compareCodePoints(left.target, right.target)),
    truncated: nodes.length > maxNodes || edges.length > maxEdges,
  };
}
