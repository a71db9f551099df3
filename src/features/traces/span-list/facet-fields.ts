import type { FilterField, FilterSubject } from '../../../contract/filter/fields.ts';
import { simulationMark } from '../../../contract/kinds.ts';
import { isSimulated } from '../filter/span-conditions.ts';
import { durationSql, tokensSql } from '../filter/span-figures.ts';

/** Where the values of a field are found, for counting them. */
export interface FacetSource {
  table: 'spans' | 'traces' | 'scores' | 'outcomes';
  /** SQL of the values of a row as `Array(String)`; `''` is none. @param key placeholders of what follows the name of the field */
  values(key: readonly string[]): string;
  /** Which rows are read. @param key see `values` */
  where?(key: readonly string[]): string;
}

/** Columns of a span that are its trace's where it has none: `trace_<column>`. */
export const inheritedColumns = ['session_id', 'user_id', 'environment', 'release', 'tags'] as const;

const one = (expression: string): FacetSource => ({ table: 'spans', values: () => `[toString(${expression})]` });
const ofCalls = "kind IN ('llm', 'embedding')";

const inherited = (column: string): FacetSource => one(`if(${column} = '', trace_${column}, ${column})`);
const checks = `arrayFilter(x -> JSONExtractBool(x, 'triggered'), JSONExtractArrayRaw(output, 'results'))`;
const keyed = (json: string) => (key: readonly string[]) => {
  const at = [json, ...key].join(', ');
  const scalar = (raw: string) => `if(JSONType(${raw}) = 'String', JSONExtractString(${raw}), ${raw})`;
  return `arrayMap(e -> ${scalar('e')}, arrayFilter(e -> JSONType(e) NOT IN ('Null', 'Object', 'Array'),
    if(JSONType(${at}) = 'Array', JSONExtractArrayRaw(${at}), [JSONExtractRaw(${at})])))`;
};

/** The fields of a row of `spans`. */
const ofSpans: Readonly<Record<string, FacetSource>> = {
  name: one('name'),
  status: one("if(status = 'error', 'error', 'ok')"),
  errorCode: one("if(status = 'error', toString(error_code), '')"),
  model: one('model'),
  provider: one(`if(${ofCalls}, toString(provider), '')`),
  agent: one('agent_name'),
  operation: one("if(source = 'otlp' AND operation = '', toString(kind), toString(operation))"),
  kind: one('kind'),
  tool: one("if(kind != 'tool', '', if(tool_name = '', name, toString(tool_name)))"),
  service: one('service'),
  prompt: one('prompt_name'),
  promptVersion: one('prompt_version'),
  environment: inherited('environment'),
  release: inherited('release'),
  session: inherited('session_id'),
  user: inherited('user_id'),
  tag: {
    table: 'spans',
    values: () => 'if(empty(tags), arrayMap(t -> toString(t), trace_tags), arrayMap(t -> toString(t), tags))',
  },
  guardrail: {
    table: 'spans',
    values: () => `if(kind = 'guardrail', arrayMap(x -> JSONExtractString(x, 'guardrail'), ${checks}), [])`,
  },
  'guardrail.action': one(
    "if(kind = 'guardrail' AND JSONExtractString(output, 'action') IN ('flag', 'redact', 'block'), JSONExtractString(output, 'action'), '')",
  ),
  source: one(`if(${isSimulated}, '${simulationMark}', toString(source))`),
  // A trace's own record has metadata too.
  'metadata.': { table: 'spans', values: keyed('metadata'), where: () => '1' },
  'attribute.': { table: 'spans', values: keyed('attributes') },
};

/** The fields of a trace's summary. */
const ofSummaries: Readonly<Record<string, string>> = {
  name: '[name]',
  status: "[if(error = 1, 'error', 'ok')]",
  model: 'arrayMap(t -> toString(t), models)',
  agent: 'arrayMap(t -> toString(t), agents)',
  environment: '[toString(environment)]',
  release: '[toString(release)]',
  session: '[session_id]',
  user: '[user_id]',
  tag: 'arrayMap(t -> toString(t), tags)',
  unpriced: "[if(unpriced_calls + partly_priced_calls > 0, 'true', 'false')]",
};

/** The fields of what is told of spans and traces. */
const told: Readonly<Record<string, FacetSource>> = {
  scored: { table: 'scores', values: () => '[toString(evaluator)]' },
  'label.': { table: 'scores', values: () => '[label]', where: ([evaluator]) => `evaluator = ${evaluator}` },
  'passed.': {
    table: 'scores',
    values: () => "[if(isNull(passed), '', if(passed = 1, 'true', 'false'))]",
    where: ([evaluator]) => `evaluator = ${evaluator}`,
  },
  outcome: { table: 'outcomes', values: () => '[toString(kind)]' },
  'outcome.success': { table: 'outcomes', values: () => "[if(isNull(success), '', if(success = 1, 'true', 'false'))]" },
};

/** The source of a field's values; null for one whose values are not counted, such as a time or a text. */
export function facetSource({ name }: FilterField, on: FilterSubject): FacetSource | null {
  const summary = ofSummaries[name.replace(/^trace\./, '')];
  if (summary !== undefined && (on === 'traces' || name.startsWith('trace.'))) return { table: 'traces', values: () => summary };
  return told[name] ?? ofSpans[name] ?? null;
}

const numbers: Readonly<Record<FilterSubject, Readonly<Record<string, string>>>> = {
  spans: {
    latency: durationSql,
    cost: 'cost_usd',
    tokens: tokensSql,
    ttft: 'ttft_ms',
    inputTokens: 'input_tokens',
    outputTokens: 'output_tokens',
    cachedTokens: 'cached_tokens',
    reasoningTokens: 'reasoning_tokens',
  },
  traces: {
    latency: 'duration_ms',
    cost: 'cost',
    tokens: 'input_tokens + output_tokens',
    inputTokens: 'input_tokens',
    outputTokens: 'output_tokens',
    cachedTokens: 'cached_tokens',
    reasoningTokens: 'reasoning_tokens',
    spans: 'span_count',
    calls: 'call_count',
    errors: 'error_count',
  },
};

/** SQL of a number of a row, NULL where it is absent; null for a field that is none. */
export function facetNumber({ name }: FilterField, on: FilterSubject): string | null {
  const expression = numbers[on][name];
  return expression === undefined ? null : `toFloat64(${expression})`;
}
