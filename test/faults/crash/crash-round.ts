import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { startService } from '../../support/service.ts';
import type { Service } from '../../support/service.ts';

/** The spans that a test sent to one trace, and which of them were acknowledged. */
export interface Ledger {
  traceId: string;
  model: string;
  sent: Set<string>;
  acknowledged: Set<string>;
}

const senders = 4;

/**
 * Starts the service, sends spans until it is killed, and keeps the ledger.
 *
 * @param killAfterMs delay of SIGKILL; null when the service kills itself at a failpoint
 */
export async function crashRound(
  dataDirectory: string,
  ledger: Ledger,
  killAfterMs: number | null,
  failpoint?: string,
): Promise<void> {
  const service = await startService({
    dataDirectory,
    ...(failpoint === undefined ? {} : { env: { SPANWISE_FAILPOINT: failpoint } }),
  });
  const ended = new Promise<void>((resolve) => service.child.once('exit', () => resolve()));
  const sending = Promise.all(Array.from({ length: senders }, (_, sender) => send(service, ledger, sender)));
  if (killAfterMs === null) {
    const late = delay(10_000, 'late' as const, { ref: false });
    if ((await Promise.race([ended, late])) === 'late') service.child.kill('SIGKILL');
  } else {
    await delay(killAfterMs);
    service.child.kill('SIGKILL');
  }
  await ended;
  await sending;
}

/** Sends requests of a few spans in sequence until the connection breaks. */
async function send(service: Service, ledger: Ledger, sender: number): Promise<void> {
  for (let request = 0; request < 60; request++) {
    const spanIds = Array.from({ length: 1 + (request % 5) }, () => randomBytes(8).toString('hex'));
    for (const spanId of spanIds) ledger.sent.add(spanId);
    const startMs = Date.now() - request * 60_000;
    const { path, contentType, body } = (sender % 2 === 0 ? native : otlp)(ledger, spanIds, startMs);
    const response = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': service.apiKey, 'content-type': contentType, 'content-encoding': 'gzip' },
      body: new Uint8Array(gzipSync(body)),
    }).catch(() => null);
    if (response === null) return;
    if (response.ok) for (const spanId of spanIds) ledger.acknowledged.add(spanId);
    else if (response.status !== 429 && response.status !== 503) throw new Error(`ingestion answered ${response.status}`);
    await response.arrayBuffer().catch(() => null);
  }
}

interface Body {
  path: string;
  contentType: string;
  body: string;
}

function native({ traceId, model }: Ledger, spanIds: readonly string[], startMs: number): Body {
  const startTime = new Date(startMs).toISOString();
  const lines = spanIds.map((spanId) =>
    JSON.stringify({
      type: 'span',
      traceId,
      spanId,
      name: 'call',
      kind: 'llm',
      model,
      costUsd: 0.25,
      startTime,
      endTime: startTime,
    }),
  );
  return { path: '/v1/ingest', contentType: 'application/x-ndjson', body: lines.join('\n') };
}

function otlp({ traceId, model }: Ledger, spanIds: readonly string[], startMs: number): Body {
  const startTimeUnixNano = `${startMs}000000`;
  const attributes = [
    { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
    { key: 'gen_ai.request.model', value: { stringValue: model } },
    { key: 'gen_ai.usage.cost', value: { doubleValue: 0.25 } },
  ];
  const spans = spanIds.map((spanId) => ({
    traceId,
    spanId,
    name: 'call',
    startTimeUnixNano,
    endTimeUnixNano: startTimeUnixNano,
    attributes,
  }));
  return {
    path: '/v1/traces',
    contentType: 'application/json',
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
  };
}

/** Reads the ledger's trace and model after a restart. */
export async function stored(service: Service, ledger: Ledger): Promise<{ spanIds: string[]; calls: number; cost: number }> {
  const { cookie, projectId } = await service.signIn();
  await drained(service, projectId);
  const headers = { cookie };
  const trace = await fetch(`${service.url}/v1/projects/${projectId}/traces/${ledger.traceId}`, { headers });
  const { spans } = (trace.status === 200 ? await trace.json() : { spans: [] }) as { spans: Array<{ spanId: string }> };
  const model = await fetch(`${service.url}/v1/projects/${projectId}/models/${ledger.model}`, { headers });
  const { summary } = (await model.json()) as { summary: { total_calls: number; total_cost: number } | null };
  return { spanIds: spans.map((span) => span.spanId), calls: summary?.total_calls ?? 0, cost: summary?.total_cost ?? 0 };
}

async function drained(service: Service, projectId: string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const health = await fetch(`${service.url}/v1/projects/${projectId}/ingest-health`, {
      headers: { 'x-api-key': service.apiKey },
    });
    if (((await health.json()) as { pendingEvents: number }).pendingEvents === 0) return;
    await delay(50);
  }
  throw new Error('the log was not drained in 15 s');
}

/** Throws when an acknowledged span is lost, or a stored one was never sent, is duplicated or miscounted. */
export function compare(ledger: Ledger, found: { spanIds: string[]; calls: number; cost: number }): void {
  const unique = new Set(found.spanIds);
  const lost = [...ledger.acknowledged].filter((spanId) => !unique.has(spanId));
  const unknown = found.spanIds.filter((spanId) => !ledger.sent.has(spanId));
  const facts = { lost: lost.length, unknown: unknown.length, doubled: found.spanIds.length - unique.size };
  if (lost.length > 0 || unknown.length > 0 || facts.doubled > 0)
    throw new Error(`wrong after a crash: ${JSON.stringify(facts)}`);
  if (found.calls !== unique.size || Math.abs(found.cost - unique.size * 0.25) > 1e-9) {
    throw new Error(`${unique.size} spans are stored, but the model page counts ${found.calls} calls and $${found.cost}`);
  }
}
