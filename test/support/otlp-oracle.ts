import protobuf from 'protobufjs';

/**
 * The fields of opentelemetry-proto's trace messages that the service reads, for protobufjs. It is the oracle for the hand-written
 * decoders, and the baseline of the decoding benchmark.
 */
const source = `
syntax = "proto3";
package otlp;
message ExportTraceServiceRequest { repeated ResourceSpans resourceSpans = 1; }
message ExportTraceServiceResponse { ExportTracePartialSuccess partialSuccess = 1; }
message ExportTracePartialSuccess { int64 rejectedSpans = 1; string errorMessage = 2; }
message RpcStatus { int32 code = 1; string message = 2; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scopeSpans = 2; string schemaUrl = 3; }
message Resource { repeated KeyValue attributes = 1; uint32 droppedAttributesCount = 2; }
message ScopeSpans { InstrumentationScope scope = 1; repeated Span spans = 2; string schemaUrl = 3; }
message InstrumentationScope {
  string name = 1; string version = 2; repeated KeyValue attributes = 3; uint32 droppedAttributesCount = 4;
}
message Span {
  bytes traceId = 1; bytes spanId = 2; string traceState = 3; bytes parentSpanId = 4; fixed32 flags = 16; string name = 5;
  int32 kind = 6; fixed64 startTimeUnixNano = 7; fixed64 endTimeUnixNano = 8; repeated KeyValue attributes = 9;
  uint32 droppedAttributesCount = 10; repeated Event events = 11; uint32 droppedEventsCount = 12; repeated Link links = 13;
  uint32 droppedLinksCount = 14; Status status = 15;
}
message Event { fixed64 timeUnixNano = 1; string name = 2; repeated KeyValue attributes = 3; uint32 droppedAttributesCount = 4; }
message Link {
  bytes traceId = 1; bytes spanId = 2; string traceState = 3; repeated KeyValue attributes = 4; uint32 droppedAttributesCount = 5;
  fixed32 flags = 6;
}
message Status { string message = 2; int32 code = 3; }
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue {
  oneof value {
    string stringValue = 1; bool boolValue = 2; int64 intValue = 3; double doubleValue = 4; ArrayValue arrayValue = 5;
    KeyValueList kvlistValue = 6; bytes bytesValue = 7;
  }
}
message ArrayValue { repeated AnyValue values = 1; }
message KeyValueList { repeated KeyValue values = 1; }
`;

const root = protobuf.parse(source).root;
const request = root.lookupType('otlp.ExportTraceServiceRequest');

/** Encodes a request given in OTLP's JSON encoding: ids in hex, 64-bit integers as strings, bytes as base64. */
export function encodeRequest(json: object): Buffer {
  return Buffer.from(request.encode(request.fromObject(withBinaryIds(json) as object)).finish());
}

/** Decodes a request into protobufjs's message objects. */
export function decodeRequest(body: Uint8Array): protobuf.Message {
  return request.decode(body);
}

/** Decodes a response or error into a plain object, 64-bit integers as strings. */
export function decodeMessage(type: 'ExportTraceServiceResponse' | 'RpcStatus', body: Uint8Array): Record<string, unknown> {
  const message = root.lookupType(`otlp.${type}`);
  return message.toObject(message.decode(body), { longs: String });
}

/** A request in OTLP's JSON encoding, from its binary one. */
export function requestJson(body: Uint8Array): object {
  return withHexIds(request.toObject(request.decode(body), { longs: String, bytes: Buffer })) as object;
}

const idNames = new Set(['traceId', 'spanId', 'parentSpanId']);

/** Converts hex ids to bytes: protobufjs reads a string in a bytes field as base64. */
function withBinaryIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withBinaryIds);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      idNames.has(name) && typeof member === 'string' ? Buffer.from(member, 'hex') : withBinaryIds(member),
    ]),
  );
}

function withHexIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withHexIds);
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      idNames.has(name) && Buffer.isBuffer(member) ? member.toString('hex') : withHexIds(member),
    ]),
  );
}
