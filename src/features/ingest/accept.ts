import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../contract/errors.ts';
import { retentionCutoff } from '../../contract/plans.ts';
import { keyOf } from '../../platform/http/index.ts';
import { mostWireBytes, readBody, tooLarge } from './body.ts';
import type { BodyShare } from './body-budget.ts';
import type { IngestContext } from './ingest-context.ts';
import type { IngestTenant } from './pipeline-contract.ts';
import type { KnownBody } from './repeated-bodies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on the ingestion routes. */
    bodyShare: BodyShare | null;
  }
}

/** A body that may be read: inflated, and its sender known. */
export interface IncomingBody {
  bytes: Buffer;
  /** As it came. */
  sent: Buffer;
  known: KnownBody;
  nowMs: number;
  oldestMs: number;
}

/**
 * Before the body: takes one token of the key's bucket. Every authenticated request does, whatever becomes of it (contract section 3).
 * A hook of Fastify: `next` gets `rate_limited` when there is none.
 */
export function begin(context: IngestContext, request: FastifyRequest, reply: FastifyReply, next: (error?: Error) => void): void {
  const answered = (retryAfterSeconds: number) => {
    if (retryAfterSeconds > 0) return next(rateLimited(retryAfterSeconds));
    const share = context.budget.share();
    request.bodyShare = share;
    // Comes when the answer is sent, and when the client goes away before.
    if (reply.raw.destroyed) share.release();
    else reply.raw.once('close', () => share.release());
    next();
  };
  const taken = context.buckets.take(keyOf(request).keyId);
  // Mostly a number: then nothing is waited for.
  if (typeof taken === 'number') answered(taken);
  else taken.then(answered, next);
}

function rateLimited(retryAfterSeconds: number): ServiceError {
  return new ServiceError('rate_limited', 'This API key sends more than 300 requests a minute; send larger batches less often.', {
    retryAfterSeconds,
  });
}

/**
 * Fastify's parser of every body here. It never fails for what the client is to be told: that would close the connection while the
 * client still sends, and so lose it the answer. {@link receive} tells it.
 */
export async function parseBody(request: FastifyRequest, payload: Readable): Promise<Buffer | ServiceError> {
  const { 'content-length': contentLength } = request.headers;
  try {
    request.bodyShare?.take(Math.min(Number(contentLength ?? mostWireBytes), mostWireBytes));
    return (await readBody(payload, contentLength)) ?? tooLarge('sent');
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw new ServiceError('invalid_request', 'The body broke off; send the request again.', { cause: error });
  }
}

/**
 * Inflates the body.
 *
 * Errors: `payload_too_large`, `unsupported_media_type` for the encoding, `invalid_request`, `unavailable`.
 */
export async function receive(context: IngestContext, request: FastifyRequest): Promise<IncomingBody> {
  const body = sentBody(request);
  const { keyId, plan } = keyOf(request);
  const bytes = await context.inflater.inflate(body, request.headers['content-encoding']);
  if (bytes !== body) request.bodyShare?.take(bytes.length);
  const nowMs = context.clock.now();
  return { bytes, sent: body, known: context.bodies.look(keyId, body), nowMs, oldestMs: retentionCutoff(plan, nowMs) };
}

/** The body as it was sent. Errors: `payload_too_large`, `unavailable`. */
export function sentBody(request: FastifyRequest): Buffer {
  const body = request.body as Buffer | ServiceError | null | undefined;
  if (body instanceof ServiceError) throw body;
  return body ?? Buffer.alloc(0);
}

/**
 * Stores what was read of a body; resolves once it is on disk. What is rejected counts nothing against the quota, nor does a body
 * that was stored before.
 *
 * @param accept hands it to the pipeline
 *
 * Errors: `quota_exceeded`, `unavailable`.
 */
export async function store(
  { quota, rejections }: IngestContext,
  request: FastifyRequest,
  known: KnownBody,
  counts: { accepted: number; rejected: number },
  accept: (tenant: IngestTenant, countedEvents: number) => Promise<void>,
): Promise<void> {
  const { projectId, organizationId, plan } = keyOf(request);
  const tenant = { projectId, organizationId };
  rejections.add(projectId, counts.rejected);
  if (counts.accepted === 0) return;
  if (!known.count()) {
    await accept(tenant, 0);
    return;
  }
  let giveBack = () => {};
  try {
    giveBack = await quota.take(organizationId, plan, counts.accepted);
    await accept(tenant, counts.accepted);
  } catch (error) {
    giveBack();
    known.uncount();
    throw error;
  }
}

/** The media type of a request without its parameters, lower-case. */
export function mediaTypeOf(request: FastifyRequest): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** `/v1/metrics` and `/v1/logs`: not there, and not to be tried again (contract section 3). */
export function notImplemented(): never {
  throw new ServiceError('not_implemented', 'Only traces are taken; send them to /v1/traces and turn this exporter off.');
}
