import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { retentionCutoff } from '../../contract/plans.ts';
import { mappingPreview } from '../../contract/span-mapping.ts';
import { callerOf, jsonType, route, tenantOf } from '../../platform/http/index.ts';
import type { Server } from '../../platform/http/index.ts';
import { releaseBuffer } from '../../platform/memory/release-buffer.ts';
import { admit, inflated, sentBody } from './accept.ts';
import type { IngestContext } from './ingest-context.ts';
import { exportRequest } from './otlp-answers.ts';
import { otlpBody, otlpEncodings } from './otlp-body.ts';

const refusal = 'More than 300 previews a minute were asked for; ask for fewer.';

/** What would be stored of an OTLP body, without storing it (docs/semantics.md, "Mapping of a body"). */
export function previewRoute(app: Server, context: IngestContext): void {
  route(app, 'POST', '/v1/projects/:id/mapping/preview', {
    access: { who: 'key-or-session', permission: 'dashboard:read', keyScopes: ['ingest'] },
    uncounted: true,
    ownBody: exportRequest,
    tags: ['traces'],
    summary: 'What would be stored of an OTLP body, and why',
    description: 'The body is that of POST /v1/traces. Nothing is stored, and nothing counts against the event quota.',
    consumes: [...otlpEncodings.keys()],
    params: z.object({ id: z.string() }),
    onRequest: (request, reply, next) => admit(context, request, reply, next, { bucket: bucketOf(request), refusal }),
    answer: mappingPreview,
    errors: [413, 415, 429, 503],
    handle: async (request, reply) => {
      const sent = sentBody(request);
      const { encoding, body: bytes } = await otlpBody(request, () => inflated(context, request, sent));
      const { projectId, plan } = tenantOf(request);
      const nowMs = context.clock.now();
      const options = { nowMs, oldestMs: retentionCutoff(plan, nowMs), ownPrices: await context.ownPrices(projectId) };
      const text = await context.previewSpans(bytes, encoding, options);
      if (bytes !== sent) releaseBuffer(bytes);
      return reply.type(jsonType).send(text as never);
    },
  });
}

/** A bucket of its own for each key and user; the prefix keeps it apart from that of ingestion. */
function bucketOf(request: FastifyRequest): string {
  const caller = callerOf(request);
  return `previews ${caller.kind === 'key' ? caller.keyId : caller.userId}`;
}
