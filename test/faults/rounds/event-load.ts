import { gzipSync } from 'node:zlib';
import { setTimeout as delay } from 'node:timers/promises';
import type { OracleScore, OracleSpan } from './model-oracle.ts';
import { send, sendJson } from './api.ts';
import type { Caller } from './api.ts';
import type { Ledger } from './ledger.ts';
import { sendKeyedOutcome, sendOutcomes } from './outcome-load.ts';
import type { Random } from './random.ts';
import { hourMs } from '../../../src/contract/durations.ts';

/** Costs whose sums are exact. */
const costStep = 1 / 64;
/** Span starts are spread over this many hours, so that hours are touched repeatedly. */
const hours = 60;
export const toolEvaluator = 'slow-tool';

export interface SenderOptions {
  caller: Caller;
  /** A key of this sender: the rate limit applies to each key. */
  apiKey: string;
  ledger: Ledger;
  random: Random;
  number: number;
  nowMs(): number;
  /** Continues after a broken connection: the service keeps running and another part fails. */
  persistent: boolean;
  stopping(): boolean;
}

/** Sends requests with events in sequence until it is stopped or a connection breaks. */
export async function sendEvents(options: SenderOptions): Promise<void> {
  const { random, stopping, ledger, number } = options;
  const protocol = number % 2 === 0 ? native : otlp;
  const traces: string[] = [];
  while (!stopping()) {
    if (traces.length === 0 || random.chance(0.25)) traces.push(random.hex(16));
    const traceId = random.chance(0.7) ? (traces.at(-1) ?? '') : random.pick(traces);
    const status =
      random.chance(0.04) && ledger.traces.has(traceId)
        ? await deleteTrace(options, traceId, traces)
        : random.chance(0.15)
          ? await (random.chance(0.3) ? sendKeyedOutcome : sendOutcomes)(options, traceId)
          : await sendOne(options, protocol, traceId);
    if (status === null && !options.persistent) return;
    await delay(status === null || status >= 429 ? 100 : random.whole(2, 25));
  }
}

async function sendOne(options: SenderOptions, protocol: Protocol, traceId: string): Promise<number | null> {
  const { caller, apiKey, ledger, random } = options;
  const request = ledger.nextRequest();
  const before = (ledger.traces.get(traceId) ?? []).flatMap(({ spans }) => spans);
  const spans = newSpans(options, protocol, traceId, request, before);
  const scores = protocol === native && random.chance(0.3) ? newScores(spans, request, random) : [];
  const { path, contentType, body } = protocol({ spans, scores });
  const entry = ledger.events({ traceId, spans, scores });
  const compressed = random.chance(0.5);
  const once = async () => {
    const answer = await send(`${caller.url}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': contentType, ...(compressed ? { 'content-encoding': 'gzip' } : {}) },
      body: compressed ? new Uint8Array(gzipSync(body)) : body,
    });
    const outcome = ledger.judge(path, answer?.status ?? null);
    // A refused repetition does not change the outcome.
    if (entry.outcome !== 'acknowledged')
      entry.outcome = entry.outcome === 'unknown' || outcome !== 'refused' ? outcome : 'refused';
    if (outcome === 'acknowledged' && rejectedEvents(answer?.body)) ledger.judge(`${path} with events rejected`, 400);
    return answer?.status ?? null;
  };
  const status = await once();
  // Repeats the request like a client that missed the answer.
  return status !== null && status < 300 && random.chance(0.1) ? once() : status;
}

function rejectedEvents(body: { rejected?: unknown[]; partialSuccess?: { rejectedSpans?: string } } | undefined): boolean {
  return (body?.rejected?.length ?? 0) > 0 || body?.partialSuccess?.rejectedSpans !== undefined;
}

async function deleteTrace({ caller, ledger }: SenderOptions, traceId: string, traces: string[]): Promise<number | null> {
  traces.splice(traces.indexOf(traceId), 1);
  ledger.deletions.set(traceId, 'unknown');
  const path = `/v1/projects/${caller.projectId}/traces/${traceId}`;
  const answer = await sendJson('DELETE', `${caller.url}${path}`, { cookie: caller.cookie });
  const outcome = ledger.judge('DELETE trace', answer?.status ?? null);
  // 404: nothing of the trace was stored.
  ledger.deletions.set(traceId, answer?.status === 404 ? 'acknowledged' : outcome);
  return answer?.status ?? null;
}

function sizeOf(protocol: Protocol, random: Random): number {
  if (random.chance(0.5)) return 1;
  if (random.chance(0.08)) return protocol === native ? 90 : 300;
  return random.whole(2, 20);
}

function newSpans(
  { random, number, nowMs }: SenderOptions,
  protocol: Protocol,
  traceId: string,
  request: number,
  before: readonly OracleSpan[],
): OracleSpan[] {
  const spans = Array.from({ length: sizeOf(protocol, random) }, (): OracleSpan => {
    const startMs = nowMs() - random.whole(0, hours - 1) * hourMs - random.whole(0, 50_000);
    const again = before.length > 0 && random.chance(0.3) ? random.pick(before) : null;
    // A tool span is evaluated once, so it is sent once.
    const tool = protocol === native && !again && random.chance(0.05);
    return {
      type: 'span',
      traceId,
      spanId: again && again.kind === 'llm' ? again.spanId : random.hex(8),
      name: `request ${String(request).padStart(6, '0')}`,
      kind: tool ? 'tool' : 'llm',
      startTime: new Date(startMs).toISOString(),
      endTime: new Date(startMs + random.whole(1, 4_000)).toISOString(),
      ...(tool ? {} : call(random, number, protocol)),
    };
  });
  // A request holds each span once.
  return [...new Map(spans.map((span) => [span.spanId, span])).values()];
}

function call(random: Random, number: number, protocol: Protocol): Partial<OracleSpan> {
  const failed = protocol === native && random.chance(0.1);
  return {
    model: `model-${number}${random.chance(0.2) ? '-b' : ''}`,
    provider: 'nobody',
    agentName: `agent-${random.whole(0, 2)}`,
    operation: 'chat',
    usage: { inputTokens: random.whole(0, 900), outputTokens: random.whole(0, 90) },
    costUsd: random.whole(1, 64) * costStep,
    ...(failed ? { status: 'error' as const, errorCode: random.pick(['timeout', 'refused']) } : {}),
  };
}

function newScores(spans: readonly OracleSpan[], request: number, random: Random): OracleScore[] {
  return spans
    .filter((span) => span.kind === 'llm')
    .slice(0, 3)
    .map((span, index) => ({
      type: 'score',
      scoreId: `score-${request}-${index}`,
      traceId: span.traceId,
      spanId: span.spanId,
      evaluator: 'by-hand',
      score: random.whole(0, 8) / 8,
      passed: random.chance(0.5),
      timestamp: span.startTime,
    }));
}

interface Body {
  path: string;
  contentType: string;
  body: string;
}
type Protocol = (events: { spans: readonly OracleSpan[]; scores: readonly OracleScore[] }) => Body;

const native: Protocol = ({ spans, scores }) => ({
  path: '/v1/ingest',
  contentType: 'application/x-ndjson',
  body: [...spans, ...scores].map((event) => JSON.stringify(event)).join('\n'),
});

const otlp: Protocol = ({ spans }) => ({
  path: '/v1/traces',
  contentType: 'application/json',
  body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: spans.map(otlpSpan) }] }] }),
});

function otlpSpan(span: OracleSpan) {
  const text = (key: string, stringValue = '') => ({ key, value: { stringValue } });
  const count = (key: string, intValue = 0) => ({ key, value: { intValue } });
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    name: span.name,
    startTimeUnixNano: `${Date.parse(span.startTime)}000000`,
    endTimeUnixNano: `${Date.parse(span.endTime ?? '')}000000`,
    attributes: [
      text('gen_ai.operation.name', span.operation),
      text('gen_ai.provider.name', span.provider),
      text('gen_ai.request.model', span.model),
      text('gen_ai.agent.name', span.agentName),
      count('gen_ai.usage.input_tokens', span.usage?.inputTokens),
      count('gen_ai.usage.output_tokens', span.usage?.outputTokens),
      { key: 'gen_ai.usage.cost', value: { doubleValue: span.costUsd ?? 0 } },
    ],
  };
}
