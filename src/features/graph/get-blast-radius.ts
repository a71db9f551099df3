import { ServiceError } from '../../contract/errors.ts';
import { blastRadiusQuery } from '../../contract/graph.ts';
import type { AffectedNode, BlastRadius, BlastRadiusQuery } from '../../contract/graph.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { exact, ratio } from '../../platform/statistics/index.ts';
import { compareCodePoints } from '../../platform/text/index.ts';
import { distancesTo } from './distances-to.ts';
import type { GraphContext } from './graph-context.ts';
import { GraphStore, namedBy, nodeOf } from './graph-store.ts';
import type { OutlineRow, SharedTraces } from './graph-store.ts';

/** Maximum nodes of `affected`. */
const maxAffected = 10_000;
const maxChanges = 20;

/**
 * What depends on a node over a range (docs/semantics.md, "Blast radius").
 *
 * Errors: `invalid_request`; `not_found` when the range has no such node.
 */
export async function getBlastRadius(context: GraphContext, tenant: Tenant, query: BlastRadiusQuery): Promise<BlastRadius> {
  const { node: id, ...graphQuery } = query;
  const store = await GraphStore.plan(context, tenant, graphQuery).catch(async (error: unknown) => {
    await requireNode(context, tenant, query);
    throw error;
  });
  const [node, outline] = await Promise.all([store.node(id), store.outline()]);
  if (!node) throw noSuchNode();
  const reached = affectedBy(id, outline);
  const affected = reached.slice(0, maxAffected);
  const traces = store.traceIds(id);
  const [shares, { cost, unpriced: unpricedCalls, partly_priced: partlyPricedCalls, ...totals }, outcomes, changes] =
    await Promise.all([
      store.shares(
        id,
        affected.map((one) => one.id),
      ),
      store.totals(id),
      context.outcomesOfTraces(store.reader, traces.sql, traces.parameters),
      context.changesBetween(tenant.projectId, store.fromMs, store.beforeMs - 1, maxChanges),
    ]);
  return {
    node: nodeOf(node),
    affected: affected.map((one) => ({ ...one, share: shareOf(shares.get(one.id)) })),
    ...(reached.length > maxAffected ? { truncated: true as const } : {}),
    totals: {
      agents: affected.filter((one) => one.type === 'agent' && (shares.get(one.id)?.shared ?? 0) > 0).length,
      ...totals,
      cost: exact(cost),
      unpricedCalls,
      partlyPricedCalls,
      outcomes,
    },
    changes,
  };
}

/**
 * The 404 of a query that names an unknown node and is invalid otherwise: the node is looked for in the longest range, in every environment. Nothing where the
 * query names no node.
 *
 * Errors: `not_found`.
 */
export async function requireNode(context: GraphContext, tenant: Tenant, query: unknown): Promise<void> {
  const named = blastRadiusQuery.pick({ node: true }).safeParse(query);
  if (!named.success) return;
  const store = await GraphStore.plan(context, tenant, { range: '90d' });
  if (!(await store.node(named.data.node))) throw noSuchNode();
}

function noSuchNode(): ServiceError {
  return new ServiceError(
    'not_found',
    'There is no such node in this range and environment; get the graph to see which there are.',
  );
}

/** The nodes from which the node can be reached, in the order of the response. */
function affectedBy(id: string, outline: readonly OutlineRow[]): Array<Omit<AffectedNode, 'share'>> {
  const { nodes = [], edges = [] } = Object.groupBy(outline, ({ source }) => (source === '' ? 'nodes' : 'edges'));
  const calls = new Map(nodes.map((row) => [row.target, row.calls]));
  return [...distancesTo(id, edges)]
    .flatMap(([reached, distance]) => {
      const own = calls.get(reached);
      // An edge into the range whose source lies before it.
      return own === undefined ? [] : [{ ...namedBy(reached), distance, calls: own }];
    })
    .toSorted(
      (left, right) => left.distance - right.distance || right.calls - left.calls || compareCodePoints(left.id, right.id),
    );
}

function shareOf(traces: SharedTraces | undefined): number {
  return ratio(traces?.shared ?? 0, traces?.traces ?? 0, 0);
}
