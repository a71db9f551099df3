import { releaseBuffer } from '../../platform/memory/release-buffer.ts';
import { readOtlpTraces } from '../otlp/index.ts';
import type { RequestDecoder } from '../trace-store/index.ts';
import { Inflater } from './inflater.ts';

/** Inflates and decodes the OTLP requests of the log for storage; the inflated bytes are released at once. */
export function requestDecoder(): RequestDecoder {
  const inflater = new Inflater();
  return async (request) => {
    const body = await inflater.inflate(request.body, request.contentEncoding);
    const { batch } = readOtlpTraces(body, request.encoding, request);
    if (body !== request.body) releaseBuffer(body);
    return batch;
  };
}
