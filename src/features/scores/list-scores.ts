import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ListedScore, ListScoresQuery } from '../../contract/scores.ts';
import { allOf } from '../../platform/clickhouse/index.ts';
import type { SqlPart } from '../../platform/clickhouse/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { decodeCursor, encodeCursor, invalidCursor } from '../../platform/keyset/index.ts';
import { readerFor } from './scores-context.ts';
import type { ScoresContext } from './scores-context.ts';
import { listedScore, scoreColumns, storedSources } from './stored-score.ts';
import type { ScoreRow } from './stored-score.ts';

/** Lower than any number of a score: one without a number is the lowest. */
const lowest = -1e300;
const keys = { timestamp: 'toFloat64(toUnixTimestamp64Milli(start_time))', score: `if(isNaN(score), ${lowest}, score)` } as const;

const position = z.tuple([z.string(), z.number(), z.string(), z.string()]);

/** One page of a project's scores (docs/semantics.md, "Scores of a project"). Errors: `invalid_request` for the cursor of another list. */
export async function listScores(
  context: ScoresContext,
  tenant: Tenant,
  { limit, cursor, sort, ...filters }: ListScoresQuery,
): Promise<{ scores: ListedScore[]; nextCursor: string | null }> {
  const list = createHash('sha256')
    .update(JSON.stringify([tenant.projectId, sort, filters]))
    .digest('base64url')
    .slice(0, 12);
  const descending = sort.startsWith('-');
  const key = keys[sort.endsWith('score') ? 'score' : 'timestamp'];
  const parts = conditionsOf(filters);
  if (cursor !== undefined) {
    const [name, value, scoreId, traceId] = decodeCursor(cursor, position);
    if (name !== list) throw invalidCursor('belongs to a list with other filters or order');
    parts.push({
      text: `(${key}, score_id, trace_id) ${descending ? '<' : '>'} ({value:Float64}, {afterScore:String}, {afterTrace:String})`,
      parameters: { value, afterScore: scoreId, afterTrace: traceId },
    });
  }
  const where = allOf(parts);
  const direction = descending ? 'DESC' : 'ASC';
  const rows = await readerFor(context, tenant).query<ScoreRow & { place: number }>(
    `SELECT ${scoreColumns}, ${key} AS place FROM scores FINAL
WHERE ${parts.length === 0 ? '1' : where.text}
ORDER BY place ${direction}, score_id ${direction}, trace_id ${direction}
LIMIT ${limit + 1}`,
    where.parameters,
  );
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    scores: page.map(listedScore),
    nextCursor: last ? encodeCursor([list, last.place, last.score_id, last.trace_id]) : null,
  };
}

function conditionsOf({
  evaluator,
  source,
  author,
  traceId,
}: Pick<ListScoresQuery, 'evaluator' | 'source' | 'author' | 'traceId'>): SqlPart[] {
  const parts: SqlPart[] = [];
  if (traceId !== undefined) parts.push({ text: 'trace_id = {trace:String}', parameters: { trace: traceId } });
  if (evaluator !== undefined) parts.push({ text: 'evaluator = {evaluator:String}', parameters: { evaluator } });
  if (source !== undefined)
    parts.push({ text: 'source IN {sources:Array(String)}', parameters: { sources: [...storedSources[source]] } });
  if (author !== undefined)
    parts.push({
      text: `source IN ('api', 'annotation') AND {author:String} IN (
    JSONExtractString(metadata, 'recordedBy', 'id'), JSONExtractString(metadata, 'recordedBy', 'name'))`,
      parameters: { author },
    });
  return parts;
}
