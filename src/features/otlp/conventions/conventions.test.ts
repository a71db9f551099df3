import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Convention } from '../mapping/convention.ts';
import { fieldNames, fieldPriority } from '../wire/field-priority.ts';
import { readAttributes } from '../read-attributes.fixture.ts';
import type { SpanRecord } from '../../trace-store/records.ts';
import { conventions } from './index.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const files = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'index.ts')
  .map((file) => file.slice(0, -'.ts'.length));

describe('every file of the folder', () => {
  test.each(files)('%s.ts exports one convention, which is in the list', async (file) => {
    const path = `./${file}.ts`;
    const exported = (await import(/* @vite-ignore */ path)) as Record<string, unknown>;
    expect(Object.keys(exported)).toEqual(['convention']);
    const convention = exported['convention'] as Convention;
    expect(conventions).toContain(convention);
    expect(convention.name).toMatch(/^[a-z_-]+$/);
    for (const [field, readers] of Object.entries(convention.fields)) {
      expect(fieldNames).toContain(field);
      for (const [attribute, read] of Object.entries(readers)) {
        expect(typeof read).toBe('function');
        expect(fieldPriority[field as keyof typeof fieldPriority]).toContain(attribute);
      }
    }
  });

  test('is in the list exactly once', () => {
    expect(conventions).toHaveLength(files.length);
    expect(new Set(conventions.map((convention) => convention.name)).size).toBe(files.length);
  });
});

test.each(fieldNames)('each attribute of %s is read by exactly one convention', (field) => {
  for (const attribute of fieldPriority[field]) {
    const readers = conventions.filter((convention) => convention.fields[field]?.[attribute] !== undefined);
    expect([attribute, readers.map((convention) => convention.name)]).toEqual([attribute, [expect.any(String)]]);
  }
  expect(new Set<string>(fieldPriority[field]).size).toBe(fieldPriority[field].length);
});

/** An attribute, its value, and the field's value when no attribute of higher precedence is present. */
type Row = readonly [attribute: string, value: unknown, expected: unknown];

/** Attributes by field in order of precedence, with distinct values. */
const precedence: Partial<Record<keyof SpanRecord, readonly Row[]>> = {
  kind: [
    ['langfuse.observation.type', 'generation', 'llm'],
    ['openinference.span.kind', 'RERANKER', 'retriever'],
    ['langsmith.span.kind', 'tool', 'tool'],
    ['traceloop.span.kind', 'workflow', 'chain'],
    ['mlflow.spanType', '"AGENT"', 'agent'],
    ['gen_ai.operation.name', 'embeddings', 'embedding'],
    ['ai.operationId', 'ai.streamText.doStream', 'llm'],
    ['span.type', 'interaction', 'agent'],
    ['llm.request.type', 'embedding', 'embedding'],
    ['gen_ai.tool.name', 'search', 'tool'],
    ['gen_ai.response.model', 'gpt-5.4', 'llm'],
  ],
  requestModel: [
    ['gen_ai.request.model', 'a', 'a'],
    ['llm.request.model_name', 'b', 'b'],
    ['ai.model.id', 'c', 'c'],
    ['llm.invocation_parameters', '{"model":"d"}', 'd'],
    ['langsmith.metadata.ls_model_name', 'e', 'e'],
    ['model', 'f', 'f'],
  ],
  model: [
    ['gen_ai.response.model', 'a', 'a'],
    ['llm.response.model_name', 'b', 'b'],
    ['ai.response.model', 'c', 'c'],
    ['langfuse.observation.model.name', 'd', 'd'],
    ['llm.model_name', 'e', 'e'],
    ['embedding.model_name', 'f', 'f'],
    ['mlflow.llm.model', '"g"', 'g'],
    ['gen_ai.request.model', 'h', 'h'],
  ],
  provider: [
    ['gen_ai.provider.name', 'aws.bedrock', 'aws.bedrock'],
    ['llm.provider', 'b', 'b'],
    ['gen_ai.system', 'openai.chat', 'openai'],
    ['llm.system', 'd', 'd'],
    ['ai.model.provider', 'anthropic.messages', 'anthropic'],
    ['mlflow.llm.provider', '"f"', 'f'],
    ['ls_provider', 'g', 'g'],
  ],
  agentName: [
    ['gen_ai.agent.name', 'a', 'a'],
    ['agent.name', 'b', 'b'],
    ['agent_name', 'c', 'c'],
    ['openinference.span.kind', 'AGENT', 'the span'],
  ],
  operation: [
    ['gen_ai.operation.name', 'chat', 'chat'],
    ['ai.operationId', 'ai.generateText', 'ai.generateText'],
    ['llm.request.type', 'completion', 'completion'],
    ['gen_ai.tool.name', 'search', 'tool'],
  ],
  inputTokens: [
    ['langfuse.observation.usage_details', '{"input":1}', 1],
    ['gen_ai.usage.input_tokens', 2, 2],
    ['gen_ai.usage.prompt_tokens', 3, 3],
    ['llm.token_count.prompt', 4, 4],
    ['ai.usage.inputTokens', 5, 5],
    ['ai.usage.promptTokens', 6, 6],
    ['ai.usage.tokens', 7, 7],
    ['mlflow.chat.tokenUsage', '{"input_tokens":8}', 8],
    ['langsmith.usage_metadata', '{"input_tokens":9}', 9],
    ['input_tokens', 10, 10],
  ],
  outputTokens: [
    ['langfuse.observation.usage_details', '{"output":1}', 1],
    ['gen_ai.usage.output_tokens', 2, 2],
    ['gen_ai.usage.completion_tokens', 3, 3],
    ['llm.token_count.completion', 4, 4],
    ['ai.usage.outputTokens', 5, 5],
    ['ai.usage.completionTokens', 6, 6],
    ['mlflow.chat.tokenUsage', '{"output_tokens":7}', 7],
    ['langsmith.usage_metadata', '{"output_tokens":8}', 8],
    ['output_tokens', 9, 9],
  ],
  cachedTokens: [
    ['gen_ai.usage.cache_read.input_tokens', 1, 1],
    ['gen_ai.usage.cache_read_input_tokens', 2, 2],
    ['llm.token_count.prompt_details.cache_read', 3, 3],
    ['ai.usage.inputTokenDetails.cacheReadTokens', 4, 4],
    ['ai.usage.cachedInputTokens', 5, 5],
    ['gen_ai.usage.details.cache_read_tokens', 6, 6],
    ['gen_ai.usage.input_token_details', '{"cache_read":7}', 7],
    ['ai.response.providerMetadata', '{"openai":{"cachedPromptTokens":8}}', 8],
    ['cache_read_tokens', 9, 9],
  ],
  cacheWriteTokens: [
    ['gen_ai.usage.cache_write.input_tokens', 1, 1],
    ['gen_ai.usage.cache_creation.input_tokens', 2, 2],
    ['gen_ai.usage.cache_creation_input_tokens', 3, 3],
    ['llm.token_count.prompt_details.cache_write', 4, 4],
    ['ai.usage.inputTokenDetails.cacheWriteTokens', 5, 5],
    ['ai.response.providerMetadata', '{"anthropic":{"cacheCreationInputTokens":6}}', 6],
    ['cache_creation_tokens', 7, 7],
  ],
  reasoningTokens: [
    ['gen_ai.usage.reasoning.output_tokens', 1, 1],
    ['gen_ai.usage.reasoning_tokens', 2, 2],
    ['llm.token_count.completion_details.reasoning', 3, 3],
    ['ai.usage.outputTokenDetails.reasoningTokens', 4, 4],
    ['ai.usage.reasoningTokens', 5, 5],
    ['gen_ai.usage.details.reasoning_tokens', 6, 6],
    ['gen_ai.usage.completion_tokens_details.reasoning', 7, 7],
  ],
  costUsd: [
    ['langfuse.observation.cost_details', '{"input":0.25,"total":1}', 1],
    ['gen_ai.usage.cost', 2, 2],
    ['llm.cost.total', 3.5, 3.5],
    ['operation.cost', 4, 4],
    ['mlflow.llm.cost', '{"total_cost":5}', 5],
  ],
  timeToFirstTokenMs: [
    ['gen_ai.response.time_to_first_chunk', 0.5, 500],
    ['gen_ai.client.operation.time_to_first_chunk', 0.25, 250],
    ['gen_ai.server.time_to_first_token', 2, 2000],
    ['ai.response.msToFirstChunk', 81.5, 81.5],
    ['ttft_ms', 12, 12],
    ['langfuse.observation.completion_start_time', '"2026-11-21T10:00:00.300Z"', 300],
  ],
  sessionId: [
    ['langfuse.session.id', 'a', 'a'],
    ['session.id', 'b', 'b'],
    ['gen_ai.conversation.id', 'c', 'c'],
    ['traceloop.association.properties.session_id', 'd', 'd'],
    ['langsmith.metadata.session_id', 'e', 'e'],
    ['langsmith.metadata.thread_id', 'f', 'f'],
    ['ai.telemetry.metadata.sessionId', 'g', 'g'],
    ['metadata', '{"session_id":"h"}', 'h'],
  ],
  userId: [
    ['langfuse.user.id', 'a', 'a'],
    ['user.id', 'b', 'b'],
    ['enduser.id', 'c', 'c'],
    ['gen_ai.user.id', 'd', 'd'],
    ['traceloop.association.properties.user_id', 'e', 'e'],
    ['langsmith.metadata.user_id', 'f', 'f'],
    ['ai.telemetry.metadata.userId', 7, '7'],
  ],
  tags: [
    ['langfuse.trace.tags', ['a', 'a', 'b'], ['a', 'b']],
    ['tag.tags', '["c","d"]', ['c', 'd']],
    ['ai.telemetry.metadata.tags', ['e'], ['e']],
    ['langsmith.span.tags', 'f, g', ['f', 'g']],
  ],
  promptName: [
    ['langfuse.observation.prompt.name', 'a', 'a'],
    ['gen_ai.prompt.name', 'b', 'b'],
    ['traceloop.prompt.key', 'c', 'c'],
    ['mlflow.linkedPrompts', '[{"name":"d","version":"4"}]', 'd'],
  ],
  promptVersion: [
    ['langfuse.observation.prompt.version', 3, '3'],
    ['traceloop.prompt.version', 'b', 'b'],
    ['llm.prompt_template.version', 'c', 'c'],
  ],
  environment: [
    ['langfuse.environment', 'a', 'a'],
    ['deployment.environment.name', 'b', 'b'],
    ['deployment.environment', 'c', 'c'],
  ],
  input: [
    ['langfuse.observation.input', '{"a":1}', '{"a":1}'],
    ['gen_ai.input.messages', '[1]', '[1]'],
    ['gen_ai.tool.call.arguments', '{"b":2}', '{"b":2}'],
    ['input.value', 'plain', '"plain"'],
    ['ai.prompt.messages', '[2]', '[2]'],
    ['ai.prompt', '{"prompt":"c"}', '{"prompt":"c"}'],
    ['ai.toolCall.args', '"d"', '"d"'],
    ['ai.values', ['"e"', '"f"'], '["e","f"]'],
    ['traceloop.entity.input', '{"args":[]}', '{"args":[]}'],
    ['mlflow.spanInputs', '3', '3'],
    ['gen_ai.prompt', '[4]', '[4]'],
    ['gen_ai.retrieval.query.text', 'query', '"query"'],
    ['tool_arguments', '{"g":5}', '{"g":5}'],
  ],
  output: [
    ['langfuse.observation.output', '{"a":1}', '{"a":1}'],
    ['gen_ai.output.messages', [{ role: 'assistant' }], '[{"role":"assistant"}]'],
    ['gen_ai.tool.call.result', '{"b":2}', '{"b":2}'],
    ['output.value', '[broken', '"[broken"'],
    ['ai.response.object', '{"c":3}', '{"c":3}'],
    ['ai.toolCall.result', '4', '4'],
    ['traceloop.entity.output', '"21C"', '"21C"'],
    ['mlflow.spanOutputs', 'text', '"text"'],
    ['gen_ai.completion', '[5]', '[5]'],
    ['gen_ai.retrieval.documents', '[6]', '[6]'],
    ['tool_response', 'done', '"done"'],
  ],
};

describe.each(Object.entries(precedence))('%s is read, in order of precedence, from', (field, rows) => {
  test.each(rows.map((row, index) => [row[0], index] as const))('%s', (_attribute, index) => {
    // The attribute with all attributes of lower precedence, in both orders.
    const later = rows.slice(index).map(([attribute, value]) => [attribute, value] as const);
    for (const entries of [later, later.toReversed()]) {
      const record = readAttributes(Object.fromEntries(entries));
      expect(record[field as keyof SpanRecord]).toEqual(rows[index]?.[2]);
    }
  });
});

describe('the error code of a failed span is read, in order of precedence, from', () => {
  const exception = { name: 'exception', attributes: { 'exception.type': 'Timeout', 'exception.message': 'too slow' } };
  test.each([
    ['error.type', { 'error.type': 'RateLimit', 'http.response.status_code': 429 }, '503 no', [exception], 'RateLimit'],
    ['the HTTP status', { 'http.response.status_code': 429 }, '503 no', [exception], '429'],
    ['the digits of the status message', {}, '503 no', [exception], '503'],
    ['the exception', {}, '5031 no', [exception], 'Timeout'],
    ['nothing', {}, '', [], 'unknown'],
    ['error.type `error`', { 'error.type': 'error' }, '', [], 'unknown'],
  ])('%s', (_what, attributes, message, events, errorCode) => {
    expect(readAttributes(attributes, { status: { code: 2, message }, events })).toMatchObject({ status: 'error', errorCode });
  });

  test('a span that did not fail has none', () => {
    expect(readAttributes({ 'error.type': 'x' }, { events: [exception] })).toMatchObject({
      status: '',
      errorCode: '',
      errorMessage: '',
    });
  });
});

test.each([
  ['prompt', 'chain'],
  ['RERANKER', 'retriever'],
  ['event', 'span'],
  ['generation', 'llm'],
  ['Guardrail', 'guardrail'],
  ['something else', 'span'],
])('the kind named %s is %s', (foreign, kind) => {
  expect(readAttributes({ 'openinference.span.kind': foreign, 'gen_ai.request.model': 'm' }).kind).toBe(kind);
});
