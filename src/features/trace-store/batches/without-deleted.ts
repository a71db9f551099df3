import { isBelow, storedTombstones } from '../derivation/stored-tombstones.ts';
import type { Tombstones } from '../derivation/stored-tombstones.ts';
import type { StoredRows } from '../derivation/stored-traces.ts';
import type { WrittenRows } from '../log/record-rows.ts';
import { scores } from '../tables/scores.ts';
import { spans } from '../tables/spans.ts';

interface ProjectRows extends WrittenRows {
  projectId: string;
}

/**
 * The records of a repeated batch without the rows that a later deletion or withdrawal replaced: a tombstone of a higher version is stored
 * under their key, so that no read would return them. Views derived from such rows would have keys for which the deletion wrote no tombstone,
 * since a trace's start and its calls depend on all of its spans.
 *
 * @returns the records in their order
 */
export async function withoutDeleted<Rows extends ProjectRows>(
  source: Pick<StoredRows, 'forTenant'>,
  records: readonly Rows[],
): Promise<Rows[]> {
  const tombstones = new Map<string, { spans: Tombstones; scores: Tombstones }>();
  for (const [projectId, ofProject] of Map.groupBy(records, (record) => record.projectId)) {
    const [ofSpans, ofScores] = await Promise.all([
      storedTombstones(
        source,
        projectId,
        'spans',
        ofProject.flatMap((record) => record.spans.map(({ traceId, spanId }) => ({ traceId, id: spanId }))),
      ),
      storedTombstones(
        source,
        projectId,
        'scores',
        ofProject.flatMap((record) => record.scores.map(({ traceId, scoreId }) => ({ traceId, id: scoreId }))),
      ),
    ]);
    if (ofSpans.size + ofScores.size > 0) tombstones.set(projectId, { spans: ofSpans, scores: ofScores });
  }
  return records.map((record) => {
    const found = tombstones.get(record.projectId);
    return found ? remaining(record, found.spans, found.scores) : record;
  });
}

function remaining<Rows extends ProjectRows>(record: Rows, ofSpans: Tombstones, ofScores: Tombstones): Rows {
  const spanStays = (span: Rows['spans'][number]) => !isBelow(ofSpans, span.traceId, span.spanId, span.version);
  const scoreStays = (score: Rows['scores'][number]) => !isBelow(ofScores, score.traceId, score.scoreId, score.version);
  return {
    ...record,
    rows: record.rows.map((rows) => ({
      ...rows,
      bytes:
        rows.table === 'spans'
          ? spans.filter(rows.bytes, spanStays)
          : rows.table === 'scores'
            ? scores.filter(rows.bytes, scoreStays)
            : rows.bytes,
    })),
    spans: record.spans.filter(spanStays),
    scores: record.scores.filter(scoreStays),
  };
}
