import { z } from 'zod';
import { errorBody } from '../../contract/common.ts';
import { modelDetail, modelList, modelParams, modelRange, overview, timelineRange } from '../../contract/models.ts';
import { tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { getModel } from './get-model.ts';
import { getOverview } from './get-overview.ts';
import { listModels } from './list-models.ts';
import type { ModelsContext } from './models-context.ts';

const tags = ['models'];
const access: Access = { who: 'session', scope: 'project', permission: 'dashboard:read' };

/** The models of a project, the details of one model, and the overview (docs/semantics.md, "Model figures"). */
export function modelRoutes(app: Server, context: ModelsContext): void {
  app.get(
    '/v1/projects/:id/models',
    {
      config: { access },
      schema: {
        tags,
        summary: 'The models with calls over a range, by cost, descending',
        params: z.object({ id: z.string() }),
        querystring: modelRange,
        response: { 200: modelList, 400: errorBody, 403: errorBody },
      },
    },
    (request) => listModels(context, tenantOf(request), request.query),
  );
  app.get(
    '/v1/projects/:id/models/:model',
    {
      config: { access },
      schema: {
        tags,
        summary: 'The details of one model over a range',
        params: modelParams,
        querystring: timelineRange,
        response: { 200: modelDetail, 400: errorBody, 403: errorBody },
      },
    },
    (request) => getModel(context, tenantOf(request), request.params.model, request.query),
  );
  app.get(
    '/v1/projects/:id/overview',
    {
      config: { access },
      schema: {
        tags,
        summary: 'The overview of a project over a range: its calls by day, by model and by agent',
        params: z.object({ id: z.string() }),
        querystring: timelineRange,
        response: { 200: overview, 400: errorBody, 403: errorBody },
      },
    },
    (request) => getOverview(context, tenantOf(request), request.query),
  );
}
