import type { GuardrailActivity } from '../../../contract/guardrails.ts';

type Action = 'allow' | 'flag' | 'redact' | 'block';

/** A check as it happened. */
export interface HappenedCheck {
  atMs: number;
  environment: string;
  action: Action;
  results: Array<{ guardrail: string; type: string; action: Action; failed: boolean; skipped: boolean; latencyMs: number }>;
}

/** A report as it was sent, alone in its request; a later one with the same id replaces it. */
export interface SentReport {
  reportId: string;
  guardrail: string;
  atMs: number;
  environment: string;
  checks: number;
  flagged: number;
  redacted: number;
  blocked: number;
  failed: number;
}

const names = { flag: 'flagged', redact: 'redacted', block: 'blocked' } as const;

/** The activity of a range, counted one by one. Latencies are those of the checks, not rounded. */
export function activityOracle(
  checks: readonly HappenedCheck[],
  reports: readonly SentReport[],
  range: { fromMs: number; toMs: number },
): GuardrailActivity {
  const inRange = ({ atMs }: { atMs: number }) => atMs >= range.fromMs && atMs <= range.toMs;
  const totals = { checks: 0, allowed: 0, flagged: 0, redacted: 0, blocked: 0, failed: 0 };
  const days = new Map<string, GuardrailActivity['timeline'][number]>();
  const rows = new Map<string, GuardrailActivity['byGuardrail'][number]>();
  const latencies = new Map<string, number[]>();
  const dayOf = (atMs: number) => {
    const day = new Date(atMs).toISOString().slice(0, 10);
    const known = days.get(day) ?? { day, checks: 0, flagged: 0, redacted: 0, blocked: 0 };
    days.set(day, known);
    return known;
  };
  const rowOf = (guardrail: string, type: string) => {
    const none = { checks: 0, triggered: 0, flagged: 0, redacted: 0, blocked: 0, failed: 0, failedBlocked: 0, caught: 0 };
    const known = rows.get(guardrail) ?? { guardrail, type, ...none, p95LatencyMs: null };
    if (type !== '') known.type = type;
    rows.set(guardrail, known);
    return known;
  };
  for (const { atMs, action, results } of checks.filter(inRange)) {
    const day = dayOf(atMs);
    totals.checks += 1;
    day.checks += 1;
    if (action === 'allow') totals.allowed += 1;
    else {
      totals[names[action]] += 1;
      day[names[action]] += 1;
    }
    if (results.some(({ failed }) => failed)) totals.failed += 1;
    for (const result of results.filter(({ skipped }) => !skipped)) {
      const row = rowOf(result.guardrail, result.type);
      row.checks += 1;
      if (result.failed) row.failed += 1;
      if (result.action !== 'allow') {
        row.triggered += 1;
        row[names[result.action]] += 1;
      }
      latencies.set(result.guardrail, [...(latencies.get(result.guardrail) ?? []), result.latencyMs]);
    }
  }
  const latest = new Map(reports.map((report) => [report.reportId, report]));
  for (const report of [...latest.values()].filter(inRange)) {
    const day = report.checks > 0 ? dayOf(report.atMs) : null;
    const row = rowOf(report.guardrail, '');
    for (const field of ['checks', 'flagged', 'redacted', 'blocked', 'failed'] as const) {
      totals[field] += report[field];
      row[field] += report[field];
      if (day && field !== 'failed') day[field] += report[field];
    }
    totals.allowed += report.checks - report.flagged - report.redacted - report.blocked;
    row.triggered += report.flagged + report.redacted + report.blocked;
  }
  // No guardrail has a record, so that a failure blocks.
  for (const row of rows.values()) {
    row.failedBlocked = Math.min(row.failed, row.blocked);
    row.caught = row.triggered - row.failedBlocked;
  }
  for (const [guardrail, times] of latencies) {
    const row = rows.get(guardrail);
    if (row) row.p95LatencyMs = times.toSorted((a, b) => a - b)[Math.floor(0.95 * (times.length - 1))] ?? null;
  }
  return {
    totals,
    byGuardrail: [...rows.values()].toSorted((a, b) => (a.guardrail < b.guardrail ? -1 : 1)),
    timeline: [...days.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1)),
  };
}
