import { setTimeout as delay } from 'node:timers/promises';
import { modelDetail } from './model-oracle.ts';
import type { OracleScore, OracleSpan } from './model-oracle.ts';
import { read, sendJson } from './api.ts';
import type { Answer, Caller } from './api.ts';
import { toolEvaluator } from './event-load.ts';
import type { Ledger, SentEvents } from './ledger.ts';

type Events = Array<OracleSpan | OracleScore>;
interface StoredTrace {
  spans: Array<OracleSpan & { durationMs: number }>;
  scores: Array<{ scoreId: string; evaluator: string; spanId: string; score: number }>;
}

const rangeDays = 30;
const readers = 3;

/** Waits until every accepted event is in ClickHouse. */
export async function drained({ url, cookie, projectId }: Caller, patienceMs: number): Promise<void> {
  for (const deadline = performance.now() + patienceMs; ;) {
    const { pendingEvents } = await read(`${url}/v1/projects/${projectId}/ingest-health`, { cookie });
    if (pendingEvents === 0) return;
    if (performance.now() > deadline) throw new Error(`${pendingEvents} events are still pending after ${patienceMs} ms`);
    await delay(50);
  }
}

/**
 * Compares the spans and scores of every trace with the ledger. Requests with an unknown outcome are stored completely or not at all.
 *
 * @returns the stored events, as recorded in the ledger; differences are added to `faults`
 */
export async function readTraces(caller: Caller, ledger: Ledger, faults: string[]): Promise<Events> {
  const there: Events = [];
  const traces = [...ledger.traces].values();
  const one = async () => {
    for (const [traceId, entries] of traces) {
      const found = await readTrace(caller, traceId);
      const deletion = ledger.deletions.get(traceId);
      if (deletion === 'acknowledged' && found) faults.push(`the trace ${traceId} was deleted and still exists`);
      if (deletion === 'acknowledged' || (deletion === 'unknown' && !found)) continue;
      for (const event of compareTrace(entries, found ?? { spans: [], scores: [] }, faults)) there.push(event);
    }
  };
  await Promise.all(Array.from({ length: readers }, one));
  return there;
}

async function readTrace({ url, cookie, projectId }: Caller, traceId: string): Promise<StoredTrace | null> {
  const answer = await sendJson('GET', `${url}/v1/projects/${projectId}/traces/${traceId}`, { cookie });
  if (answer?.status === 404) return null;
  if (answer?.status !== 200) throw new Error(`the trace ${traceId} answers ${answer?.status}: ${JSON.stringify(answer?.body)}`);
  return answer.body as StoredTrace;
}

function compareTrace(entries: readonly SentEvents[], found: StoredTrace, faults: string[]): Events {
  const spans = new Map(found.spans.map((span) => [span.spanId, span]));
  const trace = entries[0]?.traceId ?? '';
  if (spans.size !== found.spans.length) faults.push(`${trace}: ${found.spans.length - spans.size} spans are stored twice`);
  // The index of the request of each stored span; -1 without one.
  const names = new Map(entries.flatMap((entry, index) => entry.spans.map((span) => [span.name, index] as const)));
  const versionOf = (spanId: string) => names.get(spans.get(spanId)?.name ?? '') ?? -1;
  const sent = new Set(entries.flatMap((entry) => entry.spans.map((span) => span.spanId)));
  for (const spanId of spans.keys()) if (!sent.has(spanId)) faults.push(`${trace}: the span ${spanId} was never sent`);
  const scoreIds = new Set(found.scores.map(({ scoreId }) => scoreId));
  const there: Events = [];
  for (const [index, entry] of entries.entries()) {
    const versions = entry.spans.map((span) => versionOf(span.spanId));
    const [older, own] = [
      versions.filter((version) => version < index).length,
      versions.filter((version) => version === index).length,
    ];
    const scores = entry.scores.filter(({ scoreId }) => scoreIds.has(scoreId));
    const label = `${trace}: ${entry.spans[0]?.name} (${entry.outcome})`;
    if (entry.outcome === 'acknowledged' && older > 0) faults.push(`${label} lost ${older} of ${entry.spans.length} spans`);
    if (entry.outcome === 'acknowledged' && scores.length < entry.scores.length) faults.push(`${label} lost scores`);
    if (entry.outcome === 'refused' && (own > 0 || scores.length > 0)) faults.push(`${label} is stored`);
    if (entry.outcome === 'unknown' && own > 0 && older > 0) faults.push(`${label} is stored in part: ${own} of ${own + older}`);
    if (entry.outcome === 'unknown' && ![0, entry.scores.length].includes(scores.length))
      faults.push(`${label} has some of its scores`);
    // Later requests replaced all its spans: it can no longer be checked.
    if (older > 0 && own === 0) {
      if (scores.length > 0) faults.push(`${label} is stored in part: only ${scores.length} scores`);
      continue;
    }
    there.push(...entry.spans, ...scores);
    for (const span of entry.spans) {
      const stored = spans.get(span.spanId);
      if (!stored || versionOf(span.spanId) !== index) continue;
      const [expected, kept] = [valuesOf(span), valuesOf(stored)];
      if (expected !== kept) faults.push(`${label}: the span ${span.spanId} is ${kept} and was sent as ${expected}`);
    }
  }
  return there;
}

function valuesOf(span: OracleSpan): string {
  return JSON.stringify([
    span.kind,
    span.model ?? null,
    span.provider ?? null,
    span.agentName ?? null,
    Date.parse(span.startTime),
    Date.parse(span.endTime ?? ''),
    span.usage?.inputTokens ?? null,
    span.usage?.outputTokens ?? null,
    span.costUsd ?? null,
    span.status === 'error' ? span.errorCode : null,
  ]);
}

/** Waits until every tool span is evaluated and checks that none is evaluated twice. */
export async function readEvaluations(caller: Caller, events: Events, faults: string[], patienceMs: number): Promise<void> {
  const tools = Map.groupBy(
    events.filter((event) => event.type === 'span' && event.kind === 'tool'),
    ({ traceId }) => traceId,
  );
  for (const deadline = performance.now() + patienceMs; tools.size > 0;) {
    for (const [traceId, spans] of tools) {
      const scores = (await readTrace(caller, traceId))?.scores.filter(({ evaluator }) => evaluator === toolEvaluator) ?? [];
      const counts = spans.map((span) => scores.filter(({ spanId }) => spanId === span.spanId).length);
      if (counts.some((count) => count > 1)) faults.push(`${traceId}: a span was evaluated ${Math.max(...counts)} times`);
      if (counts.every((count) => count > 0)) tools.delete(traceId);
      else if (performance.now() > deadline) faults.push(`${traceId}: a span was not evaluated within ${patienceMs} ms`);
    }
    if (performance.now() > deadline) return;
    if (tools.size > 0) await delay(250);
  }
}

/** Compares the figures of every model with those of the oracle. */
export async function compareFigures(
  caller: Caller,
  events: Events,
  nowMs: number,
  faults: string[],
  when: string,
): Promise<void> {
  const models = new Set(events.flatMap((event) => (event.type === 'span' && event.model ? [event.model] : [])));
  for (const model of models) {
    const question = { days: rangeDays, nowMs, oldestMs: nowMs - 365 * 86_400_000 };
    const path = `/v1/projects/${caller.projectId}/models/${model}?range=${rangeDays}d`;
    const found = await read(`${caller.url}${path}`, { cookie: caller.cookie });
    const wrong = difference(modelDetail(events, model, question), found, model);
    if (wrong) faults.push(`figures ${when}: ${wrong}`);
  }
}

/** The path of the first difference of two values; null when they are equal. Percentiles may differ by 1 %, other numbers by rounding. */
function difference(expected: unknown, found: Answer['body'], path: string): string | null {
  if (typeof expected === 'number' && typeof found === 'number') {
    const tolerance = /p\d\d_latency$/.test(path) ? 0.01 : 1e-9;
    const near = Math.abs(expected - found) <= tolerance * Math.max(1, Math.abs(expected));
    return near ? null : `${path} is ${found} and should be ${expected}`;
  }
  if (typeof expected !== 'object' || expected === null) {
    return expected === found ? null : `${path} is ${JSON.stringify(found)} and should be ${JSON.stringify(expected)}`;
  }
  if (typeof found !== 'object' || found === null) return `${path} is ${JSON.stringify(found)}`;
  if (Array.isArray(expected) && expected.length !== found.length)
    return `${path} has ${found.length} rows and should have ${expected.length}`;
  for (const [key, value] of Object.entries(expected)) {
    const wrong = difference(value, found[key], `${path}.${key}`);
    if (wrong) return wrong;
  }
  return null;
}

/** Compares the changes of the other routes. */
export async function readChanges(caller: Caller, ledger: Ledger, faults: string[]): Promise<void> {
  for (const change of ledger.changes) {
    const rows = await change.observe().catch((error: unknown) => (faults.push(`${change.what}: ${String(error)}`), Number.NaN));
    if (Number.isNaN(rows)) continue;
    const allowed = change.outcome === 'acknowledged' ? [change.rows] : change.outcome === 'refused' ? [0] : [0, change.rows];
    if (!allowed.includes(rows)) faults.push(`${change.what} (${change.outcome}): ${rows} of ${change.rows} rows exist`);
  }
  for (const [name, allowed] of ledger.labels) {
    const { url, cookie, projectId } = caller;
    const { versions } = await read(`${url}/v1/prompts/${name}/versions?limit=200&projectId=${projectId}`, { cookie });
    const labelled = (versions as Array<{ version: number; labels: string[] }>).filter(({ labels }) =>
      labels.includes('production'),
    );
    const at = labelled.length === 0 ? 0 : (labelled[0]?.version ?? 0);
    if (labelled.length > 1 || !allowed.includes(at))
      faults.push(`${name}: production is on ${at}, and should be on ${allowed.join(' or ')}`);
  }
}

/** Compares the quota's count with the acknowledged requests, each counted once. */
export async function compareUsage(caller: Caller, ledger: Ledger, before: number, faults: string[]): Promise<void> {
  const { quota } = await read(`${caller.url}/v1/projects/${caller.projectId}/ingest-health`, { cookie: caller.cookie });
  const entries = [...ledger.traces.values()].flat();
  const events = (wanted: (entry: SentEvents) => boolean) =>
    entries.filter(wanted).reduce((sum, { spans, scores }) => sum + spans.length + scores.length, 0);
  const least = before + events(({ outcome }) => outcome === 'acknowledged');
  const most = before + events(({ outcome }) => outcome !== 'refused');
  if (quota.used < least || quota.used > most) faults.push(`the quota counts ${quota.used} events, and not ${least} to ${most}`);
}
