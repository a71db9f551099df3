import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../contract/errors.ts';
import { retentionCutoff } from '../../contract/plans.ts';
import type { ByteShare } from '../../platform/budgets/index.ts';
import { drainBody, keyOf } from '../../platform/http/index.ts';
import { bodyTooLarge } from '../../platform/inflate/index.ts';
import { takeToken } from '../../platform/rate-limit/index.ts';
import type { IngestTenant } from '../trace-store/index.ts';
import { readBody } from './body.ts';
import { countDelivery } from './clients/count-delivery.ts';
import type { Delivered } from './clients/count-delivery.ts';
import type { IngestContext } from './ingest-context.ts';
import type { KnownBody } from './repeated-bodies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on the ingestion routes. */
    bodyShare: ByteShare | null;
    /** Maximum bytes of the body as sent; set there too. */
    maxSentBytes: number;
  }
}

/** An inflated body of an authenticated request. */
export interface IncomingBody {
  bytes: Buffer;
  /** As it was sent. */
  sent: Buffer;
  known: KnownBody;
  nowMs: number;
  oldestMs: number;
}

/**
 * Fastify hook before the body is read: takes a token of the key's bucket, for every authenticated request (docs/semantics.md, "Rate limit").
 * Calls `next` with `rate_limited` when the bucket is empty.
 *
 * @param bucket default: that of the key
 */
export function admit(
  context: IngestContext,
  request: FastifyRequest,
  reply: FastifyReply,
  next: (error?: Error) => void,
  { bucket = keyOf(request).keyId, refusal = tooManyRequests(context) }: { bucket?: string; refusal?: string } = {},
): void {
  takeToken(context.buckets, bucket, refusal, (error) => {
    if (error) return next(error);
    const share = context.budget.share();
    request.bodyShare = share;
    // Emitted when the answer was sent, and when the client disconnects before.
    if (reply.raw.destroyed) share.release();
    else reply.raw.once('close', () => share.release());
    next();
  });
}

function tooManyRequests({ limits }: IngestContext): string {
  const perMinute = limits.rate.capacity.toLocaleString('en-US');
  return `This API key sends more than ${perMinute} requests a minute; send larger batches less often, or ask the operator for a larger SPANWISE_INGEST_RATE.`;
}

/**
 * Fastify's parser for all bodies of this feature. Does not fail for an invalid body: Fastify would close the connection while the client
 * still sends, and the client would lose the answer. {@link inflatedBody} rejects it later.
 */
export async function parseBody(request: FastifyRequest, payload: Readable): Promise<Buffer | ServiceError> {
  const { 'content-length': contentLength } = request.headers;
  try {
    // As the bytes arrive: connections that announce a body and do not send it hold nothing.
    const body = await readBody(payload, contentLength, request.maxSentBytes, (bytes) => request.bodyShare?.take(bytes));
    if (body !== null) return body;
    if (closesOnceAnswered(request)) await drainBody(request.raw);
    return bodyTooLarge('sent', request.maxSentBytes);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw new ServiceError('invalid_request', 'The body ended early; send the request again.', { cause: error });
  }
}

/** Whether the connection ends with the answer, as of many proxies. The rest of a body is then read first; a connection that stays is read meanwhile. */
function closesOnceAnswered({ raw }: FastifyRequest): boolean {
  return raw.httpVersion === '1.0' || /\bclose\b/i.test(raw.headers.connection ?? '');
}

/**
 * Inflates the body.
 *
 * Errors: `payload_too_large`, `unsupported_media_type` for the encoding, `invalid_request`, `unavailable`.
 */
export async function inflatedBody(context: IngestContext, request: FastifyRequest): Promise<IncomingBody> {
  const body = sentBody(request);
  const { keyId, plan } = keyOf(request);
  const bytes = await inflated(context, request, body);
  const nowMs = context.clock.now();
  return { bytes, sent: body, known: context.bodies.look(keyId, body), nowMs, oldestMs: retentionCutoff(plan, nowMs) };
}

/** A body as it was before its compression. Errors: as those of {@link inflatedBody}. */
export async function inflated(context: IngestContext, request: FastifyRequest, body: Buffer): Promise<Buffer> {
  const bytes = await context.inflater.inflate(body, request.headers['content-encoding']);
  if (bytes !== body) request.bodyShare?.take(bytes.length);
  return bytes;
}

/** The body as it was sent. Errors: `payload_too_large`, `unavailable`. */
export function sentBody(request: FastifyRequest): Buffer {
  const body = request.body as Buffer | ServiceError | null | undefined;
  if (body instanceof ServiceError) throw body;
  return body ?? Buffer.alloc(0);
}

/**
 * Stores the events of a body; resolves once they are on disk. Rejected events do not count against the quota, nor does a repeated body.
 *
 * @param accept passes the events to the pipeline
 *
 * Errors: `quota_exceeded`, `unavailable`.
 */
export async function store(
  { quota, rejections, clients }: IngestContext,
  request: FastifyRequest,
  known: KnownBody,
  counts: Delivered & { rejected: ReadonlyArray<{ count: number; code: string; error: string }> },
  accept: (tenant: IngestTenant, quotaCount: number) => Promise<void>,
): Promise<void> {
  const { projectId, organizationId, plan } = keyOf(request);
  const tenant = { projectId, organizationId };
  for (const { count, ...reason } of counts.rejected) rejections.add(projectId, count, reason);
  if (counts.accepted > 0) await storeAccepted();
  countDelivery(clients, request, counts);

  async function storeAccepted(): Promise<void> {
    if (!known.count()) return accept(tenant, 0);
    let refund = () => {};
    try {
      refund = await quota.take(organizationId, plan, counts.accepted);
      await accept(tenant, counts.accepted);
    } catch (error) {
      refund();
      known.uncount();
      throw error;
    }
  }
}

/** Errors of a whole body that its sender can mend; others are of the service, the key or the quota. */
const bodyErrors: ReadonlySet<string> = new Set(['payload_too_large', 'unsupported_media_type', 'invalid_request']);

/** Calls `take` and counts a body that it refuses as one rejected event, with its reason (docs/semantics.md, "Ingest health"). */
export async function countingRefusals<T>(
  { rejections, clients }: IngestContext,
  request: FastifyRequest,
  take: () => Promise<T>,
): Promise<T> {
  try {
    return await take();
  } catch (error) {
    if (error instanceof ServiceError && bodyErrors.has(error.code)) {
      rejections.add(keyOf(request).projectId, 1, { code: error.code, error: error.message });
      countDelivery(clients, request, { accepted: 0, rejected: [{ count: 1, code: error.code }] });
    }
    throw error;
  }
}

/** `/v1/metrics` and `/v1/logs` are not implemented; exporters should not retry (docs/semantics.md, "Metrics and logs"). */
export function notImplemented(): never {
  throw new ServiceError('not_implemented', 'Only traces are accepted; send them to /v1/traces and disable this exporter.');
}
