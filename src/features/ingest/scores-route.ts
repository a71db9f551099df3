import { errorBody } from '../../contract/common.ts';
import { scoreBody } from '../../contract/ingest.ts';
import { projectParams, score } from '../../contract/traces.ts';
import { actorOf, tenantOf } from '../../platform/http/index.ts';
import type { Server } from '../../platform/http/index.ts';
import type { IngestContext } from './ingest-context.ts';
import { recordScore } from './record-score.ts';

/** Recording a human annotation or an application's own score (docs/semantics.md, "Recording a score"). */
export function scoresRoute(app: Server, context: IngestContext): void {
  app.post(
    '/v1/projects/:id/scores',
    {
      config: { access: { who: 'key-or-session', permission: 'evaluations:manage' } },
      schema: {
        tags: ['evaluation'],
        summary: 'Record a score',
        description:
          'A human annotation, or a score that an application worked out: the fields of a score event without its type. Sent again with ' +
          'the same scoreId it replaces the one before. Counts nothing against the event quota.',
        params: projectParams,
        body: scoreBody,
        response: { 201: score, 400: errorBody, 401: errorBody, 403: errorBody, 404: errorBody, 413: errorBody, 503: errorBody },
      },
    },
    async (request, reply) => {
      const recorded = await recordScore(context, tenantOf(request), actorOf(request), request.body);
      return reply.code(201).send(recorded);
    },
  );
}
