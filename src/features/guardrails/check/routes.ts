import type { FastifyRequest } from 'fastify';
import { checkAnswer, checkBody } from '../../../contract/guardrails.ts';
import { callerOf, route, tenantOf } from '../../../platform/http/index.ts';
import type { Server } from '../../../platform/http/index.ts';
import { takeToken } from '../../../platform/rate-limit/index.ts';
import type { RateLimit } from '../../../platform/rate-limit/index.ts';
import { checkGuardrails } from './check-guardrails.ts';
import type { CheckContext } from './check-guardrails.ts';

/** Checking a text (docs/semantics.md, "Guardrail checks"). */
export function checkRoutes(
  app: Server,
  context: CheckContext,
  { buckets, perMinute }: { buckets: RateLimit; perMinute: number },
): void {
  const refusal = `More than ${perMinute} checks a minute were sent; check in the application with the SDK.`;
  route(app, 'POST', '/v1/guardrails/check', {
    access: { who: 'key-or-session', permission: 'dashboard:read', keyScopes: ['guardrails:check'] },
    limits: 'checkedText',
    uncounted: true,
    tags: ['governance'],
    summary: "Check a text against the project's guardrails",
    description: 'The text is not stored. Counts nothing against the event quota.',
    body: checkBody,
    // Before the body is read, for every authenticated request.
    onRequest: (request, _reply, next) => takeToken(buckets, bucketOf(request), refusal, next),
    answer: checkAnswer,
    errors: [413, 429, 503],
    handle: (request) => checkGuardrails(context, tenantOf(request), request.body),
  });
}

/** A bucket of its own for each key and user; the prefix keeps it apart from that of ingestion. */
function bucketOf(request: FastifyRequest): string {
  const caller = callerOf(request);
  return `guardrails ${caller.kind === 'key' ? caller.keyId : caller.userId}`;
}
