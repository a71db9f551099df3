import type { SpanKind } from '../../../contract/kinds.ts';
import { cutText } from '../../../platform/text/index.ts';
import { modelProvider, priceSpan } from '../../pricing/index.ts';
import type { PriceInput } from '../../pricing/index.ts';
import type { OwnPrices } from '../../pricing/index.ts';
import type { SpanRecord } from '../../records/index.ts';
import { isWithin } from '../readers/first-token-time.ts';
import { isGiven } from '../readers/is-given.ts';
import { withInstructions } from '../readers/message-events.ts';
import { isFramework } from '../readers/provider-name.ts';
import type { SpanView } from '../readers/span-view.ts';
import { attributesJson } from '../wire/attribute.ts';
import type { OtlpSpan } from '../wire/model.ts';
import { fieldReader } from './field-reader.ts';
import { shortenVectors } from './shorten-vectors.ts';
import { spanExtra, type SharedJson } from './span-extra.ts';
import { spanMetadata } from './span-metadata.ts';
import { spanOutcome } from './span-outcome.ts';
import { spanUsage, type SpanUsage } from './span-usage.ts';

const maxNameLength = 4096;

const read = {
  name: fieldReader('name'),
  toolName: fieldReader('toolName'),
  traceName: fieldReader('traceName'),
  kind: fieldReader('kind'),
  requestModel: fieldReader('requestModel'),
  responseModel: fieldReader('responseModel'),
  responseId: fieldReader('responseId'),
  provider: fieldReader('provider'),
  agentName: fieldReader('agentName'),
  operation: fieldReader('operation'),
  input: fieldReader('input'),
  systemInstructions: fieldReader('systemInstructions'),
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
  origin: fieldReader('origin'),
};

const noTags: readonly string[] = [];
const allZero = '0000000000000000';

/** Fields that all spans of one scope share, computed once for each scope. */
export interface SharedFields {
  environment: string;
  release: string;
  service: string;
  scopeName: string;
  resource: SharedJson;
  scope: SharedJson;
  ownPrices: OwnPrices;
}

/** The fields that spans take from their resource, `''` where it has none. */
export function resourceFields(resource: SpanView): Pick<SharedFields, 'environment' | 'release' | 'service'> {
  return {
    environment: read.environment(resource) ?? '',
    release: read.release(resource) ?? '',
    service: read.service(resource) ?? '',
  };
}

/**
 * Converts an accepted span into the record that is stored. The conventions read its attributes; environment, release and service
 * come from the resource where the span has none. The result depends on the span and `shared` only.
 *
 * @param view reused from span to span; it is reset to this span
 */
export function normaliseSpan(span: OtlpSpan, shared: SharedFields, view: SpanView): SpanRecord {
  view.reset(span.attributes, span, shared.scopeName);
  const requestModel = read.requestModel(view) ?? '';
  const model = read.responseModel(view) ?? requestModel;
  const named = read.kind(view);
  const kind: SpanKind = named ?? (model === '' ? 'span' : 'llm');
  view.kind = kind;
  const usage = spanUsage(view);
  const outcome = spanOutcome(span, view);
  const startMs = Number(span.startNs) / 1e6;
  const provider = providerOf(view, { kind, model, requestModel, startMs });
  const promptVersion = read.promptVersion(view);
  const priced = {
    model,
    requestModel,
    provider,
    ...usage,
    startMs,
    providedCostUsd: clientCost(view, usage),
    failed: outcome.status === 'error',
  };
  const cost = priceSpan(priced, shared.ownPrices);
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId === allZero ? '' : span.parentSpanId,
    name: cutText(read.name(view) ?? span.name, maxNameLength),
    kind,
    startNs: span.startNs,
    endNs: endOf(span),
    status: outcome.status,
    errorCode: outcome.errorCode,
    errorMessage: outcome.errorMessage,
    model,
    requestModel,
    provider,
    agentName: read.agentName(view) ?? '',
    operation: read.operation(view) ?? (named === undefined && kind === 'llm' ? '' : kind),
    sessionId: read.sessionId(view, isGiven) ?? '',
    userId: read.userId(view, isGiven) ?? '',
    environment: read.environment(view) ?? shared.environment,
    release: read.release(view) ?? shared.release,
    service: read.service(view) ?? shared.service,
    promptName: read.promptName(view) ?? '',
    promptVersion: String(promptVersion ?? ''),
    promptVersionType: typeof promptVersion === 'number' ? 'number' : '',
    responseId: read.responseId(view) ?? '',
    traceName: read.traceName(view) ?? '',
    toolName: kind === 'tool' ? (read.toolName(view) ?? '') : '',
    tags: read.tags(view)?.filter(isGiven) ?? noTags,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    cachedTokens: usage.cachedTokens,
    cacheWriteTokens: usage.cacheWriteTokens,
    reasoningTokens: usage.reasoningTokens,
    usageDetails: usage.usageDetails,
    costUsd: cost.costUsd,
    costStatus: cost.costStatus,
    timeToFirstTokenMs: read.timeToFirstTokenMs(view, (ms) => isWithin(ms, view)) ?? null,
    source: 'otlp',
    origin: read.origin(view) ?? 'application',
    scopeName: shared.scopeName,
    input: payloadOf(inputOf(view), kind),
    output: payloadOf(read.output(view), kind),
    metadata: spanMetadata(span.attributes),
    attributes: attributesJson(span.attributes),
    extra: spanExtra(shared.resource, shared.scope, span),
  };
}

/** The provider that an attribute names in lower case, else, for a call, that of its model in the price table (docs/semantics.md, "Providers"). */
function providerOf(
  view: SpanView,
  { kind, model, requestModel, startMs }: Pick<PriceInput, 'model' | 'requestModel' | 'startMs'> & { kind: SpanKind },
): string {
  const named = read.provider(view, (name) => !isFramework(name));
  if (named !== undefined) return named.toLowerCase();
  if (kind !== 'llm' && kind !== 'embedding') return '';
  return modelProvider(model, startMs) ?? modelProvider(requestModel, startMs) ?? '';
}

/** The end of a span: null while it runs; the start when the recorded end is earlier (docs/semantics.md, "Time bounds"). */
function endOf(span: OtlpSpan): bigint | null {
  if (span.endNs === 0n) return null;
  return span.endNs < span.startNs ? span.startNs : span.endNs;
}

/** The cost that the client sent. OpenLIT sends 0 for models whose price it does not know: with tokens used, that is passed over (docs/semantics.md, "Cost of a span"). */
function clientCost(view: SpanView, usage: SpanUsage): number | null {
  const used = (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0) > 0;
  const isMeant = !used || !/^openlit\b/.test(view.scopeName);
  return read.costUsd(view, (cost) => cost > 0 || isMeant) ?? null;
}

/** The input, with the system instructions in front of it. */
function inputOf(view: SpanView): string | undefined {
  const input = read.input(view);
  const instructions = read.systemInstructions(view);
  return instructions === undefined ? input : withInstructions(input, instructions);
}

function payloadOf(json: string | undefined, kind: SpanKind): string {
  if (json === undefined) return '';
  return kind === 'embedding' || kind === 'retriever' ? shortenVectors(json) : json;
}
