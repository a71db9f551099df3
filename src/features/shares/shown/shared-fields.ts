import type { SharedSpan, SharedTrace } from '../../../contract/shares.ts';
import type { OpenedTrace, SpanContents } from '../../traces/index.ts';
import type { ShownIds } from './shown-ids.ts';

/** Texts that a thread cuts, and redacts where the link says so. */
export interface SharedTexts {
  /** Fields whose value is a text, null or a list of texts. */
  fields: Readonly<Record<string, string | null | readonly string[]>>;
  /** Tokens by class: applications choose the names. */
  tokenClasses?: Readonly<Record<string, number>>;
  /** Of a link with payloads. */
  errorMessage?: string | null;
  /** Payloads as JSON texts; `''` for none. */
  payloads: Readonly<Record<string, string>>;
}

/** A trace or a span on its way to the reader of a link. */
export interface SharedRecord {
  /** Fields that hold no text of an application, but ids that were checked. */
  plain: Readonly<Record<string, unknown>>;
  texts: SharedTexts;
  /** Whether something of it is missing already. */
  cut: boolean;
  /** Characters of its texts. */
  length: number;
}

type Plain<Shown, Texts extends keyof Shown> = Omit<Shown, Texts | 'input' | 'output' | 'truncated' | 'errorMessage'>;

/**
 * What a link shows of a trace without the spans. An allow-list: what is not named here is not shown. Not named are project, organization, user, session, environment,
 * release, tags, metadata, scores, outcomes and comments.
 */
export function sharedTraceOf({ summary, input, output }: OpenedTrace, payloads: boolean, ids: ShownIds): SharedRecord {
  const plain: Plain<SharedTrace['trace'], 'name' | 'models' | 'agents'> = {
    traceId: ids.of(summary.traceId),
    startTime: summary.startTime,
    endTime: summary.endTime,
    durationMs: summary.durationMs,
    status: summary.status,
    spanCount: summary.spanCount,
    callCount: summary.callCount,
    errorCount: summary.errorCount,
    unpricedCalls: summary.unpricedCalls,
    partlyPricedCalls: summary.partlyPricedCalls,
    costUsd: summary.costUsd,
    inputTokens: summary.inputTokens,
    outputTokens: summary.outputTokens,
    cachedTokens: summary.cachedTokens,
    reasoningTokens: summary.reasoningTokens,
    ...(payloads ? { inputFrom: ids.ofAny(summary.inputFrom), outputFrom: ids.ofAny(summary.outputFrom) } : {}),
  };
  const texts: SharedTexts = {
    fields: { name: summary.name, models: summary.models, agents: summary.agents },
    payloads: payloads ? { input, output } : {},
  };
  return { plain, texts, cut: false, length: payloads ? input.length + output.length : 0 };
}

/**
 * What a link shows of a span. An allow-list: what is not named here is not shown. Not named are also service, prompt, metadata, attributes, and of OTLP resource, scope,
 * events (with their stack traces), links and trace state.
 */
export function sharedSpanOf(
  { fields, input, output, withoutPayloads }: SpanContents,
  payloads: boolean,
  ids: ShownIds,
): SharedRecord {
  const { details, ...tokens } = fields.usage ?? {};
  const plain: Plain<SharedSpan, 'name' | 'model' | 'requestModel' | 'provider' | 'agentName' | 'operation' | 'errorCode'> = {
    spanId: ids.of(fields.spanId),
    parentSpanId: ids.ofAny(fields.parentSpanId),
    depth: fields.depth,
    kind: fields.kind,
    startTime: fields.startTime,
    endTime: fields.endTime,
    durationMs: fields.durationMs,
    usage: fields.usage && tokens,
    costUsd: fields.costUsd,
    costStatus: fields.costStatus,
    timeToFirstTokenMs: fields.timeToFirstTokenMs,
    status: fields.status,
  };
  const { name, model, requestModel, provider, agentName, operation, errorCode, errorMessage } = fields;
  const texts: SharedTexts = {
    fields: { name, model, requestModel, provider, agentName, operation, errorCode },
    ...(details ? { tokenClasses: details } : {}),
    ...(payloads ? { errorMessage } : {}),
    payloads: payloads ? { input, output } : {},
  };
  const length = name.length + (payloads ? input.length + output.length + (errorMessage?.length ?? 0) : 0);
  return { plain, texts, cut: payloads && withoutPayloads, length };
}
