import { holdsMoreValues, isRecord, maxBodyValues } from '../../../platform/json/index.ts';
import { attributeKey } from './attribute-key.ts';
import { exactJson } from './exact-json.ts';
import { Attribute, KeyValueList, type AttributeValue } from './attribute.ts';
import {
  maxValueDepth,
  emptySpan,
  maxElements,
  type OtlpSpan,
  type OtlpTraces,
  type ResourceSpans,
  type ScopeSpans,
} from './model.ts';
import { OtlpDecodeError } from './otlp-decode-error.ts';
import { exactNumber } from './wire-reader.ts';

/**
 * Decodes an ExportTraceServiceRequest in OTLP's JSON encoding: ids are hex (returned in lower case), 64-bit integers are strings or
 * numbers, enums are integers; unknown fields, snake_case ones included, are ignored (docs/semantics.md, "OTLP requests").
 *
 * @param spanLimit spans after this many are counted and not decoded
 * @throws OtlpDecodeError when the text is not JSON or not such a request
 */
export function decodeOtlpJson(body: Buffer, spanLimit = Infinity): OtlpTraces {
  if (holdsMoreValues(body, maxBodyValues))
    throw new OtlpDecodeError(`it holds more than ${maxBodyValues.toLocaleString('en-US')} JSON values`);
  let parsed: unknown;
  try {
    parsed = exactJson(body.toString('utf8'));
  } catch (cause) {
    throw new OtlpDecodeError('it is not JSON', { cause });
  }
  if (!isRecord(parsed)) throw new OtlpDecodeError('it is not a JSON object');
  return new JsonRequestReader(spanLimit).request(parsed);
}

type JsonObject = Readonly<Record<string, unknown>>;

class JsonRequestReader {
  readonly #spanLimit: number;
  #spans = 0;
  #skipped = 0;
  #elements = 0;

  constructor(spanLimit: number) {
    this.#spanLimit = spanLimit;
  }

  request(body: JsonObject): OtlpTraces {
    const resourceSpans: ResourceSpans[] = [];
    for (const item of objects(body, 'resourceSpans')) {
      const read = this.#resourceSpans(item);
      if (read.scopeSpans.length > 0) resourceSpans.push(read);
    }
    return { resourceSpans, skippedSpans: this.#skipped };
  }

  #resourceSpans(item: JsonObject): ResourceSpans {
    const resource = object(item, 'resource');
    const scopeSpans: ScopeSpans[] = [];
    for (const scope of objects(item, 'scopeSpans')) {
      const read = this.#scopeSpans(scope);
      if (read.spans.length > 0) scopeSpans.push(read);
    }
    return { attributes: this.#attributes(resource, 'attributes', 0), scopeSpans };
  }

  #scopeSpans(item: JsonObject): ScopeSpans {
    const scope = object(item, 'scope');
    const spans: OtlpSpan[] = [];
    for (const span of objects(item, 'spans')) {
      if (this.#spans < this.#spanLimit) {
        this.#spans++;
        spans.push(this.#span(span));
      } else {
        this.#skipped++;
      }
    }
    return {
      name: text(scope, 'name'),
      version: text(scope, 'version'),
      attributes: this.#attributes(scope, 'attributes', 0),
      spans,
    };
  }

  #span(item: JsonObject): OtlpSpan {
    const span = emptySpan();
    const status = object(item, 'status');
    const kind = integer(item['kind']);
    const code = integer(status['code']);
    span.traceId = id(item['traceId']);
    span.spanId = id(item['spanId']);
    span.parentSpanId = id(item['parentSpanId']);
    span.traceState = text(item, 'traceState');
    span.flags = integer(item['flags']) ?? 0;
    span.name = text(item, 'name');
    span.kind = kind ?? 0;
    span.startNs = nanoseconds(item['startTimeUnixNano']);
    span.endNs = nanoseconds(item['endTimeUnixNano']);
    span.attributes = this.#attributes(item, 'attributes', 0);
    span.statusCode = code ?? 0;
    span.statusMessage = text(status, 'message');
    span.enumNotInteger = kind === undefined || code === undefined;
    for (const event of objects(item, 'events')) {
      this.#count();
      span.events.push({
        timeNs: nanoseconds(event['timeUnixNano']),
        name: text(event, 'name'),
        attributes: this.#attributes(event, 'attributes', 0),
      });
    }
    for (const link of objects(item, 'links')) {
      this.#count();
      span.links.push({
        traceId: id(link['traceId']),
        spanId: id(link['spanId']),
        traceState: text(link, 'traceState'),
        attributes: this.#attributes(link, 'attributes', 0),
      });
    }
    return span;
  }

  #attributes(owner: JsonObject, name: string, depth: number): Attribute[] {
    const attributes: Attribute[] = [];
    for (const item of objects(owner, name)) {
      this.#count();
      attributes.push(new Attribute(attributeKey(text(item, 'key')), this.#value(item['value'], depth + 1)));
    }
    return attributes;
  }

  #value(value: unknown, depth: number): AttributeValue {
    if (value === undefined || value === null) return null;
    if (!isRecord(value)) throw new OtlpDecodeError('an attribute value is not an object such as {"stringValue": "..."}');
    if (present(value['stringValue'])) return text(value, 'stringValue');
    if (present(value['intValue'])) return int64(value['intValue']);
    if (present(value['doubleValue'])) return double(value['doubleValue']);
    if (present(value['boolValue'])) {
      if (typeof value['boolValue'] === 'boolean') return value['boolValue'];
      throw new OtlpDecodeError('a boolValue is not true or false');
    }
    if (depth > maxValueDepth) throw new OtlpDecodeError(`an attribute nests deeper than ${maxValueDepth} levels`);
    if (present(value['arrayValue'])) return this.#array(object(value, 'arrayValue'), depth);
    if (present(value['kvlistValue'])) {
      return new KeyValueList(this.#attributes(object(value, 'kvlistValue'), 'values', depth));
    }
    if (present(value['bytesValue'])) return new Uint8Array(Buffer.from(text(value, 'bytesValue'), 'base64'));
    return null;
  }

  #array(array: JsonObject, depth: number): AttributeValue[] {
    const values: AttributeValue[] = [];
    for (const item of list(array, 'values')) {
      this.#count();
      values.push(this.#value(item, depth + 1));
    }
    return values;
  }

  #count(): void {
    if (++this.#elements > maxElements) {
      throw new OtlpDecodeError(`it holds more than ${maxElements} attributes, events, links and list elements`);
    }
  }
}

const emptyObject: JsonObject = {};
const noItems: readonly never[] = [];

/** In protobuf's JSON encoding, null means that the field is absent. */
function present(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function object(owner: JsonObject, name: string): JsonObject {
  const value = owner[name];
  if (!present(value)) return emptyObject;
  if (!isRecord(value)) throw new OtlpDecodeError(`${name} is not an object`);
  return value;
}

function list(owner: JsonObject, name: string): readonly unknown[] {
  const value = owner[name];
  if (!present(value)) return noItems;
  if (!Array.isArray(value)) throw new OtlpDecodeError(`${name} is not an array`);
  return value;
}

function objects(owner: JsonObject, name: string): readonly JsonObject[] {
  const values = list(owner, name);
  for (const value of values) if (!isRecord(value)) throw new OtlpDecodeError(`${name} holds something other than objects`);
  return values as readonly JsonObject[];
}

/** A string, `''` when absent. A lone surrogate becomes U+FFFD, as invalid UTF-8 does. */
function text(owner: JsonObject, name: string): string {
  const value = owner[name];
  if (!present(value)) return '';
  if (typeof value !== 'string') throw new OtlpDecodeError(`${name} is not a string`);
  return value.isWellFormed() ? value : value.toWellFormed();
}

/** An id in lower case, not validated: an invalid one rejects its span, not the request. Cut to 64 characters; a valid id has at most 32. */
function id(value: unknown): string {
  if (!present(value)) return '';
  return typeof value === 'string' ? value.slice(0, 64).toLowerCase() : '?';
}

/** An enum or a 32-bit number: 0 when absent, undefined when it is not an integer. */
function integer(value: unknown): number | undefined {
  if (!present(value)) return 0;
  return typeof value === 'number' && Number.isInteger(value) ? value | 0 : undefined;
}

const maxNs = (1n << 64n) - 1n;

/** A time in nanoseconds: 0 when absent, -1 when it is not an unsigned 64-bit integer. */
function nanoseconds(value: unknown): bigint {
  if (!present(value)) return 0n;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  if (typeof value !== 'string' || !/^\d{1,20}$/.test(value)) return -1n;
  const ns = BigInt(value);
  return ns > maxNs ? -1n : ns;
}

/** An int64 from a string or a number. `exactJson` returns an integer that a number cannot hold as a string. */
function int64(value: unknown): number | bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  if (typeof value === 'string' && /^-?\d{1,20}$/.test(value)) {
    const whole = BigInt(value);
    if (BigInt.asIntN(64, whole) === whole) return exactNumber(whole);
  }
  throw new OtlpDecodeError('an intValue is not a 64-bit integer');
}

function double(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') {
    if (value === 'NaN') return NaN;
    const number = Number(value);
    if (value.trim() !== '' && !Number.isNaN(number)) return number;
  }
  throw new OtlpDecodeError('a doubleValue is not a number');
}
