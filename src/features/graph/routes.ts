import { errorBody } from '../../contract/common.ts';
import { blastRadius, blastRadiusQuery, graph, graphParams, graphQuery } from '../../contract/graph.ts';
import { tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { getBlastRadius, requireNode } from './get-blast-radius.ts';
import { getGraph } from './get-graph.ts';
import type { GraphContext } from './graph-context.ts';

const tags = ['graph'];
const access: Access = { who: 'session', scope: 'project', permission: 'dashboard:read' };
const refusals = { 400: errorBody, 403: errorBody };

/** The dependency graph and the blast radius of a node (docs/semantics.md, "Dependency graph"). */
export function graphRoutes(app: Server, context: GraphContext): void {
  app.get(
    '/v1/projects/:id/graph',
    {
      config: { access },
      schema: {
        tags,
        summary: 'The dependency graph of services, agents, models, providers, prompts, tools and retrievers over a range',
        params: graphParams,
        querystring: graphQuery,
        response: { 200: graph, ...refusals },
      },
    },
    (request) => getGraph(context, tenantOf(request), request.query),
  );
  app.get(
    '/v1/projects/:id/blast-radius',
    {
      config: { access, resourceIfInvalid: (request) => requireNode(context, tenantOf(request), request.query) },
      schema: {
        tags,
        summary: 'What depends on a node of the graph over a range, and the traces that contain it',
        params: graphParams,
        querystring: blastRadiusQuery,
        response: { 200: blastRadius, ...refusals, 404: errorBody },
      },
    },
    (request) => getBlastRadius(context, tenantOf(request), request.query),
  );
}
