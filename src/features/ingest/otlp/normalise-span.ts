import type { SpanKind } from '../../../contract/kinds.ts';
import { priceSpan } from '../pricing.ts';
import type { SpanRecord } from '../span.ts';
import { attributesJson } from './attribute.ts';
import { cut } from './attribute-readers.ts';
import { fieldReader } from './field-reader.ts';
import type { OtlpSpan } from './model.ts';
import { shortenVectors } from './shorten-vectors.ts';
import { spanExtra, type SharedJson } from './span-extra.ts';
import { spanOutcome } from './span-failure.ts';
import { spanMetadata } from './span-metadata.ts';
import { spanUsage, type SpanUsage } from './span-usage.ts';
import type { SpanView } from './span-view.ts';

const longestName = 4096;

const read = {
  kind: fieldReader('kind'),
  requestModel: fieldReader('requestModel'),
  responseModel: fieldReader('responseModel'),
  provider: fieldReader('provider'),
  agentName: fieldReader('agentName'),
  operation: fieldReader('operation'),
  input: fieldReader('input'),
  output: fieldReader('output'),
  costUsd: fieldReader('costUsd'),
  timeToFirstTokenMs: fieldReader('timeToFirstTokenMs'),
  sessionId: fieldReader('sessionId'),
  userId: fieldReader('userId'),
  tags: fieldReader('tags'),
  promptName: fieldReader('promptName'),
  promptVersion: fieldReader('promptVersion'),
  environment: fieldReader('environment'),
  release: fieldReader('release'),
  service: fieldReader('service'),
};

const noTags: readonly string[] = [];
const allZero = '0000000000000000';

/** What the spans of one scope share, worked out once. */
export interface SpanSurroundings {
  environment: string;
  release: string;
  service: string;
  scopeName: string;
  resource: SharedJson;
  scope: SharedJson;
}

/** What a resource says for its spans. */
export function resourceFields(resource: SpanView): Pick<SpanSurroundings, 'environment' | 'release' | 'service'> {
  return {
    environment: read.environment(resource) ?? '',
    release: read.release(resource) ?? '',
    service: read.service(resource) ?? '',
  };
}

/**
 * Turns a span that was taken (`ingest-otlp.ts`) into the record that is stored, by what the conventions find in its own
 * attributes and, for environment, release and service, in its resource's. Pure: same span, same record.
 *
 * @param view looks at nothing or another span before; at this one afterwards
 */
export function normaliseSpan(span: OtlpSpan, surroundings: SpanSurroundings, view: SpanView): SpanRecord {
  view.look(span.attributes, span);
  const requestModel = read.requestModel(view) ?? '';
  const model = read.responseModel(view) ?? requestModel;
  const kind: SpanKind = read.kind(view) ?? (model === '' ? 'span' : 'llm');
  view.kind = kind;
  const usage = spanUsage(view);
  const outcome = spanOutcome(span, view);
  const provider = read.provider(view) ?? '';
  const cost = priceSpan({
    model,
    requestModel,
    provider,
    ...usage,
    startMs: Number(span.startNs) / 1e6,
    providedCostUsd: clientCost(view, usage),
    failed: outcome.status === 'error',
  });
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId === allZero ? '' : span.parentSpanId,
    name: cut(span.name, longestName),
    kind,
    startNs: span.startNs,
    endNs: endOf(span),
    status: outcome.status,
    errorCode: outcome.errorCode,
    errorMessage: outcome.errorMessage,
    model,
    requestModel,
    provider,
    agentName: read.agentName(view) ?? (kind === 'agent' ? cut(span.name, longestName) : ''),
    operation: read.operation(view) ?? kind,
    sessionId: read.sessionId(view) ?? '',
    userId: read.userId(view) ?? '',
    environment: read.environment(view) ?? surroundings.environment,
    release: read.release(view) ?? surroundings.release,
    service: read.service(view) ?? surroundings.service,
    promptName: read.promptName(view) ?? '',
    promptVersion: read.promptVersion(view) ?? '',
    tags: read.tags(view) ?? noTags,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    cachedTokens: usage.cachedTokens,
    cacheWriteTokens: usage.cacheWriteTokens,
    reasoningTokens: usage.reasoningTokens,
    costUsd: cost.costUsd,
    costStatus: cost.costStatus,
    timeToFirstTokenMs: read.timeToFirstTokenMs(view) ?? null,
    source: 'otlp',
    scopeName: surroundings.scopeName,
    input: payloadOf(read.input(view), kind),
    output: payloadOf(read.output(view), kind),
    metadata: spanMetadata(span.attributes),
    attributes: attributesJson(span.attributes),
    extra: spanExtra(surroundings.resource, surroundings.scope, span),
  };
}

/** Null while the span runs; never before the start, so that no duration is negative. */
function endOf(span: OtlpSpan): bigint | null {
  if (span.endNs === 0n) return null;
  return span.endNs < span.startNs ? span.startNs : span.endNs;
}

/** A client that has no price for a model may send 0: with tokens that is no cost. */
function clientCost(view: SpanView, usage: SpanUsage): number | null {
  const cost = read.costUsd(view) ?? null;
  const used = (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0) > 0;
  return cost === 0 && used ? null : cost;
}

function payloadOf(json: string | undefined, kind: SpanKind): string {
  if (json === undefined) return '';
  return kind === 'embedding' || kind === 'retriever' ? shortenVectors(json) : json;
}
