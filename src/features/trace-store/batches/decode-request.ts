import { Inflater } from '../../../platform/inflate/index.ts';
import { releaseBuffer } from '../../../platform/memory/release-buffer.ts';
import { readOtlpTraces } from '../../otlp/index.ts';
import type { IngestBatch } from '../../records/index.ts';
import type { OtlpRequest } from '../pipeline-port.ts';

/** Bytes that a body of the log may inflate to: the most that any setting lets in. */
export const mostInflatedBytes = 256 * 1_048_576;

/** Decodes a request that was validated when it was accepted. Rejects when the body cannot be inflated or decoded. */
export type RequestDecoder = (request: OtlpRequest) => Promise<IngestBatch>;

/**
 * Inflates and decodes the OTLP requests of the log for storage; the inflated bytes are released at once. They were let in by the limits of their time.
 */
export function requestDecoder(): RequestDecoder {
  const inflater = new Inflater(mostInflatedBytes);
  return async (request) => {
    const body = await inflater.inflate(request.body, request.contentEncoding);
    const { batch } = readOtlpTraces(body, request.encoding, request);
    if (body !== request.body) releaseBuffer(body);
    return batch;
  };
}
