import { dayMs } from '../../../contract/durations.ts';
import { sourceAttribute } from '../../../contract/kinds.ts';
import type { IngestEvent, ScoreBody } from '../../../contract/ingest.ts';
import { cutText } from '../../../platform/text/index.ts';
import { priceSpan } from '../../pricing/index.ts';
import type { OwnPrices } from '../../pricing/index.ts';
import { blankSpan, countsAsItIs, noScore, promptVariablesAttribute, wholeOutput } from '../../records/index.ts';
import type { IngestBatch, ScoreRecord, SpanRecord } from '../../records/index.ts';
import { nanosecondsOf } from './timestamp.ts';

/** The rejection of one line, with a sentence for the caller. */
export class LineRefusal extends Error {
  /** The field; `''` for several. */
  readonly field: string;

  constructor(message: string, field = '') {
    super(message);
    this.field = field;
  }
}

export interface ToRecordOptions {
  nowMs: number;
  oldestMs: number;
  /** The project's own prices; default: none. */
  ownPrices?: OwnPrices;
  /** Makes the id of a score that was sent without one. */
  scoreId(): string;
}

type Event<T extends IngestEvent['type']> = Extract<IngestEvent, { type: T }>;

/** Milliseconds that a client's clock may be ahead (docs/semantics.md, "Time bounds"). */
const aheadMs = dayMs;
/** Longer ids of responses are cut, as in OTLP. */
const maxIdLength = 1024;

/**
 * Adds a valid event to the batch as a record. Only cost and error code are inferred; other absent fields stay
 * empty (docs/semantics.md, "Native events").
 *
 * Errors: {@link LineRefusal} for invalid times and targets.
 */
export function toRecord(event: IngestEvent, options: ToRecordOptions, batch: IngestBatch): void {
  switch (event.type) {
    case 'span':
      batch.spans.push(spanRecord(event, options));
      return;
    case 'trace':
      batch.spans.push(traceRecord(event, options));
      return;
    case 'score':
      batch.scores.push(scoreRecord(event, options));
  }
}

function spanRecord(event: Event<'span'>, options: ToRecordOptions): SpanRecord {
  const startNs = moment('startTime', event.startTime, options);
  const endNs = event.endTime == null ? null : moment('endTime', event.endTime, options);
  if (endNs !== null && endNs < startNs) throw new LineRefusal('endTime is before startTime; send the later one as endTime.');
  const usage = event.usage ?? {};
  const model = event.model ?? '';
  const provider = event.provider ?? '';
  const status = event.status ?? '';
  const tokens = {
    inputTokens: usage.inputTokens ?? null,
    outputTokens:
      usage.outputTokens == null ? null : wholeOutput(usage.outputTokens, usage.reasoningTokens ?? 0, usage.inputTokens ?? 0),
    cachedTokens: usage.cachedTokens ?? null,
    cacheWriteTokens: usage.cacheWriteTokens ?? null,
    reasoningTokens: usage.reasoningTokens ?? null,
    usageDetails: detailsOf(usage.details),
  };
  const priced = {
    model,
    requestModel: '',
    provider,
    ...tokens,
    startMs: Number(startNs / 1_000_000n),
    providedCostUsd: event.costUsd ?? null,
    failed: status === 'error',
  };
  const cost = priceSpan(priced, options.ownPrices);
  return {
    ...sharedFields(event),
    ...tokens,
    ...cost,
    spanId: event.spanId,
    parentSpanId: event.parentSpanId ?? '',
    name: event.name,
    kind: event.kind ?? 'span',
    startNs,
    endNs,
    status,
    errorCode: event.errorCode || (status === 'error' ? 'unknown' : ''),
    errorMessage: event.errorMessage ?? '',
    model,
    provider,
    agentName: event.agentName ?? '',
    operation: event.operation ?? '',
    promptName: event.promptName ?? '',
    promptVersion: event.promptVersion == null ? '' : String(event.promptVersion),
    promptVersionType: typeof event.promptVersion === 'number' ? 'number' : '',
    origin: event.attributes?.[sourceAttribute] === 'evaluation' ? 'evaluation' : 'application',
    service: attributeOf(event.attributes, 'service.name'),
    responseId: attributeOf(event.attributes, 'gen_ai.response.id'),
    traceName: '',
    toolName: event.kind === 'tool' ? attributeOf(event.attributes, 'gen_ai.tool.name') : '',
    timeToFirstTokenMs: event.timeToFirstTokenMs ?? null,
    attributes: jsonOf(attributesOf(event)),
  };
}

/** The variables of the prompt are read with the payloads alone, so they have no column: they are kept where OTLP sends them. */
function attributesOf({ attributes, promptVariables }: Event<'span'>): Readonly<Record<string, unknown>> | null | undefined {
  return promptVariables == null ? attributes : { ...attributes, [promptVariablesAttribute]: promptVariables };
}

/** As JSON text; `''` without a class. */
function detailsOf(details: Readonly<Record<string, number>> | null | undefined): string {
  return details == null || Object.keys(details).length === 0 ? '' : jsonOf(details);
}

function traceRecord(event: Event<'trace'>, options: ToRecordOptions): SpanRecord {
  const startNs = event.timestamp == null ? BigInt(options.nowMs) * 1_000_000n : moment('timestamp', event.timestamp, options);
  return { ...blankSpan, ...sharedFields(event), name: event.name ?? '', startNs };
}

function sharedFields(event: Event<'span'> | Event<'trace'>) {
  return {
    traceId: event.traceId,
    requestModel: '',
    sessionId: event.sessionId ?? '',
    userId: event.userId ?? '',
    environment: event.environment ?? '',
    release: event.release ?? '',
    tags: event.tags ?? [],
    source: 'native' as const,
    origin: 'application' as const,
    scopeName: '',
    input: jsonOf(event.input),
    output: jsonOf(event.output),
    metadata: jsonOf(event.metadata),
    extra: '',
  };
}

/**
 * A valid score as a record.
 *
 * Errors: {@link LineRefusal} for an invalid timestamp or target.
 */
export function scoreRecord(event: ScoreBody, options: ToRecordOptions): ScoreRecord {
  const { traceId, spanId, sessionId } = event;
  if (spanId != null && traceId == null) throw new LineRefusal('spanId needs traceId beside it; send both.');
  if ((traceId == null) === (sessionId == null)) {
    throw new LineRefusal('A score is about one thing: send either spanId with traceId, or traceId, or sessionId.');
  }
  if (event.score == null && (event.label ?? '') === '')
    throw new LineRefusal('score is required, a number from -1e12 to 1e12, or true or false, unless there is a label.', 'score');
  const timestampMs =
    event.timestamp == null ? options.nowMs : Number(moment('timestamp', event.timestamp, options) / 1_000_000n);
  return {
    scoreId: event.scoreId ?? options.scoreId(),
    traceId: traceId ?? '',
    spanId: spanId ?? '',
    sessionId: sessionId ?? '',
    evaluator: event.evaluator,
    score: event.score == null ? noScore : Number(event.score),
    passed: event.passed ?? null,
    label: event.label ?? '',
    comment: event.comment ?? '',
    model: event.model ?? '',
    timestampMs,
    source: 'native',
    metadata: '',
    ...countsAsItIs,
  };
}

/** The nanoseconds of a timestamp between the retention edge and a day ahead. Errors: {@link LineRefusal}. */
function moment(field: string, timestamp: string, { nowMs, oldestMs }: ToRecordOptions): bigint {
  const ns = nanosecondsOf(timestamp);
  if (ns === null)
    throw new LineRefusal(`${field} is not a moment; send an ISO 8601 timestamp such as 2026-11-20T10:00:00.000Z.`, field);
  if (ns > BigInt(nowMs + aheadMs) * 1_000_000n)
    throw new LineRefusal(`${field} is more than 24 hours ahead; check the sender's clock.`, field);
  if (ns < BigInt(oldestMs) * 1_000_000n)
    throw new LineRefusal(`${field} is older than the plan's retention; it would not be shown.`, field);
  return ns;
}

/** An attribute that names the response of the model's server, or a tool, as in OTLP; `''` when left out. */
function attributeOf(attributes: Readonly<Record<string, unknown>> | null | undefined, key: string): string {
  const value = attributes?.[key];
  return typeof value === 'string' || typeof value === 'number' ? cutText(String(value), maxIdLength) : '';
}

function jsonOf(value: unknown): string {
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
