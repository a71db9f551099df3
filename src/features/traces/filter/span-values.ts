import { originSql } from '../../records/index.ts';
import { agentNameSql } from '../../trace-store/index.ts';

const isCallKind = `kind IN ('llm', 'embedding')`;
const action = `JSONExtractString(output, 'action')`;

/**
 * SQL of whether a row of `spans` is of the trace of an evaluation.
 *
 * @param within a condition on rows of `traces`, of replaced ones too, that narrows them
 */
export const isOfEvaluation = (within = '1') => `trace_id GLOBAL IN (
    SELECT trace_id FROM traces FINAL
    PREWHERE trace_id GLOBAL IN (SELECT trace_id FROM traces WHERE origin = 'evaluation' AND ${within})
    WHERE origin = 'evaluation'
  )`;

/** SQL of the fields of a filter over a row of `spans` that are one text, `''` where it is absent. */
export const spanTexts = {
  name: 'name',
  status: `if(status = 'error', 'error', 'ok')`,
  errorCode: `if(status = 'error', toString(error_code), '')`,
  model: 'model',
  provider: `if(${isCallKind}, toString(provider), '')`,
  operation: `if(source = 'otlp' AND operation = '', kind, operation)`,
  kind: 'kind',
  tool: `if(kind != 'tool', '', if(tool_name = '', name, toString(tool_name)))`,
  service: 'service',
  prompt: 'prompt_name',
  source: `multiIf(${originSql} != 'application', ${originSql}, ${isOfEvaluation()}, 'evaluation', toString(source))`,
  'guardrail.action': `if(kind = 'guardrail' AND ${action} IN ('flag', 'redact', 'block'), ${action}, '')`,
};

/** The agent that a row of `spans` names, also where only the name of an agent's span tells it. Others have that of the nearest agent above them: calls in `calls`, the rest in `span_agents`. */
export const ownAgent = `if(agent_name = '' AND kind = 'agent', ${agentNameSql('name')}, toString(agent_name))`;

/** The guardrails of a check that triggered. */
export const triggeredGuardrails = `if(kind = 'guardrail', arrayMap(x -> JSONExtractString(x, 'guardrail'),
    arrayFilter(x -> JSONExtractBool(x, 'triggered'), JSONExtractArrayRaw(output, 'results'))), [])`;

/** The columns that a span has of its trace where it has none of its own, by the name of the field: applications set them on the root alone. */
export const inheritedTexts = {
  environment: 'environment',
  release: 'release',
  session: 'session_id',
  user: 'user_id',
};

/** SQL of the fields over a row of `spans` that are numbers, NULL where they are absent. */
export const spanNumbers = {
  latency:
    'if(isNull(end_time), NULL, greatest(0, (reinterpretAsInt64(assumeNotNull(end_time)) - reinterpretAsInt64(start_time)) / 1e6))',
  cost: 'cost_usd',
  tokens: 'if(isNull(input_tokens) AND isNull(output_tokens), NULL, ifNull(input_tokens, 0) + ifNull(output_tokens, 0))',
  inputTokens: 'input_tokens',
  outputTokens: 'output_tokens',
  cachedTokens: 'cached_tokens',
  reasoningTokens: 'reasoning_tokens',
  ttft: 'ttft_ms',
};

/**
 * SQL of the values under a key of JSON as `Array(String)`: those of an array one by one. An object is only there, and null is not: neither has a value.
 *
 * @param json column with JSON text
 * @param keys placeholders of the path
 */
export function keyedTexts(json: string, keys: readonly string[]): string {
  const at = [json, ...keys].join(', ');
  const scalar = (raw: string) => `if(JSONType(${raw}) = 'String', JSONExtractString(${raw}), ${raw})`;
  return `arrayMap(e -> ${scalar('e')}, arrayFilter(e -> JSONType(e) NOT IN ('Null', 'Object', 'Array'),
      if(JSONType(${at}) = 'Array', JSONExtractArrayRaw(${at}), [JSONExtractRaw(${at})])))`;
}
