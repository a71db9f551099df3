import type { FastifyRequest } from 'fastify';
import * as wire from '../../contract/scores.ts';
import { tracesParams } from '../../contract/traces.ts';
import { actorOf, administers, route, tenantOf } from '../../platform/http/index.ts';
import type { Access, Server } from '../../platform/http/index.ts';
import { changeScore, deleteScore, requireScore } from './change-score.ts';
import type { ScoreActor } from './change-score.ts';
import { getSummary } from './get-summary.ts';
import { listScores } from './list-scores.ts';
import type { ScoresContext } from './scores-context.ts';

const tags = ['evaluation'];
const reading: Access = { who: 'key-or-session', permission: 'dashboard:read', keyScopes: ['read'] };
const writing: Access = { who: 'key-or-session', permission: 'evaluations:manage', keyScopes: 'none' };

/** Routes of stored scores (docs/semantics.md, "Scores of a project"). */
export function scoreRoutes(app: Server, context: ScoresContext): void {
  route(app, 'GET', '/v1/projects/:id/scores', {
    access: reading,
    tags,
    summary: 'List scores',
    params: tracesParams,
    query: wire.listScoresQuery,
    answer: wire.scorePage,
    handle: (request) => listScores(context, tenantOf(request), request.query),
  });
  route(app, 'GET', '/v1/projects/:id/score-summary', {
    access: reading,
    tags,
    summary: 'Figures, distribution and days of the scores of each evaluator',
    params: tracesParams,
    query: wire.scoreSummaryQuery,
    answer: wire.scoreSummary,
    handle: (request) => getSummary(context, tenantOf(request), request.query),
  });
  const one = {
    access: writing,
    resource: (request: FastifyRequest) =>
      requireScore(context, tenantOf(request), (request.params as { scoreId: string }).scoreId),
    tags,
    params: wire.scoreParams,
  };
  route(app, 'PATCH', '/v1/projects/:id/scores/:scoreId', {
    ...one,
    limits: 'texts',
    summary: 'Change a score',
    description: 'An annotation by its author, an owner or an admin alone.',
    body: wire.scoreChange,
    answer: wire.listedScore,
    errors: [503],
    handle: (request) => changeScore(context, byOf(request), request.params.scoreId, request.body),
  });
  route(app, 'DELETE', '/v1/projects/:id/scores/:scoreId', {
    ...one,
    summary: 'Delete a score',
    description: 'An annotation by its author, an owner or an admin alone.',
    answer: 204,
    errors: [503],
    handle: (request) => deleteScore(context, byOf(request), request.params.scoreId),
  });
}

function byOf(request: FastifyRequest): ScoreActor {
  return { tenant: tenantOf(request), actor: actorOf(request), administers: administers(request) };
}
