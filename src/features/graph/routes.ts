import { blastRadius, blastRadiusQuery, graph, graphParams, graphQuery } from '../../contract/graph.ts';
import { route, tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { getBlastRadius, requireNode } from './get-blast-radius.ts';
import { getGraph } from './get-graph.ts';
import type { GraphContext } from './graph-context.ts';

const tags = ['graph'];
const access: Access = { who: 'session', scope: 'project', permission: 'dashboard:read' };

/** The dependency graph and the blast radius of a node (docs/semantics.md, "Dependency graph"). */
export function graphRoutes(app: Server, context: GraphContext): void {
  route(app, 'GET', '/v1/projects/:id/graph', {
    access,
    tags,
    summary: 'The dependency graph of services, agents, models, providers, prompts, tools and retrievers over a range',
    params: graphParams,
    query: graphQuery,
    answer: graph,
    handle: (request) => getGraph(context, tenantOf(request), request.query),
  });
  route(app, 'GET', '/v1/projects/:id/blast-radius', {
    access,
    resourceIfInvalid: (request) => requireNode(context, tenantOf(request), request.query),
    tags,
    summary: 'What depends on a node of the graph over a range, and the traces that contain it',
    params: graphParams,
    query: blastRadiusQuery,
    answer: blastRadius,
    handle: (request) => getBlastRadius(context, tenantOf(request), request.query),
  });
}
