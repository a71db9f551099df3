import { attributesJson, valueJson, type Attributes } from '../wire/attribute.ts';
import type { OtlpEvent, OtlpLink, OtlpSpan, ScopeSpans } from '../wire/model.ts';

/** Longer resource or scope attributes are stored with one span only, so that a small body does not become gigabytes. */
const maxRepeatedLength = 8_192;

/** The JSON object that all spans of a resource or scope share; `''` for none. */
export class SharedJson {
  readonly #json: string;
  #holderSpanId: string | null = null;

  constructor(json: string) {
    this.#json = json;
  }

  /** The JSON to store with a span: the object, or a reference to the span that it is stored with. */
  of(spanId: string): string {
    if (this.#json.length <= maxRepeatedLength) return this.#json;
    if (this.#holderSpanId !== null) return `{"spanwise.kept_by_span":${valueJson(this.#holderSpanId)}}`;
    this.#holderSpanId = spanId;
    return this.#json;
  }
}

/** The attributes of a resource as shared JSON. */
export function sharedResource(resource: Attributes): SharedJson {
  return new SharedJson(attributesJson(resource));
}

/** Name, version and attributes of a scope as shared JSON. */
export function sharedScope(scope: ScopeSpans): SharedJson {
  const members = joined([
    text('name', scope.name),
    text('version', scope.version),
    json('attributes', attributesJson(scope.attributes)),
  ]);
  return new SharedJson(members === '' ? '' : `{${members}}`);
}

/** A span's `extra`: resource, scope, events, links and trace state as a JSON object without empty members; `''` for none. */
export function spanExtra(resource: SharedJson, scope: SharedJson, span: OtlpSpan): string {
  const members = joined([
    json('resource', resource.of(span.spanId)),
    json('scope', scope.of(span.spanId)),
    span.events.length === 0 ? '' : `"events":[${span.events.map(eventJson).join(',')}]`,
    span.links.length === 0 ? '' : `"links":[${span.links.map(linkJson).join(',')}]`,
    text('traceState', span.traceState),
  ]);
  return members === '' ? '' : `{${members}}`;
}

/** The time is a text, since a JSON number would lose nanoseconds. */
function eventJson(event: OtlpEvent): string {
  return `{${joined([
    text('name', event.name),
    event.timeNs > 0n ? `"timeUnixNano":"${event.timeNs}"` : '',
    json('attributes', attributesJson(event.attributes)),
  ])}}`;
}

function linkJson(link: OtlpLink): string {
  return `{${joined([
    text('traceId', link.traceId),
    text('spanId', link.spanId),
    text('traceState', link.traceState),
    json('attributes', attributesJson(link.attributes)),
  ])}}`;
}

function text(name: string, value: string): string {
  return value === '' ? '' : `"${name}":${valueJson(value)}`;
}

function json(name: string, value: string): string {
  return value === '' ? '' : `"${name}":${value}`;
}

function joined(members: readonly string[]): string {
  let all = '';
  for (const member of members) {
    if (member !== '') all = all === '' ? member : `${all},${member}`;
  }
  return all;
}
