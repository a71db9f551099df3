import { attributesJson, valueJson, type Attributes } from './attribute.ts';
import type { OtlpEvent, OtlpLink, OtlpSpan, ScopeSpans } from './model.ts';

/** Members of a span's `extra` that all spans of a scope share, as JSON without the braces around it. */
export function sharedExtra(resource: Attributes, scope: ScopeSpans): string {
  const members: string[] = [];
  const resourceJson = attributesJson(resource);
  if (resourceJson !== '') members.push(`"resource":${resourceJson}`);
  const scopeJson = joined([
    text('name', scope.name),
    text('version', scope.version),
    json('attributes', attributesJson(scope.attributes)),
  ]);
  if (scopeJson !== '') members.push(`"scope":{${scopeJson}}`);
  return members.join(',');
}

/** A span's `extra`: JSON of what OTLP carries beside its attributes, empty members left out; `''` for nothing. */
export function spanExtra(shared: string, span: OtlpSpan): string {
  const own = joined([
    span.events.length === 0 ? '' : `"events":[${span.events.map(eventJson).join(',')}]`,
    span.links.length === 0 ? '' : `"links":[${span.links.map(linkJson).join(',')}]`,
    text('traceState', span.traceState),
  ]);
  if (own === '') return shared === '' ? '' : `{${shared}}`;
  return shared === '' ? `{${own}}` : `{${shared},${own}}`;
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
