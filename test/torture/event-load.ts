import { gzipSync } from 'node:zlib';
import { setTimeout as delay } from 'node:timers/promises';
import type { OracleScore, OracleSpan } from '../api/model-oracle.ts';
import { send, sendJson } from './api.ts';
import type { Caller } from './api.ts';
import type { Ledger } from './ledger.ts';
import type { Random } from './random.ts';

/** Costs that add up exactly. */
const costStep = 1 / 64;
const hourMs = 3_600_000;
/** Starts lie within so many hours, so that many hours are touched again and again. */
const hours = 60;
export const toolEvaluator = 'torture-latency';

export interface SenderOptions {
  caller: Caller;
  /** Of this sender alone, or its limit would be everybody's. */
  apiKey: string;
  ledger: Ledger;
  random: Random;
  number: number;
  nowMs(): number;
  /** Goes on after a connection that broke: the service stays, and something beside it fails. */
  persistent: boolean;
  stopping(): boolean;
}

/** Sends events to the service, a request after the other, until it is told to stop or a connection breaks. */
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
    // A repetition that is refused takes nothing back.
    if (entry.outcome !== 'acknowledged')
      entry.outcome = entry.outcome === 'unknown' || outcome !== 'refused' ? outcome : 'refused';
    if (outcome === 'acknowledged' && rejectedEvents(answer?.body)) ledger.judge(`${path} with events rejected`, 400);
    return answer?.status ?? null;
  };
  const status = await once();
  // As a client does that missed the answer.
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
  // 404 is the answer when nothing of it was ever stored.
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
    // A tool's span is sent once, as it is evaluated once.
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
  // A span stands once in a request.
  return [...new Map(spans.map((span) => [span.spanId, span])).values()];
}

function call(random: Random, number: number, protocol: Protocol): Partial<OracleSpan> {
  const failed = protocol === native && random.chance(0.1);
  return {
    model: `torture-${number}${random.chance(0.2) ? '-b' : ''}`,
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
