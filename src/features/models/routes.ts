import { z } from 'zod';
import {
  modelDetail,
  modelList,
  modelParams,
  modelRange,
  overview,
  overviewRange,
  timelineRange,
} from '../../contract/models.ts';
import { route, tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import type { FiguresContext } from '../figures/index.ts';
import { getModel } from './get-model.ts';
import { getOverview } from './get-overview.ts';
import { listModels } from './list-models.ts';

const tags = ['models'];
const access: Access = { who: 'session', scope: 'project', permission: 'dashboard:read' };

/** The models of a project, the details of one model, and the overview (docs/semantics.md, "Model figures"). */
export function modelRoutes(app: Server, context: FiguresContext): void {
  route(app, 'GET', '/v1/projects/:id/models', {
    access,
    tags,
    summary: 'The models with calls over a range, by cost, descending',
    params: z.object({ id: z.string() }),
    query: modelRange,
    answer: modelList,
    handle: (request) => listModels(context, tenantOf(request), request.query),
  });
  route(app, 'GET', '/v1/projects/:id/models/:model', {
    access,
    tags,
    summary: 'The details of one model over a range',
    params: modelParams,
    query: timelineRange,
    answer: modelDetail,
    handle: (request) => getModel(context, tenantOf(request), request.params.model, request.query),
  });
  route(app, 'GET', '/v1/projects/:id/overview', {
    access,
    tags,
    summary: 'The overview of a project over a range: its calls by day, by model and by agent',
    params: z.object({ id: z.string() }),
    query: overviewRange,
    answer: overview,
    handle: (request) => getOverview(context, tenantOf(request), request.query),
  });
}
