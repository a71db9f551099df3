import { sendJson } from './api.ts';
import type { SenderOptions } from './event-load.ts';
import type { Outcome } from './ledger.ts';
import { hourMs } from '../../../src/contract/durations.ts';

/** Reads end two days ahead of the service's clock, which may have been set back since by some days. */
const agoMs = 5 * 24 * hourMs;
const maxOutcomes = 12;

/** Reports outcomes of a trace, which may have no spans yet. @returns the status; null when the connection broke */
export async function sendOutcomes(options: SenderOptions, traceId: string): Promise<number | null> {
  const { ledger, random } = options;
  const kind = `request-${String(ledger.nextRequest()).padStart(6, '0')}`;
  const count = random.chance(0.5) ? 1 : random.whole(2, maxOutcomes);
  const entry = { traceId, kind, count, outcome: 'unknown' as Outcome };
  ledger.outcomes.push(entry);
  const outcomes = Array.from({ length: count }, (_, index) => ({ ...outcomeOf(options, traceId), kind, value: 2 ** index }));
  const { status, outcome } = await report(options, { outcomes });
  entry.outcome = outcome;
  return status;
}

/** Reports an outcome that replaces the earlier ones of its trace that this function reported. */
export async function sendKeyedOutcome(options: SenderOptions, traceId: string): Promise<number | null> {
  const { ledger } = options;
  const kind = `keyed-${traceId}`;
  const value = ledger.nextRequest();
  const known = ledger.keyedOutcomes.get(kind) ?? { traceId, allowed: [null] };
  const before = known.allowed;
  known.allowed = [...before, value];
  ledger.keyedOutcomes.set(kind, known);
  const { status, outcome } = await report(options, { ...outcomeOf(options, traceId), kind, value, idempotencyKey: kind });
  if (outcome === 'acknowledged') known.allowed = [value];
  if (outcome === 'refused') known.allowed = before;
  return status;
}

function outcomeOf({ random, nowMs }: SenderOptions, traceId: string) {
  const occurredAt = new Date(nowMs() - agoMs - random.whole(1, 40) * hourMs).toISOString();
  return { traceId, success: random.chance(0.5), occurredAt };
}

async function report({ caller, apiKey, ledger }: SenderOptions, body: object) {
  const path = '/v1/ingest/outcomes';
  const answer = await sendJson('POST', `${caller.url}${path}`, { 'x-api-key': apiKey }, body);
  const outcome = ledger.judge(path, answer?.status ?? null);
  if (outcome === 'acknowledged' && answer?.body.rejected.length > 0) ledger.judge(`${path} with outcomes rejected`, 400);
  return { status: answer?.status ?? null, outcome };
}
