import { ServiceError } from '../../contract/errors.ts';
import { OtlpDecodeError } from '../otlp/index.ts';
import type { OtlpEncoding, ReadOtlpOptions } from '../otlp/index.ts';
import { previewSpans } from './preview-spans.ts';

/** {@link previewSpans} for a caller. Errors: `invalid_request` when the body cannot be decoded. */
export function previewBody(body: Uint8Array, encoding: OtlpEncoding, options: ReadOtlpOptions): string {
  try {
    // A Buffer arrives in a thread as a Uint8Array.
    return previewSpans(Buffer.from(body.buffer, body.byteOffset, body.byteLength), encoding, options);
  } catch (error) {
    if (!(error instanceof OtlpDecodeError)) throw error;
    throw new ServiceError('invalid_request', error.message, { cause: error });
  }
}
