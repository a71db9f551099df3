import type { Quality } from '../tables/quality.ts';
import type { ScoreHeader } from '../tables/scores.ts';
import type { SpanHeader } from '../tables/spans.ts';
import { noTagChanges } from '../tables/trace-tags.ts';
import type { DerivedRows } from './derived-rows.ts';
import type { StoredTrace } from './stored-trace.ts';
import type { StoredTraces } from './stored-traces.ts';
import { viewTrace } from './trace-view.ts';

/** An obsolete row of a score that has moved to another trace. */
export interface AbandonedScore {
  projectId: string;
  traceId: string;
  scoreId: string;
  timestampMs: number;
}

/**
 * Derives the changes of a batch in one project: looks up the stored rows of its traces, computes the view of each trace before and
 * after the batch, and adds the differences to `derived`.
 *
 * @returns obsolete score rows under earlier traces, and the traces as they are after the batch
 */
export async function deriveProjectBatch(
  stored: StoredTraces,
  projectId: string,
  batch: { spans: readonly SpanHeader[]; scores: readonly ScoreHeader[] },
  derived: DerivedRows,
): Promise<{ abandoned: AbandonedScore[]; traces: StoredTrace[] }> {
  const latestScores = latest(batch.scores, (score) => score.scoreId);
  const storedById = await stored.scoresById(projectId, latestScores.keys());
  const traceIds = new Set<string>();
  for (const { traceId } of [...batch.spans, ...batch.scores, ...storedById]) if (traceId !== '') traceIds.add(traceId);
  const before = await stored.traces(projectId, traceIds);
  const spansNow = byTrace(batch.spans);
  const scoresNow = byTrace([...latestScores.values()]);
  const qualityBefore = new Map<string, Quality>();
  const qualityAfter = new Map<string, Quality>();
  for (const score of storedById) if (score.traceId === '') addAll(qualityBefore, viewTrace([], [score]).quality);
  for (const score of standing(scoresNow.get('') ?? [])) addAll(qualityAfter, viewTrace([], [score]).quality);
  const traces: StoredTrace[] = [];
  for (const traceId of traceIds) {
    const old = before.get(traceId) ?? nothing;
    const staying = old.scores.filter((score) => (latestScores.get(score.scoreId)?.traceId ?? traceId) === traceId);
    const versions = [...old.spans, ...(spansNow.get(traceId) ?? [])];
    const trace: StoredTrace = {
      projectId,
      traceId,
      spans: [...latest(versions, (span) => span.spanId).values()],
      scores: standing([...latest([...staying, ...(scoresNow.get(traceId) ?? [])], (score) => score.scoreId).values()]),
      tags: old.tags,
    };
    traces.push(trace);
    const viewBefore = old === nothing ? viewOfNothing : viewTrace(old.spans, old.scores, old.tags);
    const viewAfter = viewTrace(trace.spans, trace.scores, trace.tags);
    derived.add(projectId, traceId, viewBefore, viewAfter);
    derived.addStarts(projectId, versions, trace.spans);
    addAll(qualityBefore, viewBefore.quality);
    addAll(qualityAfter, viewAfter.quality);
  }
  derived.addQuality(projectId, qualityBefore, qualityAfter);
  return { abandoned: abandonedScores([...storedById, ...batch.scores], latestScores), traces };
}

const nothing: Pick<StoredTrace, 'spans' | 'scores' | 'tags'> = { spans: [], scores: [], tags: noTagChanges };
const viewOfNothing = viewTrace([], []);

/** The row with the highest version of each key. */
function latest<T extends { version: number }>(rows: readonly T[], key: (row: T) => string): Map<string, T> {
  const found = new Map<string, T>();
  for (const row of rows) {
    const other = found.get(key(row));
    if (!other || row.version >= other.version) found.set(key(row), row);
  }
  return found;
}

/** The scores that are not withdrawn. */
function standing(scores: readonly ScoreHeader[]): ScoreHeader[] {
  return scores.filter((score) => !score.withdrawn);
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

function abandonedScores(known: readonly ScoreHeader[], latestScores: ReadonlyMap<string, ScoreHeader>): AbandonedScore[] {
  const abandoned = known.filter((score) => latestScores.get(score.scoreId)?.traceId !== score.traceId);
  return abandoned.map(({ projectId, traceId, scoreId, timestampMs }) => ({ projectId, traceId, scoreId, timestampMs }));
}
