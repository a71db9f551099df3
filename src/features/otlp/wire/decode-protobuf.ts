import { attributeKey, type AttributeKey } from './attribute-key.ts';
import { Attribute, KeyValueList, type AttributeValue } from './attribute.ts';
import { AttributeCache } from './attribute-cache.ts';
import {
  maxValueDepth,
  emptySpan,
  maxElements,
  type OtlpEvent,
  type OtlpLink,
  type OtlpSpan,
  type OtlpTraces,
  type ResourceSpans,
  type ScopeSpans,
} from './model.ts';
import { hashBytes, sameBytes, WireReader } from './wire-reader.ts';

/**
 * Decodes an ExportTraceServiceRequest in protobuf. Unknown fields are skipped, invalid UTF-8 is replaced by U+FFFD, times keep their
 * nanoseconds (docs/semantics.md, "OTLP requests").
 *
 * @param spanLimit spans after this many are counted and not decoded
 * @throws OtlpDecodeError when the body is not such a message
 */
export function decodeOtlpProtobuf(body: Buffer, spanLimit = Infinity): OtlpTraces {
  return new TraceRequestReader(body, spanLimit).request();
}

// A tag holds the field's number and its wire type; comparing whole tags checks both.
const varint = 0;
const fixed64 = 1;
const bytes = 2;
const fixed32 = 5;
function tag(field: number, wireType: number): number {
  return field * 8 + wireType;
}

const spanTags = {
  traceId: tag(1, bytes),
  spanId: tag(2, bytes),
  traceState: tag(3, bytes),
  parentSpanId: tag(4, bytes),
  name: tag(5, bytes),
  kind: tag(6, varint),
  start: tag(7, fixed64),
  end: tag(8, fixed64),
  attributes: tag(9, bytes),
  events: tag(11, bytes),
  links: tag(13, bytes),
  status: tag(15, bytes),
  flags: tag(16, fixed32),
} as const;

const valueTags = {
  string: tag(1, bytes),
  bool: tag(2, varint),
  int: tag(3, varint),
  double: tag(4, fixed64),
  array: tag(5, bytes),
  list: tag(6, bytes),
  bytes: tag(7, bytes),
} as const;

const attributeCache = new AttributeCache();
const cachedKeys = 4096;
const keyCache: (AttributeKey | undefined)[] = Array.from({ length: cachedKeys });

class TraceRequestReader {
  readonly #wire: WireReader;
  readonly #spanLimit: number;
  #spans = 0;
  #skipped = 0;
  #elements = 0;

  constructor(body: Buffer, spanLimit: number) {
    this.#wire = new WireReader(body);
    this.#spanLimit = spanLimit;
  }

  request(): OtlpTraces {
    const end = this.#wire.bytes.length;
    const resourceSpans: ResourceSpans[] = [];
    this.#fields(end, 1, (field, stop) => {
      if (field !== tag(1, bytes)) return false;
      const read = this.#resourceSpans(this.#wire.messageEnd(stop));
      // Dropped: millions of groups without spans fit into a body.
      if (read.scopeSpans.length > 0) resourceSpans.push(read);
      return true;
    });
    return { resourceSpans, skippedSpans: this.#skipped };
  }

  /**
   * Reads the fields of a message up to `end`. `read` consumes the value of a field that it knows and returns true. Other fields are
   * skipped, except that numbers up to `known` are refused: these have the wrong wire type.
   */
  #fields(end: number, known: number, read: (field: number, end: number) => boolean): void {
    const wire = this.#wire;
    while (wire.position < end) {
      const field = wire.varint32();
      if (!read(field, end)) this.#unknown(field, end, known);
    }
    this.#finish(end);
  }

  /** Skips an unknown field. @throws OtlpDecodeError for field number 0 and for known fields, which have the wrong wire type */
  #unknown(field: number, end: number, known: number): void {
    const number = field >>> 3;
    if (number === 0) throw this.#wire.problem('a field has the number 0');
    if (number <= known) throw this.#wire.problem(`field ${number} has the wrong wire type`);
    this.#wire.skip(field & 7, end);
  }

  #finish(end: number): void {
    if (this.#wire.position !== end) throw this.#wire.problem('a field runs past the end of its message');
  }

  #resourceSpans(end: number): ResourceSpans {
    const result: ResourceSpans = { attributes: [], scopeSpans: [] };
    this.#fields(end, 2, (field, stop) => {
      if (field === tag(1, bytes)) {
        this.#fields(this.#wire.messageEnd(stop), 1, (inner, innerStop) => {
          if (inner !== tag(1, bytes)) return false;
          this.#attribute(innerStop, result.attributes, 0);
          return true;
        });
        return true;
      }
      if (field !== tag(2, bytes)) return false;
      const read = this.#scopeSpans(this.#wire.messageEnd(stop));
      if (read.spans.length > 0) result.scopeSpans.push(read);
      return true;
    });
    return result;
  }

  #scopeSpans(end: number): ScopeSpans {
    const result: ScopeSpans = { name: '', version: '', attributes: [], spans: [] };
    this.#fields(end, 2, (field, stop) => {
      if (field === tag(1, bytes)) this.#scope(this.#wire.messageEnd(stop), result);
      else if (field !== tag(2, bytes)) return false;
      else if (this.#spans < this.#spanLimit) {
        this.#spans++;
        result.spans.push(this.#span(this.#wire.messageEnd(stop)));
      } else {
        this.#skipped++;
        this.#wire.position = this.#wire.messageEnd(stop);
      }
      return true;
    });
    return result;
  }

  #scope(end: number, into: ScopeSpans): void {
    this.#fields(end, 3, (field, stop) => {
      if (field === tag(1, bytes)) into.name = this.#wire.text(stop);
      else if (field === tag(2, bytes)) into.version = this.#wire.text(stop);
      else if (field === tag(3, bytes)) this.#attribute(stop, into.attributes, 0);
      else return false;
      return true;
    });
  }

  #span(end: number): OtlpSpan {
    const wire = this.#wire;
    const span = emptySpan();
    while (wire.position < end) {
      const field = wire.varint32();
      switch (field) {
        case spanTags.attributes:
          this.#attribute(end, span.attributes, 0);
          break;
        case spanTags.traceId:
          span.traceId = wire.hex(end);
          break;
        case spanTags.spanId:
          span.spanId = wire.hex(end);
          break;
        case spanTags.parentSpanId:
          span.parentSpanId = wire.hex(end);
          break;
        case spanTags.traceState:
          span.traceState = wire.text(end);
          break;
        case spanTags.name:
          span.name = wire.text(end);
          break;
        case spanTags.kind:
          span.kind = wire.varint32() | 0;
          break;
        case spanTags.start:
          span.startNs = wire.fixed64(end);
          break;
        case spanTags.end:
          span.endNs = wire.fixed64(end);
          break;
        case spanTags.events:
          span.events.push(this.#event(wire.messageEnd(end)));
          break;
        case spanTags.links:
          span.links.push(this.#link(wire.messageEnd(end)));
          break;
        case spanTags.status:
          this.#status(wire.messageEnd(end), span);
          break;
        case spanTags.flags:
          span.flags = wire.fixed32(end);
          break;
        default:
          this.#unknownOfSpan(field, end);
      }
    }
    this.#finish(end);
    return span;
  }

  /** Skips an unknown field of a span. Fields 10, 12 and 14 (dropped counts) are skipped with any wire type. */
  #unknownOfSpan(field: number, end: number): void {
    const number = field >>> 3;
    const dropped = number === 10 || number === 12 || number === 14;
    this.#unknown(field, end, dropped ? 0 : 16);
  }

  #event(end: number): OtlpEvent {
    this.#count();
    const event: OtlpEvent = { timeNs: 0n, name: '', attributes: [] };
    this.#fields(end, 3, (field, stop) => {
      if (field === tag(1, fixed64)) event.timeNs = this.#wire.fixed64(stop);
      else if (field === tag(2, bytes)) event.name = this.#wire.text(stop);
      else if (field === tag(3, bytes)) this.#attribute(stop, event.attributes, 0);
      else return false;
      return true;
    });
    return event;
  }

  #link(end: number): OtlpLink {
    this.#count();
    const link: OtlpLink = { traceId: '', spanId: '', traceState: '', attributes: [] };
    this.#fields(end, 4, (field, stop) => {
      if (field === tag(1, bytes)) link.traceId = this.#wire.hex(stop);
      else if (field === tag(2, bytes)) link.spanId = this.#wire.hex(stop);
      else if (field === tag(3, bytes)) link.traceState = this.#wire.text(stop);
      else if (field === tag(4, bytes)) this.#attribute(stop, link.attributes, 0);
      else return false;
      return true;
    });
    return link;
  }

  #status(end: number, span: OtlpSpan): void {
    this.#fields(end, 3, (field, stop) => {
      if (field === tag(2, bytes)) span.statusMessage = this.#wire.text(stop);
      else if (field === tag(3, varint)) span.statusCode = this.#wire.varint32() | 0;
      // Field 1 was the status code in early versions of the protocol.
      else if (field >>> 3 === 1) this.#wire.skip(field & 7, stop);
      else return false;
      return true;
    });
  }

  /** Reads a length-delimited KeyValue and appends it to `into`. */
  #attribute(parentEnd: number, into: Attribute[], depth: number): void {
    this.#count();
    const wire = this.#wire;
    const end = wire.messageEnd(parentEnd);
    const start = wire.position;
    const known = attributeCache.find(wire.view, start, end - start);
    if (known !== undefined) {
      wire.position = end;
      into.push(known);
      return;
    }
    let key: AttributeKey | undefined;
    let value: AttributeValue = null;
    while (wire.position < end) {
      const field = wire.varint32();
      if (field === tag(1, bytes)) key = this.#key(end);
      else if (field === tag(2, bytes)) value = this.#value(wire.messageEnd(end), depth + 1);
      else this.#unknown(field, end, 2);
    }
    this.#finish(end);
    const attribute = new Attribute(key ?? attributeKey(''), value);
    // Lists are not cached: a hit would not count their elements against the limit.
    if (typeof value !== 'object') attributeCache.add(attribute, wire.view, start, end - start);
    into.push(attribute);
  }

  #key(end: number): AttributeKey {
    const wire = this.#wire;
    const stop = wire.messageEnd(end);
    const start = wire.position;
    wire.position = stop;
    const index = hashBytes(wire.bytes, start, stop) & (cachedKeys - 1);
    const known = keyCache[index];
    if (known !== undefined && sameBytes(known.name, wire.bytes, start, stop - start)) return known;
    const key = attributeKey(wire.bytes.toString('utf8', start, stop));
    if (key.name.length === stop - start && key.name.length <= 256) keyCache[index] = key;
    return key;
  }

  #value(end: number, depth: number): AttributeValue {
    const wire = this.#wire;
    let value: AttributeValue = null;
    while (wire.position < end) {
      const field = wire.varint32();
      switch (field) {
        case valueTags.string:
          value = wire.text(end);
          break;
        case valueTags.bool:
          value = wire.int64() !== 0;
          break;
        case valueTags.int:
          value = wire.int64();
          break;
        case valueTags.double:
          value = wire.double(end);
          break;
        case valueTags.array:
          value = this.#array(wire.messageEnd(end), depth);
          break;
        case valueTags.list:
          value = this.#list(wire.messageEnd(end), depth);
          break;
        case valueTags.bytes:
          value = wire.copy(end);
          break;
        default:
          this.#unknown(field, end, 7);
      }
    }
    this.#finish(end);
    return value;
  }

  #array(end: number, depth: number): AttributeValue[] {
    this.#descend(depth);
    const values: AttributeValue[] = [];
    this.#fields(end, 1, (field, stop) => {
      if (field !== tag(1, bytes)) return false;
      this.#count();
      values.push(this.#value(this.#wire.messageEnd(stop), depth + 1));
      return true;
    });
    return values;
  }

  #list(end: number, depth: number): KeyValueList {
    this.#descend(depth);
    const attributes: Attribute[] = [];
    this.#fields(end, 1, (field, stop) => {
      if (field !== tag(1, bytes)) return false;
      this.#attribute(stop, attributes, depth);
      return true;
    });
    return new KeyValueList(attributes);
  }

  #descend(depth: number): void {
    if (depth > maxValueDepth) throw this.#wire.problem(`an attribute nests deeper than ${maxValueDepth} levels`);
  }

  #count(): void {
    if (++this.#elements > maxElements) {
      throw this.#wire.problem(`it holds more than ${maxElements} attributes, events, links and list elements`);
    }
  }
}
