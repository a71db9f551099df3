import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errorBody } from '../../contract/common.ts';
import { ServiceError } from '../../contract/errors.ts';
import { ingestAnswer, ingestEvent, ingestHealth, ingestRefusal } from '../../contract/ingest.ts';
import { mediaTypeOf, publicError, route, tenantOf } from '../../platform/http/index.ts';
import type { Server } from '../../platform/http/index.ts';
import { releaseBuffer } from '../../platform/memory/release-buffer.ts';
import { otlpErrorBody, otlpSuccess, rejectionMessage } from '../otlp/index.ts';
import { applyPassThresholds } from '../records/index.ts';
import { admit, countingRefusals, inflatedBody, parseBody, sentBody, store } from './accept.ts';
import type { IngestContext } from './ingest-context.ts';
import { healthOf } from './ingest-health.ts';
import { missingSignals } from './missing-signals.ts';
import { exportRequest, otlpAnswers } from './otlp-answers.ts';
import { otlpBody, otlpEncodings } from './otlp-body.ts';
import { previewRoute } from './preview-route.ts';
import { scoresRoute } from './scores-route.ts';

const tags = ['ingestion'];
const noThresholds: ReadonlyMap<string, number> = new Map();
const nativeTypes = new Set(['application/x-ndjson', 'application/json', 'text/plain']);

/** The two ingestion endpoints, the OTLP signals that are not there, the ingest health (docs/semantics.md, "Ingestion"), and recording a score. */
export async function ingestRoutes(app: Server, context: IngestContext): Promise<void> {
  await app.register((scope: Server, _options, done) => {
    // Bodies of any type are passed as bytes: they may be compressed, and the routes check the type.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', parseBody);
    scope.decorateRequest('bodyShare', null);
    scope.decorateRequest('maxSentBytes', context.limits.wireBytes);
    nativeRoute(scope, context);
    otlpRoute(scope, context);
    previewRoute(scope, context);
    missingSignals(scope);
    done();
  });
  route(app, 'GET', '/v1/projects/:id/ingest-health', {
    access: { who: 'key-or-session', permission: 'dashboard:read', keyScopes: ['admin-read'] },
    tags,
    summary: 'Whether spans are arriving',
    params: z.object({ id: z.string() }),
    answer: ingestHealth,
    handle: (request) => healthOf(context, tenantOf(request)),
  });
  scoresRoute(app, context);
}

function nativeRoute(app: Server, context: IngestContext): void {
  app.post(
    '/v1/ingest',
    {
      config: {
        access: { who: 'key', keyScopes: ['ingest'] },
        uncounted: true,
        ownBody: z.string().describe('events, one JSON object on each line'),
      },
      schema: {
        tags,
        summary: 'Send events, one JSON object on each line',
        description: `Each line of the body is one event: ${JSON.stringify(z.toJSONSchema(ingestEvent, { unrepresentable: 'any', io: 'input' }))}`,
        consumes: [...nativeTypes],
        response: {
          202: ingestAnswer,
          400: ingestRefusal,
          401: errorBody,
          413: errorBody,
          415: errorBody,
          429: errorBody,
          503: errorBody,
        },
      },
      onRequest: (request, reply, next) => admit(context, request, reply, next),
    },
    (request, reply) =>
      countingRefusals(context, request, async () => {
        sentBody(request);
        if (!nativeTypes.has(mediaTypeOf(request))) {
          throw new ServiceError(
            'unsupported_media_type',
            'Send the events with content-type application/x-ndjson, one JSON object on each line.',
          );
        }
        const { bytes, known, nowMs, oldestMs } = await inflatedBody(context, request);
        const { digest: bodyKey, firstSeenMs } = known;
        const ownPrices = await context.ownPrices(tenantOf(request).projectId);
        const options = { nowMs, oldestMs, bodyKey, firstSeenMs, ownPrices };
        const { batch, accepted, rejected } = await context.reader.events(tenantOf(request).projectId, bytes, options);
        if (batch.scores.some(({ passed }) => passed === null)) {
          applyPassThresholds(batch.scores, await context.pipeline.passThresholds(tenantOf(request).projectId));
        }
        await store(
          context,
          request,
          known,
          { accepted, rejected: rejected.map((line) => ({ count: 1, ...line })) },
          (tenant, quotaCount) => context.pipeline.accept(tenant, batch, quotaCount, known.digest),
        );
        if (accepted > 0) return reply.code(202).send({ accepted, rejected });
        return reply.code(400).send({
          error: `No line could be used; line ${rejected[0]?.line}: ${rejected[0]?.error}`,
          code: 'invalid_request',
          accepted,
          rejected,
        });
      }),
  );
}

function otlpRoute(app: Server, context: IngestContext): void {
  app.post(
    '/v1/traces',
    {
      config: { access: { who: 'key', keyScopes: ['ingest'] }, uncounted: true, ownBody: exportRequest },
      schema: {
        tags,
        summary: 'OTLP/HTTP: ExportTraceServiceRequest in protobuf or JSON',
        consumes: [...otlpEncodings.keys()],
        response: otlpAnswers,
      },
      onRequest: (request, reply, next) => admit(context, request, reply, next),
      errorHandler: sendOtlpError,
    },
    (request, reply) =>
      countingRefusals(context, request, async () => {
        sentBody(request);
        const { encoding, body } = await otlpBody(request, () => inflatedBody(context, request));
        const { bytes, sent, known, nowMs, oldestMs } = body;
        const inflatedBytes = bytes.length;
        const check = await context.reader.otlp(tenantOf(request).projectId, bytes, encoding, { nowMs, oldestMs });
        if (bytes !== sent) releaseBuffer(bytes);
        const ownPrices = await context.ownPrices(tenantOf(request).projectId);
        const passThresholds =
          check.maxScores > 0 ? await context.pipeline.passThresholds(tenantOf(request).projectId) : noThresholds;
        const refused = { count: check.rejected, code: 'invalid_request', error: rejectionMessage(check.rejections) };
        await store(
          context,
          request,
          known,
          { accepted: check.accepted, rejected: [refused], scopes: check.scopes },
          (tenant, quotaCount) =>
            context.pipeline.acceptOtlp(
              tenant,
              {
                body: sent,
                contentEncoding: bytes === sent ? '' : (request.headers['content-encoding'] ?? ''),
                encoding,
                inflatedBytes,
                nowMs,
                oldestMs,
                spanCount: check.accepted,
                maxScores: check.maxScores,
                passThresholds,
                ownPrices,
              },
              quotaCount,
              known.digest,
            ),
        );
        const answer = otlpSuccess(encoding, check);
        return sendBytes(reply, answer.status, answer.contentType, answer.body);
      }),
  );
}

/** Errors in the request's own encoding: `google.rpc.Status` in protobuf, `{error, code, message}` in JSON (docs/semantics.md, "OTLP responses"). */
function sendOtlpError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const sent = publicError(error);
  if (sent.status === 500) request.log.error({ err: error, requestId: request.id }, sent.message);
  if (sent.retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(sent.retryAfterSeconds))));
  const { contentType, body } = otlpErrorBody(otlpEncodings.get(mediaTypeOf(request)) ?? 'json', sent.code, sent.message);
  return sendBytes(reply, sent.status, contentType, body);
}

/** Fastify adds a charset to JSON that it is given as an object; exporters compare the type whole. */
function sendBytes(reply: FastifyReply, status: number, contentType: string, body: Buffer): FastifyReply {
  return reply.code(status).header('content-type', contentType).send(body);
}
