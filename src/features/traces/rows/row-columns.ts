import { ownAgent, spanNumbers } from '../filter/span-values.ts';
import { summaryNumbers } from '../filter/summary-conditions.ts';

/** What rows are: calls are the spans that count as such in the figures of models. */
export type RowSubject = 'calls' | 'spans' | 'traces';

/** What a row of `spans` is joined with. */
export type Joined = 'trace' | 'agent' | 'call';

interface Column {
  sql: string;
  /** Of a row of `spans`. */
  joined?: Joined;
}

const column = (sql: string, joined?: Joined): Column => ({ sql, ...(joined === undefined ? {} : { joined }) });

/** Output tokens a second from the first token, else from the start; NULL where there is no time, or no token. */
const speed = (latency: string, ttft: string, tokens: string) =>
  `if(isNull(${latency}) OR ${latency} <= ifNull(${ttft}, 0) OR ifNull(${tokens}, 0) = 0, NULL, ${tokens} * 1000 / (${latency} - ifNull(${ttft}, 0)))`;

/** The columns of `calls` that are read of a call. */
export const callColumns = {
  call_model: 'model',
  call_agent: 'agent_name',
  call_operation: 'operation',
  call_failed: 'error',
  call_cost: 'cost',
  call_unpriced: 'unpriced + partly_priced',
  call_latency: 'if(finished = 1, duration_ms, NULL)',
  call_ttft: 'ttft_ms',
  call_input: 'input_tokens',
  call_output: 'output_tokens',
  call_cached: 'cached_tokens',
  call_written: 'cache_write_tokens',
  call_reasoning: 'reasoning_tokens',
};

/** What a span has of its trace where it has none of its own. */
const orOfTrace = (own: string) => column(`if(${own} = '', toString(trace_${own}), toString(${own}))`, 'trace');

/** The figures of a row, by name: SQL over a row of `spans` and what it is joined with, or over a summary of a trace. */
export const figureColumns: Readonly<Record<RowSubject, Readonly<Record<string, Column>>>> = {
  calls: {
    failed: column('call_failed', 'call'),
    cost: column('call_cost', 'call'),
    unpriced: column('call_unpriced', 'call'),
    latency: column('call_latency', 'call'),
    ttft: column('call_ttft', 'call'),
    speed: column(speed('call_latency', 'call_ttft', 'call_output'), 'call'),
    input_tokens: column('call_input', 'call'),
    output_tokens: column('call_output', 'call'),
    cached_tokens: column('call_cached', 'call'),
    written_tokens: column('call_written', 'call'),
    reasoning_tokens: column('call_reasoning', 'call'),
    trace: column('trace_id'),
    model: column('call_model', 'call'),
    agent: column('call_agent', 'call'),
    session: orOfTrace('session_id'),
    user: orOfTrace('user_id'),
  },
  spans: {
    failed: column("status = 'error'"),
    latency: column(spanNumbers.latency),
    ttft: column('ttft_ms'),
    speed: column(speed(spanNumbers.latency, 'ttft_ms', 'output_tokens')),
    trace: column('trace_id'),
    model: column('model'),
    agent: column(`if(${ownAgent} = '', toString(taken_agent), ${ownAgent})`, 'agent'),
    session: orOfTrace('session_id'),
    user: orOfTrace('user_id'),
  },
  traces: {
    failed: column('error'),
    cost: column('cost'),
    spans: column('span_count'),
    calls: column('call_count'),
    tokens: column(summaryNumbers.tokens),
    latency: column('duration_ms'),
    session: column('session_id'),
    user: column('user_id'),
  },
};

/** Fields whose value a call's own row has: without others `spans` need not be read. */
export const fieldsOfCalls: Readonly<Record<string, string>> = {
  model: 'toString(call_model)',
  provider: 'toString(provider)',
  agent: 'toString(call_agent)',
  operation: 'toString(call_operation)',
  status: "if(call_failed = 1, 'error', 'ok')",
  errorCode: "if(call_failed = 1, toString(error_code), '')",
  prompt: 'toString(prompt_name)',
  promptVersion: 'toString(prompt_version)',
  trace: 'trace_id',
  span: 'span_id',
};
