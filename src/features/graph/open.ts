import type { BlastRadius, BlastRadiusQuery, Graph, GraphQuery } from '../../contract/graph.ts';
import type { Feature, Platform } from '../../platform/feature/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { getBlastRadius } from './get-blast-radius.ts';
import { getGraph } from './get-graph.ts';
import type { GraphPorts } from './graph-context.ts';
import { graphRoutes } from './routes.ts';

export interface GraphFeature extends Feature {
  /** See {@link getGraph}. */
  getGraph(tenant: Tenant, query: GraphQuery): Promise<Graph>;
  /** See {@link getBlastRadius}. */
  getBlastRadius(tenant: Tenant, query: BlastRadiusQuery): Promise<BlastRadius>;
}

/** The dependency graph of a project, and the blast radius of its nodes. */
export function open({ clickhouse, clock }: Pick<Platform, 'clickhouse' | 'clock'>, ports: GraphPorts): GraphFeature {
  const context = { clickhouse, clock, ...ports };
  return {
    getGraph: (tenant, query) => getGraph(context, tenant, query),
    getBlastRadius: (tenant, query) => getBlastRadius(context, tenant, query),
    routes: (server) => graphRoutes(server, context),
  };
}
