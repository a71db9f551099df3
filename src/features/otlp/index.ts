export {
  checkOtlpTraces,
  readOtlpTraces,
  type OtlpCheck,
  type OtlpEncoding,
  type OtlpReading,
  type ReadOtlpOptions,
  type Rejections,
  type ScopeCounts,
} from './read-traces.ts';
export { rejectionMessage } from './rejection-message.ts';
export { OtlpDecodeError } from './wire/otlp-decode-error.ts';
export { otlpErrorBody, otlpSuccess, type OtlpResponse } from './response.ts';
export { mapSpan } from './mapping/span-mapping.ts';
export type { InheritedAgent, MappedField } from './mapping/span-mapping.ts';
export type { StoredSpan } from './mapping/stored-span.ts';
