import type { Filter } from '../../../contract/filter/ast.ts';
import type { ClickHouse, SqlPart, TenantReader } from '../../../platform/clickhouse/index.ts';
import type { Clock } from '../../../platform/clock/clock.ts';
import { spansMeeting, tracesMeeting } from '../../traces/index.ts';
import type { Evaluator } from '../evaluator.ts';
import { hasExpression, namesKind, readableExpression } from './expression.ts';

/** Traces or sessions per query. */
const chunkSize = 1_000;

interface Met {
  keys: ReadonlySet<string>;
  namesKind: boolean;
}

const nothing: Met = { keys: new Set(), namesKind: false };

/** Which of the spans, traces or sessions that were looked at meet the expressions of evaluators. */
export class MetExpressions {
  /** By the id of an evaluator with an expression. */
  readonly #met: ReadonlyMap<string, Met>;

  constructor(met: ReadonlyMap<string, Met> = new Map()) {
    this.#met = met;
  }

  /** Whether a span meets the expression of an evaluator; true without one. */
  bySpan({ id }: Evaluator, traceId: string, spanId: string): boolean {
    const met = this.#met.get(id);
    return met === undefined || met.keys.has(spanKey(traceId, spanId));
  }

  /** Whether a trace, or a session, meets the expression of an evaluator; true without one. */
  byId({ id }: Evaluator, traceOrSessionId: string): boolean {
    const met = this.#met.get(id);
    return met === undefined || met.keys.has(traceOrSessionId);
  }

  /** Whether the expression of an evaluator has a term for the kind of spans. */
  namesKind({ id }: Evaluator): boolean {
    return this.#met.get(id)?.namesKind ?? false;
  }
}

const spanKey = (traceId: string, spanId: string) => `${traceId}\n${spanId}`;

/**
 * Reads what meets the expressions of evaluators. An expression that a later release does not read is met by nothing.
 *
 * @param looked the ids of the traces, of session evaluators those of the sessions, that each evaluator looks at
 */
export async function readMetExpressions(
  { clickhouse, clock }: { clickhouse: ClickHouse; clock: Clock },
  projectId: string,
  looked: ReadonlyMap<Evaluator, readonly string[]>,
): Promise<MetExpressions> {
  const reader = clickhouse.forTenant({ projectId, oldestMs: null });
  const met = new Map<string, Met>();
  const alike = Map.groupBy(
    [...looked].filter(([evaluator]) => hasExpression(evaluator)),
    ([{ filter, target }]) => JSON.stringify([target, filter.expression]),
  );
  // One after the other: each reads the spans of the batch.
  for (const same of alike.values()) {
    const ids = [...new Set(same.flatMap(([, own]) => own))];
    const found = await readMet(reader, same[0]?.[0], ids, clock.now());
    for (const [{ id }] of same) met.set(id, found);
  }
  return new MetExpressions(met);
}

/** The traces that each evaluator with an expression samples. @param sampled by trace id; see `sampledEvaluators` */
export function lookedAt(
  sampled: ReadonlyMap<string, readonly Evaluator[]>,
  evaluators: readonly Evaluator[],
): Map<Evaluator, string[]> {
  const looked = new Map(evaluators.filter(hasExpression).map((evaluator): [Evaluator, string[]] => [evaluator, []]));
  if (looked.size === 0) return looked;
  for (const [traceId, sampling] of sampled) for (const evaluator of sampling) looked.get(evaluator)?.push(traceId);
  return looked;
}

async function readMet(
  reader: TenantReader,
  evaluator: Evaluator | undefined,
  ids: readonly string[],
  nowMs: number,
): Promise<Met> {
  const expression = evaluator && readableExpression(evaluator, nowMs);
  if (!evaluator || !expression) return nothing;
  const keys = new Set<string>();
  for (let at = 0; at < ids.length; at += chunkSize) {
    const { text, parameters } = metSql(evaluator.target, expression, ids.slice(at, at + chunkSize));
    for (const { key } of await reader.query<{ key: string }>(text, parameters)) keys.add(key);
  }
  return { keys, namesKind: namesKind(expression) };
}

/** SQL of the keys, as column `key`, of what meets an expression. @param ids of traces; of sessions for target `session` */
export function metSql(target: Evaluator['target'], expression: Filter, ids: readonly string[]): SqlPart {
  const parameters = { looked: ids };
  const of = { text: 'SELECT arrayJoin({looked:Array(String)})', parameters };
  if (target === 'span') {
    const spans = spansMeeting(expression, of);
    return { text: `SELECT concat(trace_id, '\\n', span_id) AS key FROM (\n${spans.text}\n)`, parameters: spans.parameters };
  }
  if (target === 'trace') {
    const traces = tracesMeeting(expression, of);
    return { text: `SELECT trace_id AS key FROM (\n${traces.text}\n)`, parameters: traces.parameters };
  }
  // Rows that were replaced may have been of the session: the latest ones tell.
  const ofSessions = { text: 'SELECT trace_id FROM traces WHERE session_id IN {looked:Array(String)}', parameters };
  const traces = tracesMeeting(expression, ofSessions);
  return {
    text: `SELECT DISTINCT session_id AS key FROM (\n${traces.text}\n)\nWHERE session_id IN {looked:Array(String)}`,
    parameters: traces.parameters,
  };
}
