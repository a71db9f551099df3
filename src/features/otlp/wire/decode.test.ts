import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeRequest, encodeRequest } from '../../../../test/support/otlp-oracle.ts';
import { attributesJson, KeyValueList, type Attributes, type AttributeValue } from './attribute.ts';
import { decodeOtlpJson } from './decode-json.ts';
import { decodeOtlpProtobuf } from './decode-protobuf.ts';
import type { OtlpTraces } from './model.ts';
import { OtlpDecodeError } from './otlp-decode-error.ts';
import { oneSpanRequest, otlpRequest } from '../otlp-requests.fixture.ts';
import { fixtureBytes } from '../recorded-bodies.fixture.ts';

/** Decoded spans as plain data that is comparable with the oracle's: keys by name, bytes as base64. */
function plain(traces: OtlpTraces): unknown {
  return traces.resourceSpans.map((resource) => ({
    attributes: plainAttributes(resource.attributes),
    scopes: resource.scopeSpans.map((scope) => ({
      name: scope.name,
      version: scope.version,
      attributes: plainAttributes(scope.attributes),
      spans: scope.spans.map((span) => ({
        ...span,
        attributes: plainAttributes(span.attributes),
        events: span.events.map((event) => ({ ...event, attributes: plainAttributes(event.attributes) })),
        links: span.links.map((link) => ({ ...link, attributes: plainAttributes(link.attributes) })),
      })),
    })),
  }));
}

function plainAttributes(attributes: Attributes): [string, unknown][] {
  return attributes.map(({ key, value }) => [key.name, plainValue(value)]);
}

function plainValue(value: AttributeValue): unknown {
  if (value instanceof KeyValueList) return { list: plainAttributes(value.attributes) };
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return { array: value.map((item) => plainValue(item as AttributeValue)) };
  return value;
}

// The oracle's objects as the same plain data. protobufjs returns 64-bit integers as Long.
type Message = Record<string, unknown>;
const items = (value: unknown): Message[] => (value ?? []) as Message[];
const big = (value: unknown): bigint => BigInt(String(value));
const hex = (value: unknown): string => Buffer.from(value as Uint8Array).toString('hex');

function oracle(body: Buffer): unknown {
  const message = decodeRequest(body) as unknown as Message;
  return items(message['resourceSpans']).map((resource) => ({
    attributes: oracleAttributes((resource['resource'] as Message | null)?.['attributes']),
    scopes: items(resource['scopeSpans']).map((scopeSpans) => {
      const scope = scopeSpans['scope'] as Message;
      return {
        name: scope['name'],
        version: scope['version'],
        attributes: oracleAttributes(scope['attributes']),
        spans: items(scopeSpans['spans']).map(oracleSpan),
      };
    }),
  }));
}

function oracleSpan(span: Message): unknown {
  const status = (span['status'] ?? {}) as Message;
  return {
    traceId: hex(span['traceId']),
    spanId: hex(span['spanId']),
    parentSpanId: hex(span['parentSpanId']),
    traceState: span['traceState'],
    flags: span['flags'],
    name: span['name'],
    kind: span['kind'],
    startNs: big(span['startTimeUnixNano']),
    endNs: big(span['endTimeUnixNano']),
    attributes: oracleAttributes(span['attributes']),
    events: items(span['events']).map((event) => ({
      timeNs: big(event['timeUnixNano']),
      name: event['name'],
      attributes: oracleAttributes(event['attributes']),
    })),
    links: items(span['links']).map((link) => ({
      traceId: hex(link['traceId']),
      spanId: hex(link['spanId']),
      traceState: link['traceState'],
      attributes: oracleAttributes(link['attributes']),
    })),
    statusCode: status['code'] ?? 0,
    statusMessage: status['message'] ?? '',
    enumNotInteger: false,
  };
}

function oracleAttributes(attributes: unknown): [unknown, unknown][] {
  return items(attributes).map((attribute) => [attribute['key'], oracleValue(attribute['value'] as Message | null)]);
}

function oracleValue(value: Message | null): unknown {
  if (value === null) return null;
  if (Object.hasOwn(value, 'intValue')) {
    const whole = big(value['intValue']);
    return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole;
  }
  if (Object.hasOwn(value, 'arrayValue')) return { array: items((value['arrayValue'] as Message)['values']).map(oracleValue) };
  if (Object.hasOwn(value, 'kvlistValue')) return { list: oracleAttributes((value['kvlistValue'] as Message)['values']) };
  if (Object.hasOwn(value, 'bytesValue')) return { bytes: Buffer.from(value['bytesValue'] as Uint8Array).toString('base64') };
  for (const name of ['stringValue', 'boolValue', 'doubleValue']) if (Object.hasOwn(value, name)) return value[name];
  return null;
}

describe('both decoders', () => {
  test('the protobuf decoder gives what protobufjs gives', () => {
    fc.assert(
      fc.property(otlpRequest, (request) => {
        const body = encodeRequest(request);
        const expected = oracle(body);
        // The third decoding takes attributes from the cache.
        for (let time = 0; time < 3; time++) expect(plain(decodeOtlpProtobuf(body))).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  test('give the same for the two encodings of a request', () => {
    fc.assert(
      fc.property(otlpRequest, (request) => {
        const fromJson = decodeOtlpJson(Buffer.from(JSON.stringify(request)));
        expect(plain(fromJson)).toEqual(plain(decodeOtlpProtobuf(encodeRequest(request))));
      }),
      { numRuns: 300 },
    );
  });

  test.each([31, 32, 33, 40, 5000])('accept values nested up to 32 levels: %i', (depth) => {
    // Assembled as text: JSON.stringify and protobufjs do not nest 5,000 levels.
    const value = `${'{"arrayValue":{"values":['.repeat(depth)}{"stringValue":"x"}${']}}'.repeat(depth)}`;
    const json = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[{"key":"deep","value":${value}}]}]}]}]}`;
    for (const decode of [() => decodeOtlpProtobuf(deepBody(depth)), () => decodeJson(json)]) {
      if (depth <= 32) expect(decode().resourceSpans).toHaveLength(1);
      else expect(decode).toThrow(OtlpDecodeError);
    }
  });

  test('count the spans after the limit', () => {
    const request = oneSpanRequest(1e12, {}, 10);
    for (const traces of [
      decodeOtlpProtobuf(encodeRequest(request), 4),
      decodeOtlpJson(Buffer.from(JSON.stringify(request)), 4),
    ]) {
      expect(traces.resourceSpans[0]?.scopeSpans[0]?.spans).toHaveLength(4);
      expect(traces.skippedSpans).toBe(6);
    }
  });
});

/** A length-delimited field. */
function field(number: number, content: Buffer): Buffer {
  const length: number[] = [];
  for (let rest = content.length; ; rest >>>= 7) {
    if (rest < 0x80) {
      length.push(rest);
      break;
    }
    length.push((rest & 0x7f) | 0x80);
  }
  return Buffer.concat([Buffer.from([number * 8 + 2, ...length]), content]);
}

function deepBody(depth: number): Buffer {
  let value = field(1, Buffer.from('x'));
  for (let level = 0; level < depth; level++) value = field(5, field(1, value));
  return spanBody(field(9, Buffer.concat([field(1, Buffer.from('deep')), field(2, value)])));
}

function spanBody(span: Buffer): Buffer {
  return field(1, field(2, field(2, span)));
}

function attributeBody(key: Buffer, value: Buffer): Buffer {
  return spanBody(field(9, Buffer.concat([field(1, key), field(2, value)])));
}

describe('the protobuf decoder', () => {
  test('reads an empty body as no spans', () => {
    expect(decodeOtlpProtobuf(Buffer.alloc(0))).toEqual({ resourceSpans: [], skippedSpans: 0 });
  });

  test('replaces invalid UTF-8', () => {
    const traces = decodeOtlpProtobuf(attributeBody(Buffer.from('a\xffb', 'latin1'), field(1, Buffer.from('\xc3(', 'latin1'))));
    const attributes = traces.resourceSpans[0]?.scopeSpans[0]?.spans[0]?.attributes;
    expect(attributes && attributesJson(attributes)).toBe('{"a\ufffdb":"\ufffd("}');
  });

  test('does not confuse cached texts of which one has the bytes of the other as characters', () => {
    const of = (text: Buffer): unknown =>
      decodeOtlpProtobuf(attributeBody(text, field(1, text))).resourceSpans[0]?.scopeSpans[0]?.spans[0]?.attributes;
    const latin = Buffer.from([0xc3, 0xa9]); // é
    const twoLetters = Buffer.from('Ã©');
    for (const text of [latin, twoLetters, latin, twoLetters]) {
      expect(of(text)).toMatchObject([{ key: { name: text.toString() }, value: text.toString() }]);
    }
  });

  test.each([
    ['a group', Buffer.from([0x0b, 0x0c])],
    ['a group inside a span', spanBody(Buffer.from([0x9b, 0x06, 0x9c, 0x06]))],
    ['a wire type that does not exist', Buffer.from([0x0e])],
    ['a known field of another wire type', Buffer.from([0x08, 0x01])],
    ['a start time that is a varint', spanBody(Buffer.from([0x38, 0x01]))],
    ['the field number 0', Buffer.from([0x02, 0x00])],
    ['a length past the end', Buffer.from([0x0a, 0x05, 0x00])],
    ['a length of 4 GiB', Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f])],
    ['a varint of 11 bytes', Buffer.from([0x98, ...Array.from({ length: 10 }, () => 0xff), 0x01])],
    ['a field that runs past its message', Buffer.from([0x0a, 0x02, 0x12, 0x05, 0x00, 0x00, 0x00, 0x00, 0x00])],
  ])('refuses %s', (_what, body) => {
    expect(() => decodeOtlpProtobuf(body)).toThrow(OtlpDecodeError);
  });

  test('skips unknown fields of every wire type', () => {
    // Fields 100 to 103: varint, fixed64, bytes, fixed32.
    const unknown = Buffer.from('a0069601a9060102030405060708b206020909bd0601020304', 'hex');
    const span = Buffer.concat([unknown, field(5, Buffer.from('named')), unknown]);
    expect(decodeOtlpProtobuf(spanBody(span)).resourceSpans[0]?.scopeSpans[0]?.spans[0]?.name).toBe('named');
  });

  test('refuses a body with more than 2,000,000 elements', () => {
    const empty = Buffer.from([0x0a, 0x00]);
    const array = Buffer.alloc(4_200_000, empty);
    expect(() => decodeOtlpProtobuf(attributeBody(Buffer.from('k'), field(5, array)))).toThrow(/more than 2000000/);
  });

  test('decodes or refuses every truncation of a recorded body', () => {
    const body = fixtureBytes('traceloop-proto.01.bin');
    for (let length = 0; length < body.length; length++) decodeOrRefuse(body.subarray(0, length));
  });

  test('decodes or refuses recorded bodies with changed bytes', () => {
    const body = fixtureBytes('aisdk7-genai-proto.01.bin');
    const change = fc.array(fc.tuple(fc.nat(body.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(change, (changes) => {
        const changed = Buffer.from(body);
        for (const [at, byte] of changes) changed[at] = byte;
        decodeOrRefuse(changed);
      }),
      { numRuns: 500 },
    );
  });

  test('decodes or refuses random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => decodeOrRefuse(Buffer.from(bytes))),
      { numRuns: 1000 },
    );
  });
});

/** Anything but an OtlpDecodeError fails the test. */
function decodeOrRefuse(body: Buffer): void {
  try {
    decodeOtlpProtobuf(body);
  } catch (error) {
    expect(error).toBeInstanceOf(OtlpDecodeError);
  }
}

function decodeJson(text: string): OtlpTraces {
  return decodeOtlpJson(Buffer.from(text));
}

function jsonSpan(span: string): OtlpTraces['resourceSpans'][number]['scopeSpans'][number]['spans'][number] | undefined {
  return decodeJson(`{"resourceSpans":[{"scopeSpans":[{"spans":[${span}]}]}]}`).resourceSpans[0]?.scopeSpans[0]?.spans[0];
}

describe('the JSON decoder', () => {
  test.each(['', ' ', '[]', 'null', '1', '"x"', '{"resourceSpans":', '{"resourceSpans":{}}', '{"resourceSpans":[1]}'])(
    'refuses %s',
    (text) => {
      expect(() => decodeJson(text)).toThrow(OtlpDecodeError);
    },
  );

  test('refuses a body with more than 2,000,000 JSON values before parsing it', () => {
    const many = (count: number) => `{"x":[${'[],'.repeat(count)}1]}`;
    expect(() => decodeJson(many(2_000_000))).toThrow('it holds more than 2,000,000 JSON values');
    expect(decodeJson(many(1_000_000))).toEqual({ resourceSpans: [], skippedSpans: 0 });
  });

  test('refuses very deep nesting, and skips it in an unknown field', () => {
    const deep = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`;
    expect(() => decodeJson('['.repeat(1_000_000))).toThrow(OtlpDecodeError);
    expect(() => decodeJson(`{"resourceSpans":${deep}}`)).toThrow(OtlpDecodeError);
    expect(decodeJson(`{"a":12345678901234567,"b":${deep}}`)).toEqual({ resourceSpans: [], skippedSpans: 0 });
  });

  test.each([
    '{"name":1}',
    '{"attributes":{}}',
    '{"attributes":[{"key":"a","value":1}]}',
    '{"attributes":[{"key":"a","value":{"intValue":1.5}}]}',
    '{"attributes":[{"key":"a","value":{"boolValue":"true"}}]}',
    '{"attributes":[{"key":"a","value":{"doubleValue":"a lot"}}]}',
  ])('refuses a span like %s', (span) => {
    expect(() => jsonSpan(span)).toThrow(OtlpDecodeError);
  });

  test('reads 64-bit integers exactly, from strings and from numbers', () => {
    const span = jsonSpan(
      '{"startTimeUnixNano":1790000000000000001,"endTimeUnixNano":"1790000000900000002","attributes":[' +
        '{"key":"a","value":{"intValue":9007199254740993}},{"key":"b","value":{"intValue":"-9223372036854775808"}},' +
        '{"key":"c","value":{"intValue":7}},{"key":"d","value":{"intValue":"8"}}]}',
    );
    expect(span).toMatchObject({ startNs: 1790000000000000001n, endNs: 1790000000900000002n });
    expect(span?.attributes.map(({ value }) => value)).toEqual([9007199254740993n, -9223372036854775808n, 7, 8]);
  });

  test.each(['-1', '1.5', '"x"', '"18446744073709551616"', 'true', '{}', '""'])('reads the time %s as invalid', (time) => {
    expect(jsonSpan(`{"startTimeUnixNano":${time}}`)?.startNs).toBe(-1n);
  });

  test.each([
    ['{"kind":"SPAN_KIND_CLIENT"}', true],
    ['{"kind":"3"}', true],
    ['{"status":{"code":"STATUS_CODE_OK"}}', true],
    ['{"kind":3,"status":{"code":2}}', false],
    ['{"kind":null}', false],
    ['{"kind":99}', false],
  ])('detects enums that are not integers: %s', (span, notInteger) => {
    expect(jsonSpan(span)?.enumNotInteger).toBe(notInteger);
  });

  test('reads doubles that JSON does not have from strings', () => {
    const doubles = ['"NaN"', '"Infinity"', '"-Infinity"', '0.5', '"0.25"', '1e400'];
    const values = doubles.map((value) => `{"key":"k","value":{"doubleValue":${value}}}`);
    const attributes = jsonSpan(`{"attributes":[${values.join(',')}]}`)?.attributes;
    expect(attributes?.map(({ value }) => value)).toEqual([NaN, Infinity, -Infinity, 0.5, 0.25, Infinity]);
    expect(attributes && attributesJson(attributes)).toBe(
      '{"k":"NaN","k":"Infinity","k":"-Infinity","k":0.5,"k":0.25,"k":"Infinity"}',
    );
  });

  test('reads null as absent, and ignores a byte order mark', () => {
    expect(decodeJson('\ufeff{"resourceSpans":null}').resourceSpans).toEqual([]);
    expect(jsonSpan('{"traceId":null,"events":null,"status":null,"attributes":[{"key":"a","value":null}]}')).toMatchObject({
      traceId: '',
      attributes: [{ value: null }],
    });
  });

  test('replaces lone surrogates', () => {
    expect(jsonSpan('{"name":"a\\ud800b"}')?.name).toBe('a\ufffdb');
  });

  test('decodes or refuses any JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        for (const whole of [text, `{"resourceSpans":${text}}`, `{"resourceSpans":[{"scopeSpans":[{"spans":[${text}]}]}]}`]) {
          try {
            decodeJson(whole);
          } catch (error) {
            expect(error).toBeInstanceOf(OtlpDecodeError);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
