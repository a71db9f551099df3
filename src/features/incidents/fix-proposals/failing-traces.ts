import type { TenantReader } from '../../../platform/clickhouse/index.ts';
import { cutText } from '../../../platform/text/index.ts';

/** Characters of all traces together, and of one. */
const maxLength = 120_000;
const maxTraceLength = 20_000;
/** Characters of one payload, error message or comment. */
const maxPayload = 4_000;
const maxMessage = 1_000;
/** Spans of each sort, and scores, of one trace. */
const maxSpans = 2;
const maxScores = 10;

/** Which spans of a trace are shown: its own record, calls of the prompt (failed ones first), other failed spans, and the root. */
const shownSpansSql = `SELECT trace_id, span_id,
  multiIf(span_id = '', 'trace', prompt_name = {prompt:String}, 'prompt call', status = 'error', 'failed span', 'root span') AS sort
FROM spans FINAL
PREWHERE trace_id IN {traces:Array(String)}
WHERE span_id = '' OR prompt_name = {prompt:String} OR status = 'error' OR parent_span_id = ''
ORDER BY trace_id, sort, status != 'error', start_time, span_id
LIMIT ${maxSpans} BY trace_id, sort`;

const spanTextsSql = `SELECT trace_id, span_id, name, error_code, substringUTF8(error_message, 1, ${maxMessage}) AS error_message,
  substringUTF8(spans.input, 1, ${maxPayload + 1}) AS input, substringUTF8(spans.output, 1, ${maxPayload + 1}) AS output
FROM spans FINAL
PREWHERE (trace_id, span_id) IN arrayZip({traces:Array(String)}, {spans:Array(String)})`;

const traceScoresSql = `SELECT trace_id, evaluator, score, passed, substringUTF8(comment, 1, ${maxMessage}) AS comment
FROM scores FINAL
WHERE trace_id IN {traces:Array(String)} AND NOT isNaN(score)
ORDER BY trace_id, ifNull(passed, 1), start_time DESC, score_id
LIMIT ${maxScores} BY trace_id`;

interface ShownRow {
  trace_id: string;
  span_id: string;
  sort: string;
}

interface TextRow {
  trace_id: string;
  span_id: string;
  name: string;
  error_code: string;
  error_message: string;
  input: string;
  output: string;
}

interface ScoreRow {
  trace_id: string;
  evaluator: string;
  score: number;
  passed: number | null;
  comment: string;
}

/**
 * One text for each trace that is still stored, in the order given: input, output and errors of some spans, and scores with comments. Together
 * at most 120,000 characters.
 */
export async function readFailingTraces(
  reader: TenantReader,
  traceIds: readonly string[],
  promptName: string,
): Promise<string[]> {
  if (traceIds.length === 0) return [];
  const traces = [...traceIds];
  const shown = await reader.query<ShownRow>(shownSpansSql, { traces, prompt: promptName });
  const [texts, scores] = await Promise.all([
    reader.query<TextRow>(spanTextsSql, { traces: shown.map((row) => row.trace_id), spans: shown.map((row) => row.span_id) }),
    reader.query<ScoreRow>(traceScoresSql, { traces }),
  ]);
  const textOf = new Map(texts.map((row) => [keyOf(row), row]));
  const share = Math.min(maxTraceLength, Math.floor(maxLength / traceIds.length));
  return traceIds.flatMap((traceId) => {
    const lines = [
      ...scores.filter((row) => row.trace_id === traceId).map(scoreLine),
      ...shown.filter((row) => row.trace_id === traceId).flatMap((row) => spanLines(row, textOf.get(keyOf(row)))),
    ];
    return lines.length === 0 ? [] : [cutText(lines.join('\n'), share, '\n[... cut]')];
  });
}

function scoreLine({ evaluator, score, passed, comment }: ScoreRow): string {
  const outcome = passed === null ? '' : passed === 1 ? ', passed' : ', failed';
  return `score of ${evaluator}: ${score}${outcome}${comment === '' ? '' : `: ${comment}`}`;
}

function spanLines({ sort }: ShownRow, text: TextRow | undefined): string[] {
  if (!text) return [];
  const { name, error_code: code, error_message: message, input, output } = text;
  const error = [code, message].filter((part) => part !== '').join(': ');
  return [
    `${sort} ${name}`,
    ...(error === '' ? [] : [`error: ${error}`]),
    ...(input === '' ? [] : [`input: ${cutText(input, maxPayload, '[... cut]')}`]),
    ...(output === '' ? [] : [`output: ${cutText(output, maxPayload, '[... cut]')}`]),
  ];
}

function keyOf({ trace_id: traceId, span_id: spanId }: Pick<TextRow, 'trace_id' | 'span_id'>): string {
  return JSON.stringify([traceId, spanId]);
}
