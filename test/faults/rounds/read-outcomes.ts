import { setTimeout as delay } from 'node:timers/promises';
import { read } from './api.ts';
import type { Caller } from './api.ts';
import type { Ledger } from './ledger.ts';

interface Found {
  kind: string;
  count: number;
  value: number;
}

/** Longer than the time between two batches: outcomes are no pending events. */
const patienceMs = 15_000;
const aroundMs = 60 * 86_400_000;

/** Compares the outcomes with the ledger. Requests with an unknown outcome are stored completely or not at all. */
export async function readOutcomes(caller: Caller, ledger: Ledger, nowMs: number, faults: string[]): Promise<void> {
  for (const deadline = performance.now() + patienceMs; ;) {
    const wrong = compareOutcomes(await storedOutcomes(caller, nowMs), ledger);
    if (wrong.length === 0) return;
    if (performance.now() > deadline) {
      faults.push(...wrong);
      return;
    }
    await delay(250);
  }
}

async function storedOutcomes({ url, cookie, projectId }: Caller, nowMs: number): Promise<Map<string, Found>> {
  const [from, to] = [nowMs - aroundMs, nowMs + aroundMs].map((ms) => new Date(ms).toISOString());
  const { totals, truncated } = await read(`${url}/v1/projects/${projectId}/outcomes/summary?from=${from}&to=${to}`, { cookie });
  if (truncated) throw new Error('the summary of the outcomes is truncated');
  return new Map((totals as Found[]).map((row) => [row.kind, row]));
}

function compareOutcomes(found: ReadonlyMap<string, Found>, ledger: Ledger): string[] {
  const faults: string[] = [];
  for (const { traceId, kind, count, outcome } of ledger.outcomes) {
    const row = found.get(kind);
    const whole = row?.count === count && row.value === 2 ** count - 1;
    const mayBeGone = outcome !== 'acknowledged' || ledger.deletions.has(traceId);
    const mayBeThere = outcome !== 'refused' && ledger.deletions.get(traceId) !== 'acknowledged';
    if (row ? !whole || !mayBeThere : !mayBeGone)
      faults.push(`${traceId}: the outcomes ${kind} (${outcome}) are ${row ? `${row.count}, ${row.value}` : 'lost'} of ${count}`);
  }
  for (const [kind, { traceId, allowed }] of ledger.keyedOutcomes) {
    const row = found.get(kind);
    const deletion = ledger.deletions.get(traceId);
    const possible = deletion === 'acknowledged' ? [null] : deletion === undefined ? allowed : [...allowed, null];
    if ((row?.count ?? 1) !== 1 || !possible.includes(row?.value ?? null))
      faults.push(`${traceId}: the outcome of one key is ${JSON.stringify(row)}, and should be one of ${possible.join(', ')}`);
  }
  return faults;
}
