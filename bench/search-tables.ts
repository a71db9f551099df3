import type { ClickHouse } from '../src/platform/clickhouse/index.ts';
import { spanHeaders } from '../src/features/trace-store/tables/span-headers.ts';

/** Spans of a trace. */
const spansATrace = 8;
const portion = 250_000;
const days = 28;

const syllables =
  'ba co di fe gu ha jo ki le mu na po qui re si ta ux ve wo xe yi zo bra cle dri fro gla sti tra plo ment tion'.split(' ');
const count = syllables.length;
/** Words of the texts; that of rank `r` is about every `11 r`th one. */
const ranks = 59_874;

/** The word of a rank, from 1 on. */
export function wordOf(rank: number): string {
  const [first, second] = [syllables[rank % count] ?? '', syllables[Math.floor(rank / count) % count] ?? ''];
  if (rank < 1024) return first + second;
  return first + second + (syllables[Math.floor(rank / 1024) % count] ?? '') + (syllables[Math.floor(rank / 5000) % count] ?? '');
}

/** A word that one span in a million has. */
export const rareWord = 'zanzibarword';

const list = `[${syllables.map((syllable) => `'${syllable}'`).join(', ')}]`;
const syllableSql = (index: string) => `${list}[${index} % ${count} + 1]`;
const wordSql = (rank: string) =>
  `concat(${syllableSql(rank)}, ${syllableSql(`intDiv(${rank}, ${count})`)}, if(${rank} >= 1024, concat(${syllableSql(`intDiv(${rank}, 1024)`)}, ${syllableSql(`intDiv(${rank}, 5000)`)}), ''))`;
/** A text of 40 words, whose ranks are distributed as in a language. */
const textSql = (salt: string) =>
  `arrayStringConcat(arrayMap(i -> ${wordSql(`toUInt32(exp((cityHash64(number, i, '${salt}') % 1000000) / 1000000 * ln(${ranks})))`)}, range(40)), ' ')`;
const pick = (values: string, index: string) => `[${values}][${index} + 1]`;

/**
 * Fills `spans`, `span_headers`, `traces` and `calls` with spans of {@link days} days, of 8 a trace and 80 words each; every fifth has an id of its own in its text.
 *
 * @param nowMs end of the days, epoch milliseconds
 */
export async function fillSearchTables(clickhouse: ClickHouse, project: string, spans: number, nowMs: number): Promise<void> {
  const stepMs = Math.floor((days * 86_400_000) / (spans / spansATrace));
  const parameters = { project, first: nowMs - days * 86_400_000 };
  for (let at = 0; at < spans; at += portion) {
    const start = `fromUnixTimestamp64Milli({first:Int64} + toInt64(intDiv(number, ${spansATrace})) * ${stepMs} + toInt64(s) * 300)`;
    await clickhouse.command(
      `INSERT INTO spans (project_id, trace_id, span_id, version, parent_span_id, name, kind, start_time, end_time, status, error_code, error_message, model,
         provider, agent_name, session_id, user_id, environment, tags, input_tokens, output_tokens, cost_usd, cost_status, source, input_preview, output_preview, input, output)
       WITH number % ${spansATrace} AS s, intDiv(number, ${spansATrace}) AS t, s IN (1, 3, 5) AS is_call, cityHash64(number, 'e') % 40 = 0 AS failed,
         concat('{"role":"user","content":"', ${textSql('i')}, if(cityHash64(number, 'u') % 5 = 0, concat(' call_', lower(hex(cityHash64(number, 'id')))), ''),
           if(number % 1000003 = 7, ' ${rareWord}', ''), '"}') AS asked, concat('{"role":"assistant","content":"', ${textSql('o')}, '"}') AS answered
       SELECT {project:UUID}, lower(hex(sipHash128(t))), lower(hex(sipHash64(number))), number + 1, if(s = 0, '', lower(hex(sipHash64(t * ${spansATrace})))),
         if(s = 0, concat('run-', toString(t % 20)), concat('step-', toString(cityHash64(t) % 30))), ${pick("'agent', 'llm', 'tool', 'llm', 'tool', 'llm', 'chain', 'retriever'", 's')},
         ${start} AS started, started + toIntervalMillisecond(cityHash64(number, 'd') % 3000), if(failed, 'error', 'ok'),
         if(failed, ${pick("'timeout', 'rate_limit', 'server_error'", "cityHash64(number, 'c') % 3")}, ''), if(failed, concat('request ', toString(number), ' failed'), ''),
         if(is_call, concat('model-', toString(cityHash64(number, 'm') % 12)), ''), if(is_call, ${pick("'openai', 'anthropic', 'google'", "cityHash64(number, 'm') % 3")}, ''),
         if(s = 0, concat('agent-', toString(t % 20)), ''), if(t % 3 = 0, concat('session-', toString(intDiv(t, 6))), ''), concat('user-', toString(cityHash64(t, 'us') % 50000)),
         ${pick("'production', 'staging', 'dev'", 't % 3')}, [concat('tag-', toString(t % 11))], if(is_call, cityHash64(number, 'it') % 5000, NULL),
         if(is_call, cityHash64(number, 'ot') % 800, NULL), if(is_call, cityHash64(number, 'co') % 1000 / 1e5, NULL), if(is_call, 'priced', ''), 'otlp',
         left(asked, 200), left(answered, 200), asked, answered
       FROM numbers(${at}, ${Math.min(portion, spans - at)})`,
      parameters,
    );
  }
  await fillHeaders(clickhouse, nowMs);
  await clickhouse.command(
    `INSERT INTO calls (project_id, hour, trace_id, span_id, version, start_time, model, provider, environment, error, error_code, finished, duration_ms, cost, input_tokens, output_tokens)
     SELECT project_id, toStartOfHour(start_time), trace_id, span_id, version, start_time, model, provider, environment, status = 'error', error_code, 1, 1000, cost_usd, input_tokens, output_tokens
     FROM spans WHERE kind = 'llm'`,
  );
  await clickhouse.command(
    `INSERT INTO traces (project_id, start_time, trace_id, version, name, end_time, duration_ms, session_id, user_id, environment, tags, error, error_count, span_count, call_count,
       models, agents, cost, oldest_time, newest_time)
     SELECT project_id, min(start_time) AS first, trace_id, 1, anyIf(name, parent_span_id = ''), max(end_time), 1000, any(session_id), any(user_id), any(environment), any(tags),
       max(status = 'error'), countIf(status = 'error'), count(), countIf(kind = 'llm'), groupUniqArrayIf(model, model != ''), groupUniqArrayIf(agent_name, agent_name != ''),
       sum(cost_usd), first, max(start_time)
     FROM spans GROUP BY project_id, trace_id SETTINGS max_bytes_before_external_group_by = 1000000000`,
  );
}

/** Days of spans that are copied at a time, so that the parts follow each other in time as those of batches do. */
const daysAtATime = 2;

async function fillHeaders(clickhouse: ClickHouse, nowMs: number): Promise<void> {
  const columns = spanHeaders.columns.join(', ');
  for (let day = days; day > 0; day -= daysAtATime) {
    const first = nowMs - day * 86_400_000;
    // The last spans of a trace may be dated ahead.
    const ahead = day <= daysAtATime ? 86_400_000 : 0;
    await clickhouse.command(
      `INSERT INTO span_headers (${columns}) SELECT ${columns} FROM spans
       WHERE start_time >= fromUnixTimestamp64Milli({first:Int64}) AND start_time < fromUnixTimestamp64Milli({before:Int64})
       SETTINGS max_insert_threads = 1, min_insert_block_size_rows = 1000000, max_insert_block_size = 1000000`,
      { first, before: first + daysAtATime * 86_400_000 + ahead },
    );
  }
}
