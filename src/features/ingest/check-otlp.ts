import { ServiceError } from '../../contract/errors.ts';
import { checkOtlpTraces, OtlpDecodeError } from '../otlp/index.ts';
import type { OtlpCheck, OtlpEncoding, ReadOtlpOptions } from '../otlp/index.ts';

/** Checks an inflated OTLP body. Errors: `invalid_request` when it cannot be decoded. */
export function checkOtlp(body: Buffer, encoding: OtlpEncoding, options: ReadOtlpOptions): OtlpCheck {
  try {
    return checkOtlpTraces(body, encoding, options);
  } catch (error) {
    if (!(error instanceof OtlpDecodeError)) throw error;
    throw new ServiceError('invalid_request', error.message, { cause: error });
  }
}
