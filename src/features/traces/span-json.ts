import type { TraceSpan } from '../../contract/traces.ts';
import type { SpanPlace } from './span-headers.ts';
import { operationIn, promptVariablesIn } from '../records/index.ts';
import type { SpanRecord } from '../records/index.ts';
import type { ReadSpan } from './read-spans.ts';
import { textOf, timestampOf } from './stored-text.ts';

type Payload = 'input' | 'output' | 'metadata' | 'attributes';

/**
 * One span as JSON text, with the fields of its ingest event (docs/semantics.md, "One trace"). Payloads are the stored JSON text, so that
 * numbers are returned as they were sent.
 */
export function spanJson(span: SpanRecord, place: SpanPlace): string {
  const fields = { ...fieldsOf(span, place), ...promptVariablesIn(span.attributes) };
  return withPayloads(fields, span, ['input', 'output', 'metadata', 'attributes']);
}

/** A span with the input and output that it lacks from the span that has them (docs/semantics.md, "Repeated calls"). */
export function withContents<S extends SpanRecord>(span: S, from: SpanRecord | undefined): S {
  if (!from) return span;
  const previews = 'inputPreview' in span && 'inputPreview' in from ? previewsOf(span as S & ReadSpan, from as ReadSpan) : {};
  return { ...span, ...previews, input: span.input || from.input, output: span.output || from.output };
}

function previewsOf(span: ReadSpan, from: ReadSpan): Pick<ReadSpan, 'inputPreview' | 'outputPreview'> {
  return {
    inputPreview: span.inputPreview || from.inputPreview,
    outputPreview: span.outputPreview || from.outputPreview,
  };
}

/** One span without payloads, as JSON text. Fields that are null, and empty tags, are left out: a trace may have 20,000 spans. */
export function spanOutlineJson(span: ReadSpan, place: SpanPlace, withPreviews: boolean): string {
  return JSON.stringify(outlineOf(span, place, withPreviews));
}

/** The fields of {@link spanOutlineJson}. */
export function outlineOf(span: ReadSpan, place: SpanPlace, withPreviews: boolean): Record<string, unknown> {
  const { traceId: _traceId, ...fields } = fieldsOf(span, place);
  const previews = withPreviews ? { inputPreview: textOf(span.inputPreview), outputPreview: textOf(span.outputPreview) } : {};
  const given = Object.entries({ ...fields, ...previews }).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(given);
}

/** The payloads of a span, and what OTLP sent beside the attributes, as JSON texts; `''` when left out. */
export type PayloadTexts = Readonly<Record<Payload | ExtraName, string>>;

const extraNames = ['resourceAttributes', 'scope', 'events', 'links'] as const;
type ExtraName = (typeof extraNames)[number];

export function payloadsOf(span: SpanRecord): PayloadTexts {
  const { input, output, metadata, attributes } = span;
  const extra = extraOf(span.extra);
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
export function fieldsWithoutPayloads(span: SpanRecord, place: SpanPlace): Omit<TraceSpan, Payload> {
  return fieldsOf({ ...span, extra: '' }, place);
}

function fieldsOf(span: SpanRecord, place: SpanPlace): Omit<TraceSpan, Payload> {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: textOf(span.parentSpanId),
    depth: place.depth,
    name: span.name,
    kind: place.rules.kind,
    startTime: timestampOf(span.startNs),
    endTime: span.endNs === null ? null : timestampOf(span.endNs),
    durationMs: durationMs(span.startNs, span.endNs),
    model: textOf(span.model),
    requestModel: textOf(span.requestModel),
    provider: textOf(span.provider),
    agentName: textOf(place.rules.agentName),
    operation: textOf(operationIn(span, place.rules.kind)),
    usage: usageOf(span),
    costUsd: span.costUsd,
    costStatus: span.costStatus,
    timeToFirstTokenMs: span.timeToFirstTokenMs,
    status: span.status === '' ? null : span.status,
    errorCode: textOf(place.rules.errorCode),
    errorMessage: textOf(place.rules.errorMessage ?? span.errorMessage),
    sessionId: textOf(place.rules.sessionId),
    userId: textOf(span.userId),
    environment: textOf(span.environment),
    release: textOf(span.release),
    service: textOf(span.service),
    tags: [...span.tags],
    promptName: textOf(span.promptName),
    promptVersion: span.promptVersionType === 'number' ? Number(span.promptVersion) : textOf(span.promptVersion),
    source: span.source,
    contentFrom: textOf(place.rules.contentFrom),
    ...extraOf(span.extra),
  };
}

/** Serializes an object, with further members whose values are JSON text; `''` becomes null. */
export function withPayloads<K extends string>(fields: object, payloads: Record<K, string>, names: readonly K[]): string {
  const members = names.map((name) => `,"${name}":${payloads[name] === '' ? 'null' : payloads[name]}`);
  return `${JSON.stringify(fields).slice(0, -1)}${members.join('')}}`;
}

/** Milliseconds from the exact nanoseconds; null while the span runs. */
function durationMs(startNs: bigint, endNs: bigint | null): number | null {
  if (endNs === null) return null;
  const ns = endNs - startNs;
  return ns <= 0n ? 0 : Number(ns) / 1e6;
}

function usageOf(span: SpanRecord): TraceSpan['usage'] {
  const usage = {
    ...(span.inputTokens === null ? {} : { inputTokens: span.inputTokens }),
    ...(span.outputTokens === null ? {} : { outputTokens: span.outputTokens }),
    ...(span.cachedTokens === null ? {} : { cachedTokens: span.cachedTokens }),
    ...(span.cacheWriteTokens === null ? {} : { cacheWriteTokens: span.cacheWriteTokens }),
    ...(span.reasoningTokens === null ? {} : { reasoningTokens: span.reasoningTokens }),
    ...(span.usageDetails === '' ? {} : { details: JSON.parse(span.usageDetails) as Record<string, number> }),
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
