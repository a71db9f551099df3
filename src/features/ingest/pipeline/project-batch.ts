import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import type { DerivedRows } from './derived-rows.ts';
import type { ScoreOutline } from './score-row.ts';
import type { SpanOutline } from './span-row.ts';
import { storedScores, storedScoresById, storedSpans } from './stored-outlines.ts';
import { viewTrace } from './trace-view.ts';
import type { Quality } from './trace-view.ts';

/** A score's row that no longer holds, because the score is about another trace now. */
export interface AbandonedScore {
  projectId: string;
  traceId: string;
  scoreId: string;
  timestampMs: number;
}

/**
 * Works out what a batch changes in one project: looks up what is stored of the traces it touches, views each trace as it was and
 * as it becomes, and adds the differences to `derived`.
 *
 * @returns the score rows that the batch leaves behind under an earlier trace
 */
export async function deriveProjectBatch(
  clickhouse: ClickHouse,
  projectId: string,
  batch: { spans: readonly SpanOutline[]; scores: readonly ScoreOutline[] },
  derived: DerivedRows,
): Promise<AbandonedScore[]> {
  const latestScores = latest(batch.scores, (score) => score.scoreId);
  const storedById = await storedScoresById(clickhouse, projectId, [...latestScores.keys()]);
  const traceIds = new Set<string>();
  for (const { traceId } of [...batch.spans, ...batch.scores, ...storedById]) if (traceId !== '') traceIds.add(traceId);
  const ids = [...traceIds];
  const [spansBefore, scoresBefore] = await Promise.all([
    storedSpans(clickhouse, projectId, ids),
    storedScores(clickhouse, projectId, ids),
  ]);
  const spansNow = byTrace(batch.spans);
  const scoresNow = byTrace([...latestScores.values()]);
  const qualityBefore = new Map<string, Quality>();
  const qualityAfter = new Map<string, Quality>();
  for (const score of storedById) if (score.traceId === '') addAll(qualityBefore, viewTrace([], [score]).quality);
  for (const score of scoresNow.get('') ?? []) addAll(qualityAfter, viewTrace([], [score]).quality);
  for (const traceId of ids) {
    const oldSpans = spansBefore.get(traceId) ?? [];
    const oldScores = scoresBefore.get(traceId) ?? [];
    const before = viewTrace(oldSpans, oldScores);
    const staying = oldScores.filter((score) => (latestScores.get(score.scoreId)?.traceId ?? traceId) === traceId);
    const after = viewTrace(
      [...latest([...oldSpans, ...(spansNow.get(traceId) ?? [])], (span) => span.spanId).values()],
      [...latest([...staying, ...(scoresNow.get(traceId) ?? [])], (score) => score.scoreId).values()],
    );
    derived.add(projectId, traceId, before, after);
    addAll(qualityBefore, before.quality);
    addAll(qualityAfter, after.quality);
  }
  derived.addQuality(projectId, qualityBefore, qualityAfter);
  return abandonedScores([...storedById, ...batch.scores], latestScores);
}

/** Of several versions under one key the one with the highest version. */
function latest<T extends { version: number }>(rows: readonly T[], key: (row: T) => string): Map<string, T> {
  const found = new Map<string, T>();
  for (const row of rows) {
    const other = found.get(key(row));
    if (!other || row.version >= other.version) found.set(key(row), row);
  }
  return found;
}

function byTrace<T extends { traceId: string }>(rows: readonly T[]): Map<string, T[]> {
  const grouped = new Map<string, T[]>();
  for (const row of rows) {
    const group = grouped.get(row.traceId);
    if (group) group.push(row);
    else grouped.set(row.traceId, [row]);
  }
  return grouped;
}

function addAll(into: Map<string, Quality>, from: ReadonlyMap<string, Quality>): void {
  for (const [scoreId, quality] of from) into.set(scoreId, quality);
}

function abandonedScores(known: readonly ScoreOutline[], latestScores: ReadonlyMap<string, ScoreOutline>): AbandonedScore[] {
  const abandoned = known.filter((score) => latestScores.get(score.scoreId)?.traceId !== score.traceId);
  return abandoned.map(({ projectId, traceId, scoreId, timestampMs }) => ({ projectId, traceId, scoreId, timestampMs }));
}
