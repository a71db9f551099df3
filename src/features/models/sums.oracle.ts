import type { ScoreRecord, SpanRecord } from '../records/index.ts';

// Sums and percentiles of the oracles.

export interface Call {
  span: SpanRecord;
  agent: string;
  operation: string;
  day: string;
  /** Milliseconds; null while the call runs. */
  durationMs: number | null;
}

export interface Evaluation {
  score: ScoreRecord;
  model: string;
  environment: string;
  day: string;
}

/** docs/semantics.md, "Percentiles", without the rounding of durations. */
export function percentile(calls: readonly Call[], q: number): number {
  const durations = calls
    .flatMap(({ durationMs }) => (durationMs === null ? [] : [durationMs]))
    .toSorted((left, right) => left - right);
  return durations[Math.floor(q * (durations.length - 1))] ?? 0;
}

export const failed = (calls: readonly Call[]) => calls.filter(({ span }) => span.status === 'error');
/** docs/semantics/costs.md, "Cost of a span": the calls that are missing in a cost. */
export const missing = (calls: readonly Call[]) => {
  const of = (status: string) => calls.filter(({ span }) => span.costStatus === status).length;
  return { unpriced_calls: of('unpriced'), partly_priced_calls: of('partly_priced') };
};
export const cost = (calls: readonly Call[]) => sum(calls, ({ span }) => span.costUsd);

export function averageLatency(calls: readonly Call[]): number {
  const finished = calls.filter(({ durationMs }) => durationMs !== null);
  return finished.length === 0 ? 0 : sum(finished, ({ durationMs }) => durationMs) / finished.length;
}

export function averageTtft(calls: readonly Call[]): number | null {
  const reporting = calls.filter(({ span }) => span.timeToFirstTokenMs !== null);
  return reporting.length === 0 ? null : sum(reporting, ({ span }) => span.timeToFirstTokenMs) / reporting.length;
}

/** The evaluations that count over several evaluators: docs/semantics.md, "Quality". */
export const measuringQuality = (evaluations: readonly Evaluation[]) => evaluations.filter(({ score }) => score.isQuality);

/** The mean of scores that each lie on a scale of their own, moved to the scale from 0 to 1; null without any. */
export function meanQuality(evaluations: readonly Evaluation[]): number | null {
  const counted = measuringQuality(evaluations);
  const shares = counted.map(({ score: { score, scaleMin, scaleMax } }) => (score - scaleMin) / (scaleMax - scaleMin));
  return shares.length === 0 ? null : sum(shares, (share) => share) / shares.length;
}

export function sum<T>(rows: readonly T[], of: (row: T) => number | null): number {
  return rows.reduce((total, row) => total + (of(row) ?? 0), 0);
}

export function groups<T>(rows: readonly T[], of: (row: T) => string): Array<[string, T[]]> {
  return [...Map.groupBy(rows, of)];
}

/** Orders by code point. */
export function codePoints(left: string, right: string): number {
  const [ofLeft, ofRight] = [[...left], [...right]];
  for (const [index, character] of ofLeft.entries()) {
    const difference = (character.codePointAt(0) ?? 0) - (ofRight[index]?.codePointAt(0) ?? -1);
    if (difference !== 0) return difference;
  }
  return ofLeft.length - ofRight.length;
}
