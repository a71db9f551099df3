import { randomBytes } from 'node:crypto';
import type { Ledger } from '../crash/crash-round.ts';
import type { Service } from '../../support/service.ts';

export interface Answer {
  status: number;
  retryAfter: string | null;
  body: unknown;
  /** Duration in milliseconds. */
  took: number;
}

/** Sends a request. A body that is not JSON is returned as text. */
export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const startedAt = performance.now();
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(60_000) });
  const text = await response.text();
  const json = response.headers.get('content-type')?.startsWith('application/json') === true;
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: json ? JSON.parse(text) : text,
    took: performance.now() - startedAt,
  };
}

export function newLedger(number: number): Ledger {
  return {
    traceId: String(number).padStart(32, '0'),
    model: `model-${number}`,
    sent: new Set(),
    acknowledged: new Set(),
  };
}

/** Sends one request of `count` spans and records in the ledger which were acknowledged. */
export async function sendSpans(service: Service, ledger: Ledger, count: number, bytesEach = 16): Promise<Answer> {
  const spanIds = Array.from({ length: count }, () => randomBytes(8).toString('hex'));
  for (const spanId of spanIds) ledger.sent.add(spanId);
  const startTime = new Date().toISOString();
  const { traceId, model } = ledger;
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
      // Random, so that it cannot be compressed.
      input: randomBytes(bytesEach / 2).toString('hex'),
    }),
  );
  const answer = await ask(`${service.url}/v1/ingest`, {
    method: 'POST',
    headers: { 'x-api-key': service.apiKey, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  });
  if (answer.status === 202) for (const spanId of spanIds) ledger.acknowledged.add(spanId);
  return answer;
}

/** Sends large requests until one is refused; resolves with that answer. */
export async function fillLog(service: Service, ledger: Ledger): Promise<Answer> {
  for (let request = 0; request < 40; request++) {
    const answer = await sendSpans(service, ledger, 10, 100_000);
    if (answer.status !== 202) return answer;
  }
  throw new Error('the log took 40 MB and is not full');
}

/** The value of a metric without labels. */
export async function metric(service: Service, name: string): Promise<number> {
  const { body } = await ask(`${service.url}/metrics`);
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(String(body))?.[1]);
}
