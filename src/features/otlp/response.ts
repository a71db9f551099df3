import type { ErrorCode } from '../../contract/errors.ts';
import type { OtlpEncoding, OtlpReading } from './read-traces.ts';
import { rejectionMessage } from './rejection-message.ts';

/** A response of `POST /v1/traces`: docs/semantics.md, "OTLP responses". */
export interface OtlpResponse {
  status: number;
  /** The request's media type without parameters, since some exporters compare the whole header. */
  contentType: string;
  body: Buffer;
}

export const otlpContentTypes: Readonly<Record<OtlpEncoding, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
};

/** The code of `google.rpc.Status` for each error code that ingestion answers. */
const grpcCodes: Readonly<Partial<Record<string, number>>> = {
  invalid_request: 3,
  unauthenticated: 16,
  forbidden: 7,
  plan_required: 7,
  not_found: 5,
  method_not_allowed: 12,
  conflict: 10,
  payload_too_large: 8,
  unsupported_media_type: 3,
  rate_limited: 8,
  quota_exceeded: 8,
  not_implemented: 12,
  internal: 13,
  unavailable: 14,
} satisfies Partial<Record<ErrorCode, number>>;

/** The response to a stored request: 200 and empty, or 202 with a partial success when spans were rejected. */
export function otlpSuccess(encoding: OtlpEncoding, reading: Pick<OtlpReading, 'rejected' | 'rejections'>): OtlpResponse {
  const contentType = otlpContentTypes[encoding];
  const { rejected } = reading;
  const partial = rejected > 0;
  const message = partial ? rejectionMessage(reading.rejections) : '';
  let body: Buffer;
  if (encoding === 'json') {
    // An int64 is a string in protobuf's JSON encoding.
    const response = partial ? { partialSuccess: { rejectedSpans: String(rejected), errorMessage: message } } : {};
    body = Buffer.from(JSON.stringify(response));
  } else {
    body = partial ? field(1, Buffer.concat([number(1, rejected), field(2, Buffer.from(message))])) : Buffer.alloc(0);
  }
  return { status: partial ? 202 : 200, contentType, body };
}

/**
 * The body of an error response: `google.rpc.Status` in protobuf, `{error, code, message}` in JSON.
 * @param code an error code; one that is not in the table is UNKNOWN (2) in protobuf
 */
export function otlpErrorBody(encoding: OtlpEncoding, code: string, message: string): { contentType: string; body: Buffer } {
  const contentType = otlpContentTypes[encoding];
  if (encoding === 'json') return { contentType, body: Buffer.from(JSON.stringify({ error: message, code, message })) };
  return { contentType, body: Buffer.concat([number(1, grpcCodes[code] ?? 2), field(2, Buffer.from(message))]) };
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return bytes;
}

function number(fieldNumber: number, value: number): Buffer {
  return Buffer.from([...varint(fieldNumber * 8), ...varint(value)]);
}

function field(fieldNumber: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([...varint(fieldNumber * 8 + 2), ...varint(value.length)]), value]);
}
