import { z } from 'zod';
import { otlpError, otlpPartialSuccess } from '../../contract/ingest.ts';

/** The body of `POST /v1/traces`, for the OpenAPI document. */
export const exportRequest = z.unknown().describe('an ExportTraceServiceRequest');

/** The answers of `POST /v1/traces`, for the OpenAPI document: in the encoding of the request (docs/semantics.md, "OTLP responses"). */
export const otlpAnswers = {
  200: inBothEncodings('an empty ExportTraceServiceResponse', z.object({})),
  202: inBothEncodings('an ExportTraceServiceResponse that says what was rejected', otlpPartialSuccess),
  ...Object.fromEntries(
    [400, 401, 413, 415, 429, 503].map((status) => [status, inBothEncodings('in protobuf a google.rpc.Status', otlpError)]),
  ),
};

function inBothEncodings(description: string, json: z.ZodType) {
  const protobuf = z.string().meta({ format: 'binary' });
  return { description, content: { 'application/json': { schema: json }, 'application/x-protobuf': { schema: protobuf } } };
}
