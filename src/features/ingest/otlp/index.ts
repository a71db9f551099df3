/** What the route of `POST /v1/traces` needs of this folder. */
export {
  checkOtlpTraces,
  readOtlpTraces,
  type OtlpCheck,
  type OtlpEncoding,
  type OtlpReading,
  type ReadOtlpOptions,
  type Rejections,
} from './ingest-otlp.ts';
export { OtlpDecodeError } from './otlp-decode-error.ts';
export { otlpErrorBody, otlpSuccess, type OtlpResponse } from './response.ts';
