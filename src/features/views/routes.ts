import type { FastifyRequest } from 'fastify';
import * as wire from '../../contract/views.ts';
import { actingOf, mayUse, route, userActorOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { changeView } from './change-view.ts';
import { createView } from './create-view.ts';
import { deleteView } from './delete-view.ts';
import { findView } from './find-view.ts';
import { listViews } from './list-views.ts';
import { requireManage } from './may-change.ts';
import { recordOf } from './view-record.ts';
import type { ViewsContext } from './views-context.ts';

const tags = ['traces'];
const reading: Access = { who: 'key-or-session', permission: 'dashboard:read', keyScopes: ['read'] };
/** Everyone has private views; those of the project need `views:manage`, which the verbs ask for. */
const writing: Access = { who: 'session', scope: 'project', permission: 'dashboard:read' };
const path = '/v1/projects/:id/views';
const onePath = `${path}/:viewId`;

const editorOf = (request: FastifyRequest) => ({ manages: mayUse(request, 'views:manage') });

/** Saved views of a project (docs/semantics.md, "Saved views"). */
export function viewRoutes(app: Server, context: ViewsContext): void {
  const { db } = context;
  const resource = async (request: FastifyRequest) => {
    const acting = actingOf(request);
    const { viewId } = request.params as { viewId: string };
    const view = await findView(db, acting, viewId);
    requireManage({ actor: acting.actor, ...editorOf(request) }, view);
  };
  route(app, 'POST', path, {
    access: writing,
    tags,
    summary: 'Save a view',
    params: wire.viewsParams,
    body: wire.viewBody,
    answer: [201, wire.view],
    errors: [409],
    handle: (request) => {
      const acting = { ...actingOf(request), actor: userActorOf(request) };
      return createView(context, acting, editorOf(request), request.body);
    },
  });
  route(app, 'GET', path, {
    access: reading,
    tags,
    summary: 'List saved views: those of the project, and the private ones of the caller',
    params: wire.viewsParams,
    query: wire.listViewsQuery,
    answer: wire.viewPage,
    handle: (request) => listViews(context, actingOf(request), request.query),
  });
  route(app, 'GET', onePath, {
    access: reading,
    tags,
    summary: 'One saved view',
    params: wire.viewParams,
    answer: wire.view,
    handle: async (request) => recordOf(await findView(db, actingOf(request), request.params.viewId)),
  });
  route(app, 'PATCH', onePath, {
    access: writing,
    resource,
    tags,
    summary: 'Change a saved view',
    params: wire.viewParams,
    body: wire.viewChange,
    answer: wire.view,
    errors: [409],
    handle: (request) => changeView(context, actingOf(request), editorOf(request), request.params.viewId, request.body),
  });
  route(app, 'DELETE', onePath, {
    access: writing,
    resource,
    tags,
    summary: 'Delete a saved view',
    params: wire.viewParams,
    answer: 204,
    handle: (request) => deleteView(context, actingOf(request), editorOf(request), request.params.viewId),
  });
}
