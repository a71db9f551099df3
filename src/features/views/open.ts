import type { Acting } from '../../contract/actor.ts';
import type { ViewRecord, ViewSubject } from '../../contract/views.ts';
import type { Feature, Platform } from '../../platform/feature/index.ts';
import { viewRoutes } from './routes.ts';
import { requireView, viewOf, withView } from './view-filter.ts';
import type { WithView } from './view-filter.ts';

/** What routes that take a filter need of saved views. */
export interface Views {
  /** See {@link withView}. */
  withView<Query extends { view?: string | undefined }>(
    acting: Pick<Acting, 'projectId' | 'actor'>,
    query: Query,
    on: ViewSubject,
  ): Promise<WithView<Query>>;
  /** See {@link requireView}. */
  requireView(acting: Pick<Acting, 'projectId' | 'actor'>, viewId: string): Promise<unknown>;
  /** See {@link viewOf}. */
  viewOf(
    acting: Pick<Acting, 'projectId' | 'actor'>,
    viewId: string,
    on: ViewSubject,
  ): Promise<Pick<ViewRecord, 'filter' | 'range'>>;
}

export interface ViewsFeature extends Feature, Views {}

/** Saved views of lists. */
export function open({ postgres, clock }: Pick<Platform, 'postgres' | 'clock'>): ViewsFeature {
  const context = { db: postgres.db, clock };
  return {
    withView: (acting, query, on) => withView(context, acting, query, on),
    requireView: (acting, viewId) => requireView(context, acting, viewId),
    viewOf: (acting, viewId, on) => viewOf(context, acting, viewId, on),
    routes: (server) => viewRoutes(server, context),
  };
}
