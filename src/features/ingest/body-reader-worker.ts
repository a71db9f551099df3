import { serveParent } from '../../platform/thread-rpc/index.ts';
import type { OtlpEncoding, ReadOtlpOptions } from '../otlp/index.ts';
import { checkOtlp } from './check-otlp.ts';
import { readEvents } from './native/read-events.ts';
import type { ReadEventsOptions } from './native/read-events.ts';

/** What {@link BodyReader} does in its thread. A Buffer arrives here as a Uint8Array. */
export const bodyReaderFunctions = {
  checkOtlp: (body: Uint8Array, encoding: OtlpEncoding, options: ReadOtlpOptions) => checkOtlp(asBuffer(body), encoding, options),
  readEvents: (body: Uint8Array, options: ReadEventsOptions) => readEvents(asBuffer(body), options),
};

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

serveParent(() => bodyReaderFunctions);
