import { attributesJson, valueJson, type Attributes } from './attribute.ts';
import type { OtlpEvent, OtlpLink, OtlpSpan, ScopeSpans } from './model.ts';

/** Longer attributes of a resource or a scope are kept by one of its spans alone: a small body would otherwise become gigabytes. */
const longestRepeated = 8_192;

/** What the spans of a resource or a scope have in common, as JSON of an object; `''` for nothing. */
export class SharedJson {
  readonly #json: string;
  #keeper: string | null = null;

  constructor(json: string) {
    this.#json = json;
  }

  /** As the next span keeps it: whole, or the id of the span that keeps it whole. */
  of(spanId: string): string {
    if (this.#json.length <= longestRepeated) return this.#json;
    if (this.#keeper !== null) return `{"spanwise.kept_by_span":${valueJson(this.#keeper)}}`;
    this.#keeper = spanId;
    return this.#json;
  }
}

/** The attributes of a resource. */
export function sharedResource(resource: Attributes): SharedJson {
  return new SharedJson(attributesJson(resource));
}

/** A scope with its attributes. */
export function sharedScope(scope: ScopeSpans): SharedJson {
  const members = joined([
    text('name', scope.name),
    text('version', scope.version),
    json('attributes', attributesJson(scope.attributes)),
  ]);
  return new SharedJson(members === '' ? '' : `{${members}}`);
}

/** A span's `extra`: JSON of what OTLP carries beside its attributes, empty members left out; `''` for nothing. */
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

/** Nanoseconds are kept exact, hence as text. */
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
