import type { TraceSpan } from '../../contract/traces.ts';
import type { SpanPlace } from './span-headers.ts';
import type { SpanRow } from './span-row.ts';
import { textOf, timestampOf } from './stored-text.ts';

type Payload = 'input' | 'output' | 'metadata' | 'attributes';

/**
 * One span as JSON text, with the fields of its ingest event (docs/semantics.md, "One trace"). Payloads are the stored JSON text, so that
 * numbers are returned as they were sent.
 */
export function spanJson(row: SpanRow, place: SpanPlace): string {
  return withPayloads(fieldsOf(row, place), row, ['input', 'output', 'metadata', 'attributes']);
}

/** One span without payloads, as JSON text. Fields that are null, and empty tags, are left out: a trace may have 20,000 spans. */
export function spanOutlineJson(row: SpanRow, place: SpanPlace, withPreviews: boolean): string {
  return JSON.stringify(outlineOf(row, place, withPreviews));
}

/** The fields of {@link spanOutlineJson}. */
export function outlineOf(row: SpanRow, place: SpanPlace, withPreviews: boolean): Record<string, unknown> {
  const { traceId: _traceId, ...fields } = fieldsOf(row, place);
  const previews = withPreviews ? { inputPreview: textOf(row.input_preview), outputPreview: textOf(row.output_preview) } : {};
  const given = Object.entries({ ...fields, ...previews }).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(given);
}

/** The payloads of a span, and what OTLP sent beside the attributes, as JSON texts; `''` when left out. */
export type PayloadTexts = Readonly<Record<Payload | ExtraName, string>>;

const extraNames = ['resourceAttributes', 'scope', 'events', 'links'] as const;
type ExtraName = (typeof extraNames)[number];

export function payloadsOf(row: SpanRow): PayloadTexts {
  const { input, output, metadata, attributes } = row;
  const extra = extraOf(row.extra);
  const textAt = (name: ExtraName) => (extra[name] === undefined ? '' : JSON.stringify(extra[name]));
  return {
    input,
    output,
    metadata,
    attributes,
    resourceAttributes: textAt('resourceAttributes'),
    scope: textAt('scope'),
    events: textAt('events'),
    links: textAt('links'),
  };
}

/** The fields of a span without those of {@link payloadsOf}. */
export function fieldsWithoutPayloads(row: SpanRow, place: SpanPlace): Record<string, unknown> {
  return fieldsOf({ ...row, extra: '' }, place);
}

function fieldsOf(row: SpanRow, place: SpanPlace): Omit<TraceSpan, Payload> {
  return {
    traceId: row.trace_id,
    spanId: row.span_id,
    parentSpanId: textOf(row.parent_span_id),
    depth: place.depth,
    name: row.name,
    kind: row.kind,
    startTime: timestampOf(row.start_ns),
    endTime: row.end_ns === null ? null : timestampOf(row.end_ns),
    durationMs: durationMs(row.start_ns, row.end_ns),
    model: textOf(row.model),
    requestModel: textOf(row.request_model),
    provider: textOf(row.provider),
    agentName: textOf(place.agentName),
    operation: textOf(row.operation === '' && row.source === 'otlp' ? row.kind : row.operation),
    usage: usageOf(row),
    costUsd: row.cost_usd,
    costStatus: row.cost_status,
    timeToFirstTokenMs: row.ttft_ms,
    status: row.status === '' ? null : row.status,
    errorCode: textOf(row.error_code),
    errorMessage: textOf(row.error_message),
    sessionId: textOf(row.session_id),
    userId: textOf(row.user_id),
    environment: textOf(row.environment),
    release: textOf(row.release),
    service: textOf(row.service),
    tags: row.tags,
    promptName: textOf(row.prompt_name),
    promptVersion: row.prompt_version_type === 'number' ? Number(row.prompt_version) : textOf(row.prompt_version),
    source: row.source,
    ...extraOf(row.extra),
  };
}

/** Serializes an object, with further members whose values are JSON text; `''` becomes null. */
export function withPayloads<K extends string>(fields: object, payloads: Record<K, string>, names: readonly K[]): string {
  const members = names.map((name) => `,"${name}":${payloads[name] === '' ? 'null' : payloads[name]}`);
  return `${JSON.stringify(fields).slice(0, -1)}${members.join('')}}`;
}

/** Milliseconds from the exact nanoseconds; null while the span runs. */
function durationMs(startNs: string, endNs: string | null): number | null {
  if (endNs === null) return null;
  const ns = BigInt(endNs) - BigInt(startNs);
  return ns <= 0n ? 0 : Number(ns) / 1e6;
}

function usageOf(row: SpanRow): TraceSpan['usage'] {
  const usage = {
    ...(row.input_tokens === null ? {} : { inputTokens: row.input_tokens }),
    ...(row.output_tokens === null ? {} : { outputTokens: row.output_tokens }),
    ...(row.cached_tokens === null ? {} : { cachedTokens: row.cached_tokens }),
    ...(row.cache_write_tokens === null ? {} : { cacheWriteTokens: row.cache_write_tokens }),
    ...(row.reasoning_tokens === null ? {} : { reasoningTokens: row.reasoning_tokens }),
  };
  return Object.keys(usage).length === 0 ? null : usage;
}

interface Extra {
  resource?: unknown;
  scope?: unknown;
  events?: unknown;
  links?: unknown;
  traceState?: string;
}

/** The parts of OTLP besides attributes, see `SpanRecord.extra`; empty for a native span. */
function extraOf(json: string): Pick<TraceSpan, 'resourceAttributes' | 'scope' | 'events' | 'links' | 'traceState'> {
  if (json === '') return {};
  const { resource, scope, events, links, traceState } = JSON.parse(json) as Extra;
  return {
    ...(resource === undefined ? {} : { resourceAttributes: resource }),
    ...(scope === undefined ? {} : { scope }),
    ...(events === undefined ? {} : { events }),
    ...(links === undefined ? {} : { links }),
    ...(traceState === undefined ? {} : { traceState }),
  };
}
