import fc from 'fast-check';

// Arbitrary ExportTraceServiceRequests in OTLP's JSON encoding; otlp-oracle.ts encodes them as protobuf.

type Json = Record<string, unknown>;

const wellFormed = fc.string({ unit: 'binary', maxLength: 80 }).map((text) => text.toWellFormed());
const hex = (length: number): fc.Arbitrary<string> =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => Buffer.from(bytes).toString('hex'));
const int64 = fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }).map(String);
const smallInt = fc.integer().map(String);
const uint64 = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }).map(String);
const key = fc.oneof(
  fc.constantFrom(
    'gen_ai.request.model',
    'gen_ai.prompt.0.content',
    'session.id',
    'input.value',
    'langfuse.trace.tags',
    '__proto__',
  ),
  wellFormed,
);

const { keyValues } = fc.letrec<{ anyValue: Json; keyValues: Json[] }>((tie) => ({
  anyValue: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    wellFormed.map((stringValue) => ({ stringValue })),
    fc.boolean().map((boolValue) => ({ boolValue })),
    fc.oneof(int64, smallInt).map((intValue) => ({ intValue })),
    // No -0: JSON.stringify writes it as 0.
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => ({ doubleValue: value + 0 })),
    fc.uint8Array({ maxLength: 20 }).map((bytes) => ({ bytesValue: Buffer.from(bytes).toString('base64') })),
    fc.constant({}),
    fc.array(tie('anyValue'), { maxLength: 4 }).map((values) => ({ arrayValue: { values } })),
    tie('keyValues').map((values) => ({ kvlistValue: { values } })),
  ),
  keyValues: fc.array(fc.record({ key, value: tie('anyValue') }), { maxLength: 5 }),
}));

const span = fc.record(
  {
    traceId: hex(16),
    spanId: hex(8),
    parentSpanId: hex(8),
    traceState: wellFormed,
    flags: fc.nat(),
    name: wellFormed,
    kind: fc.integer({ min: 0, max: 6 }),
    startTimeUnixNano: uint64,
    endTimeUnixNano: uint64,
    attributes: keyValues,
    droppedAttributesCount: fc.nat(),
    events: fc.array(fc.record({ timeUnixNano: uint64, name: wellFormed, attributes: keyValues }), { maxLength: 3 }),
    links: fc.array(
      fc.record({ traceId: hex(16), spanId: hex(8), traceState: wellFormed, attributes: keyValues, flags: fc.nat() }),
      { maxLength: 2 },
    ),
    status: fc.record({ message: wellFormed, code: fc.integer({ min: 0, max: 2 }) }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

export const otlpRequest: fc.Arbitrary<Json> = fc.record({
  resourceSpans: fc.array(
    fc.record({
      resource: fc.record({ attributes: keyValues }),
      scopeSpans: fc.array(
        fc.record({
          scope: fc.record({ name: wellFormed, version: wellFormed, attributes: keyValues }),
          spans: fc.array(span, { minLength: 1, maxLength: 4 }),
          schemaUrl: wellFormed,
        }),
        { minLength: 1, maxLength: 2 },
      ),
    }),
    { maxLength: 2 },
  ),
});

/** A request with `copies` valid spans that start at `startMs`. Fields of `first` replace those of the first span. */
export function oneSpanRequest(startMs: number, first: Json = {}, copies = 1): { resourceSpans: Json[] } {
  const span = {
    traceId: '5b8efff798038103d269b633813fc60c',
    spanId: 'eee19b7ec3c1b174',
    name: 'chat',
    kind: 3,
    startTimeUnixNano: `${startMs}000000`,
    endTimeUnixNano: `${startMs + 250}000000`,
  };
  const spans = [{ ...span, ...first }, ...Array.from({ length: copies - 1 }, () => span)];
  return {
    resourceSpans: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'test' } }] },
        scopeSpans: [{ scope: { name: 'test' }, spans }],
      },
    ],
  };
}

/** Plain values as attributes in OTLP's JSON encoding. */
export function jsonAttributes(values: Record<string, unknown>): Json[] {
  return Object.entries(values).map(([name, value]) => ({ key: name, value: jsonValue(value) }));
}

function jsonValue(value: unknown): Json {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(jsonValue) } };
  return { kvlistValue: { values: jsonAttributes(value as Record<string, unknown>) } };
}
