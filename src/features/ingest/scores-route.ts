import { scoreBody } from '../../contract/ingest.ts';
import { tracesParams, score } from '../../contract/traces.ts';
import { actorOf, administers, route, tenantOf } from '../../platform/http/index.ts';
import type { Server } from '../../platform/http/index.ts';
import type { IngestContext } from './ingest-context.ts';
import { recordScore } from './record-score.ts';

/** Recording a human annotation or an application's own score (docs/semantics.md, "Recording a score"). */
export function scoresRoute(app: Server, context: IngestContext): void {
  route(app, 'POST', '/v1/projects/:id/scores', {
    access: { who: 'key-or-session', permission: 'evaluations:manage', keyScopes: ['scores:write'] },
    limits: 'texts',
    tags: ['evaluation'],
    summary: 'Record a score',
    description:
      'A human annotation, or a score that an application worked out: the fields of a score event without its type. Sent again with ' +
      'the same scoreId it replaces the one before: by a person an annotation of their own alone, unless they are an owner or admin. Counts nothing against the event quota.',
    params: tracesParams,
    body: scoreBody,
    answer: [201, score],
    errors: [413, 503],
    handle: async (request, reply) => {
      const by = { tenant: tenantOf(request), actor: actorOf(request), administers: administers(request) };
      const recorded = await recordScore(context, by, request.body);
      return reply.send(recorded);
    },
  });
}
