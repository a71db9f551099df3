import type { FastifyRequest } from 'fastify';
import { errorBody } from '../../../contract/common.ts';
import { checkAnswer, checkBody, maxCheckedBytes } from '../../../contract/guardrails.ts';
import { callerOf, tenantOf } from '../../../platform/http/index.ts';
import type { Server } from '../../../platform/http/index.ts';
import { takeToken } from '../../../platform/rate-limit/index.ts';
import type { RateLimit } from '../../../platform/rate-limit/index.ts';
import { checkGuardrails } from './check-guardrails.ts';
import type { CheckContext } from './check-guardrails.ts';

/** Bytes of a body: JSON may escape each byte of the text in six; and the other fields. */
const bodyLimit = 6 * maxCheckedBytes + 131_072;

/** Checking a text (docs/semantics.md, "Guardrail checks"). */
export function checkRoutes(
  app: Server,
  context: CheckContext,
  { buckets, perMinute }: { buckets: RateLimit; perMinute: number },
): void {
  const refusal = `More than ${perMinute} checks a minute were sent; check in the application with the SDK.`;
  app.post(
    '/v1/guardrails/check',
    {
      bodyLimit,
      config: { access: { who: 'key-or-session', permission: 'dashboard:read' } },
      schema: {
        tags: ['governance'],
        summary: "Check a text against the project's guardrails",
        description: 'The text is not stored. Counts nothing against the event quota.',
        body: checkBody,
        response: {
          200: checkAnswer,
          400: errorBody,
          401: errorBody,
          403: errorBody,
          413: errorBody,
          429: errorBody,
          503: errorBody,
        },
      },
      // Before the body is read, for every authenticated request.
      onRequest: (request, _reply, next) => takeToken(buckets, bucketOf(request), refusal, next),
    },
    (request) => checkGuardrails(context, tenantOf(request), request.body),
  );
}

/** A bucket of its own for each key and user; the prefix keeps it apart from that of ingestion. */
function bucketOf(request: FastifyRequest): string {
  const caller = callerOf(request);
  return `guardrails ${caller.kind === 'key' ? caller.keyId : caller.userId}`;
}
