import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { SpanRecord } from '../../records/index.ts';
import { readAttributes } from '../read-attributes.fixture.ts';
import type { Convention } from '../readers/convention.ts';
import { SpanView } from '../readers/span-view.ts';
import { attributeKey } from '../wire/attribute-key.ts';
import { Attribute } from '../wire/attribute.ts';
import { fieldNames, fieldPriority } from '../wire/field-priority.ts';
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
    expect(convention.name).toMatch(/^[a-z0-9_-]+$/);
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

/** Attributes that several conventions have: each reads other values of it. */
const shared = new Set(['kind span.type']);

test.each(fieldNames)('each attribute of %s is read by one convention', (field) => {
  for (const attribute of fieldPriority[field]) {
    const readers = conventions.filter((convention) => convention.fields[field]?.[attribute] !== undefined);
    expect([attribute, readers.length]).toEqual([attribute, shared.has(`${field} ${attribute}`) ? 2 : 1]);
  }
  expect(new Set<string>(fieldPriority[field]).size).toBe(fieldPriority[field].length);
});

/** An attribute, its value, and the field's value when no attribute of higher precedence is present. */
type Row = readonly [attribute: string, value: unknown, expected: unknown];

/** Attributes by field in order of precedence, with distinct values. */
const precedence: Partial<Record<keyof SpanRecord, readonly Row[]>> = {
  kind: [
    ['spanwise.kind', 'guardrail', 'guardrail'],
    ['langfuse.observation.type', 'generation', 'llm'],
    ['openinference.span.kind', 'RERANKER', 'retriever'],
    ['langsmith.span.kind', 'tool', 'tool'],
    ['traceloop.span.kind', 'workflow', 'chain'],
    ['mlflow.spanType', '"AGENT"', 'agent'],
    ['mastra.span.type', 'model_generation', 'llm'],
    ['lmnr.span.type', 'TOOL', 'tool'],
    ['langwatch.span.type', 'rag', 'retriever'],
    ['genkit:metadata:subtype', 'flow', 'chain'],
    ['gen_ai.operation.name', 'embeddings', 'embedding'],
    ['ai.operationId', 'ai.streamText.doStream', 'llm'],
    ['operation.name', 'ai.embed.doEmbed answer', 'embedding'],
    ['span.type', 'interaction', 'agent'],
    ['llm.request.type', 'embedding', 'embedding'],
    ['gen_ai.tool.name', 'search', 'tool'],
    ['db.system', 'qdrant', 'retriever'],
    ['gen_ai.response.model', 'gpt-5.4', 'llm'],
  ],
  requestModel: [
    ['gen_ai.request.model', 'a', 'a'],
    ['llm.request.model_name', 'b', 'b'],
    ['ai.model.id', 'c', 'c'],
    ['llm.invocation_parameters', '{"model":"d"}', 'd'],
    ['langsmith.metadata.ls_model_name', 'e', 'e'],
    ['llm.model', 'g', 'g'],
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
    ['langsmith.metadata.ls_provider', 'h', 'h'],
    ['langfuse.observation.metadata.ls_provider', 'i', 'i'],
    ['metadata', '{"ls_provider":"j"}', 'j'],
    ['ls_provider', 'g', 'g'],
  ],
  agentName: [
    ['gen_ai.agent.name', 'a', 'a'],
    ['agent.name', 'b', 'b'],
    ['agent_name', 'c', 'c'],
    ['langfuse.observation.metadata.lc_agent_name', 'd', 'd'],
    ['langsmith.metadata.lc_agent_name', 'e', 'e'],
    ['lk.pii.agent_name', 'f', 'f'],
    ['lk.agent_name', 'g', 'g'],
    ['metadata', '{"lc_agent_name":"h"}', 'h'],
  ],
  operation: [
    ['gen_ai.operation.name', 'chat', 'chat'],
    ['ai.operationId', 'ai.generateText', 'ai.generateText'],
    ['llm.request.type', 'completion', 'completion'],
    ['mcp.method.name', 'tools/list', 'tools/list'],
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
    ['llm.usage.prompt_tokens', 11, 11],
    ['mlflow.chat.tokenUsage', '{"input_tokens":8}', 8],
    ['langsmith.usage_metadata', '{"input_tokens":9}', 9],
    ['genkit:output', '{"usage":{"inputTokens":12}}', 12],
    ['gcp.vertex.agent.llm_response', '{"usageMetadata":{"promptTokenCount":13}}', 13],
    ['langwatch.metrics', '{"promptTokens":14}', 14],
    ['input_tokens', 10, 10],
  ],
  outputTokens: [
    ['langfuse.observation.usage_details', '{"output":1}', 1],
    ['gen_ai.usage.output_tokens', 2, 2],
    ['gen_ai.usage.completion_tokens', 3, 3],
    ['llm.token_count.completion', 4, 4],
    ['ai.usage.outputTokens', 5, 5],
    ['ai.usage.completionTokens', 6, 6],
    ['llm.usage.completion_tokens', 10, 10],
    ['mlflow.chat.tokenUsage', '{"output_tokens":7}', 7],
    ['langsmith.usage_metadata', '{"output_tokens":8}', 8],
    ['genkit:output', '{"usage":{"outputTokens":11}}', 11],
    ['gcp.vertex.agent.llm_response', '{"usageMetadata":{"candidatesTokenCount":12}}', 12],
    ['langwatch.metrics', '{"completionTokens":13}', 13],
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
    ['gen_ai.usage.input_tokens.cached', 10, 10],
    ['ai.response.providerMetadata', '{"openai":{"cachedPromptTokens":8}}', 8],
    ['llm.usage.cached_tokens', 11, 11],
    ['genkit:output', '{"usage":{"cachedContentTokens":12}}', 12],
    ['gcp.vertex.agent.llm_response', '{"usageMetadata":{"cachedContentTokenCount":13}}', 13],
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
    ['gen_ai.usage.output_tokens.reasoning', 8, 8],
    ['llm.usage.reasoning_tokens', 9, 9],
    ['genkit:output', '{"usage":{"thoughtsTokens":10}}', 10],
    ['gcp.vertex.agent.llm_response', '{"usageMetadata":{"thoughtsTokenCount":11}}', 11],
  ],
  costUsd: [
    ['langfuse.observation.cost_details', '{"input":0.25,"total":1}', 1],
    ['gen_ai.usage.cost', 2, 2],
    ['gen_ai.cost.total_cost', 6, 6],
    ['gen_ai.cost.total_tokens', 7, 7],
    ['llm.cost.total', 3.5, 3.5],
    ['operation.cost', 4, 4],
    ['mlflow.llm.cost', '{"total_cost":5}', 5],
    ['langwatch.metrics', '{"cost":8}', 8],
  ],
  timeToFirstTokenMs: [
    ['spanwise.time_to_first_token_ms', 90.5, 90.5],
    ['gen_ai.response.time_to_first_chunk', 0.5, 500],
    ['gen_ai.client.operation.time_to_first_chunk', 0.25, 250],
    ['gen_ai.server.time_to_first_token', 0.2, 200],
    ['ai.response.msToFirstChunk', 81.5, 81.5],
    ['ttft_ms', 12, 12],
    ['lk.pii.response.ttft', 0.3, 300],
    ['lk.response.ttft', 0.4, 400],
    ['langfuse.observation.completion_start_time', '"2026-11-21T10:00:00.300Z"', 300],
    ['mastra.completion_start_time', '2026-11-21T10:00:00.400Z', 400],
  ],
  sessionId: [
    ['langfuse.session.id', 'a', 'a'],
    ['session.id', 'b', 'b'],
    ['gen_ai.conversation.id', 'c', 'c'],
    ['traceloop.association.properties.session_id', 'd', 'd'],
    ['langsmith.metadata.session_id', 'e', 'e'],
    ['langsmith.metadata.thread_id', 'f', 'f'],
    ['langsmith.metadata.conversation_id', 'i', 'i'],
    ['ai.telemetry.metadata.sessionId', 'g', 'g'],
    ['ai.settings.context.sessionId', 'j', 'j'],
    ['metadata', '{"session_id":"h"}', 'h'],
    ['langwatch.thread.id', 'k', 'k'],
    ['lmnr.association.properties.session_id', 'l', 'l'],
    ['mastra.metadata.sessionId', 'm', 'm'],
    ['mastra.metadata.threadId', 'n', 'n'],
    ['genkit:sessionId', 'o', 'o'],
    ['gcp.vertex.agent.session_id', 'p', 'p'],
    ['voltagent.conversation_id', 'q', 'q'],
    ['conversation.id', 'r', 'r'],
    ['langfuse.observation.metadata.session_id', 's', 's'],
    ['langfuse.observation.metadata.thread_id', 't', 't'],
    ['langfuse.observation.metadata.conversation_id', 'u', 'u'],
    ['langfuse.trace.metadata.langfuse_session_id', 'v', 'v'],
  ],
  userId: [
    ['langfuse.user.id', 'a', 'a'],
    ['user.id', 'b', 'b'],
    ['enduser.id', 'c', 'c'],
    ['gen_ai.user.id', 'd', 'd'],
    ['traceloop.association.properties.user_id', 'e', 'e'],
    ['langsmith.metadata.user_id', 'f', 'f'],
    ['ai.telemetry.metadata.userId', 7, '7'],
    ['ai.settings.context.userId', 'h', 'h'],
    ['metadata', '{"user_id":"i"}', 'i'],
    ['langwatch.user.id', 'j', 'j'],
    ['lmnr.association.properties.user_id', 'k', 'k'],
    ['mastra.metadata.userId', 'l', 'l'],
    ['langfuse.observation.metadata.user_id', 'm', 'm'],
    ['langfuse.trace.metadata.langfuse_user_id', 'n', 'n'],
    ['metadata.user_api_key_end_user_id', 'o', 'o'],
    ['gen_ai.request.user', 'p', 'p'],
  ],
  tags: [
    ['spanwise.tags', ['z'], ['z']],
    ['langfuse.trace.tags', ['a', 'a', 'b'], ['a', 'b']],
    ['langfuse.tags', ['h'], ['h']],
    ['tag.tags', '["c","d"]', ['c', 'd']],
    ['ai.telemetry.metadata.tags', ['e'], ['e']],
    ['ai.settings.context.tags', ['i'], ['i']],
    ['langsmith.span.tags', 'f, g', ['f', 'g']],
    ['langwatch.labels', '["j"]', ['j']],
    ['lmnr.association.properties.tags', ['k'], ['k']],
    ['mastra.tags', '["l"]', ['l']],
    ['logfire.tags', ['n'], ['n']],
    ['langfuse.trace.metadata.langfuse_tags', '["m"]', ['m']],
  ],
  promptName: [
    ['spanwise.prompt.name', 'z', 'z'],
    ['langfuse.observation.prompt.name', 'a', 'a'],
    ['langfuse.prompt.name', 'e', 'e'],
    ['gen_ai.prompt.name', 'b', 'b'],
    ['traceloop.prompt.key', 'c', 'c'],
    ['mlflow.linkedPrompts', '[{"name":"d","version":"4"}]', 'd'],
  ],
  promptVersion: [
    ['spanwise.prompt.version', 2, '2'],
    ['langfuse.observation.prompt.version', 3, '3'],
    ['langfuse.prompt.version', '4', '4'],
    ['traceloop.prompt.version', 5, '5'],
    ['llm.prompt_template.version', 'c', 'c'],
  ],
  environment: [
    ['langfuse.environment', 'a', 'a'],
    ['deployment.environment.name', 'b', 'b'],
    ['deployment.environment', 'c', 'c'],
  ],
  input: [
    ['spanwise.input', '"[1]"', '"[1]"'],
    ['langfuse.observation.input', '{"a":1}', '{"a":1}'],
    ['gen_ai.input.messages', '[1]', '[1]'],
    ['gen_ai.tool.call.arguments', '{"b":2}', '{"b":2}'],
    ['lmnr.span.input', '[7]', '[7]'],
    ['langwatch.input', '{"type":"json","value":[8]}', '[8]'],
    ['genkit:input', '"i"', '"i"'],
    ['input.value', 'plain', '"plain"'],
    ['ai.prompt.messages', '[2]', '[2]'],
    ['ai.prompt', '{"prompt":"c"}', '{"prompt":"c"}'],
    ['ai.toolCall.args', '"d"', '"d"'],
    ['ai.values', ['"e"', '"f"'], '["e","f"]'],
    ['traceloop.entity.input', '{"args":[]}', '{"args":[]}'],
    ['mlflow.spanInputs', '3', '3'],
    ['gen_ai.prompt', '[4]', '[4]'],
    ['gen_ai.retrieval.query.text', 'query', '"query"'],
    ['gen_ai.request.messages', '[9]', '[9]'],
    ['gen_ai.embeddings.input', 'j', '"j"'],
    ['gen_ai.tool.input', '{"k":1}', '{"k":1}'],
    ['gcp.vertex.agent.llm_request', '{"l":1}', '{"l":1}'],
    ['gcp.vertex.agent.tool_call_args', '{"m":1}', '{"m":1}'],
    ['llm.messages', '[10]', '[10]'],
    ['lk.pii.chat_ctx', '[11]', '[11]'],
    ['lk.chat_ctx', '[12]', '[12]'],
    ['lk.function_tool.arguments', '{"n":1}', '{"n":1}'],
    ['lk.user_input', 'o', '"o"'],
    ['flue.tool.arguments', '{"p":1}', '{"p":1}'],
    ['tool_arguments', '{"g":5}', '{"g":5}'],
    ['reranker.query', 's', '"s"'],
    ['request_data', '{"t":1}', '{"t":1}'],
    ['langfuse.trace.input', 'q', '"q"'],
    ['input', 'r', '"r"'],
  ],
  output: [
    ['spanwise.output', '""', '""'],
    ['langfuse.observation.output', '{"a":1}', '{"a":1}'],
    ['gen_ai.output.messages', [{ role: 'assistant' }], '[{"role":"assistant"}]'],
    ['gen_ai.tool.call.result', '{"b":2}', '{"b":2}'],
    ['lmnr.span.output', '[7]', '[7]'],
    ['langwatch.output', '{"type":"text","value":"h"}', '"h"'],
    ['genkit:output', '{"message":{"i":1}}', '{"i":1}'],
    ['output.value', '[broken', '"[broken"'],
    ['ai.response.object', '{"c":3}', '{"c":3}'],
    ['ai.toolCall.result', '4', '4'],
    ['traceloop.entity.output', '"21C"', '"21C"'],
    ['mlflow.spanOutputs', 'text', '"text"'],
    ['gen_ai.completion', '[5]', '[5]'],
    ['gen_ai.retrieval.documents', '[6]', '[6]'],
    ['gen_ai.response.tool_calls', '[8]', '[8]'],
    ['gen_ai.tool.output', 'j', '"j"'],
    ['gcp.vertex.agent.llm_response', '{"k":1}', '{"k":1}'],
    ['gcp.vertex.agent.tool_response', '{"l":1}', '{"l":1}'],
    ['lk.pii.response.text', 'm', '"m"'],
    ['lk.function_tool.output', 'n', '"n"'],
    ['flue.tool.result', 'o', '"o"'],
    ['tool_response', 'done', '"done"'],
    ['response_data', '{"r":1}', '{"r":1}'],
    ['langfuse.trace.output', 'p', '"p"'],
    ['output', 'q', '"q"'],
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

test.each([
  ['langfuse.prompt.version', 3, '3', 'number'],
  ['langfuse.observation.prompt.version', '3', '3', ''],
  ['traceloop.prompt.version', 0, '0', 'number'],
  ['llm.prompt_template.version', -1, '-1', ''],
  ['llm.prompt_template.version', 1.5, '1.5', ''],
  ['langfuse.prompt.version', true, 'true', ''],
  ['mlflow.linkedPrompts', '[{"name":"p","version":4}]', '4', 'number'],
  ['mlflow.linkedPrompts', '[{"name":"p","version":"4"}]', '4', ''],
])('a prompt version in %s sent as %j is stored with its type', (attribute, value, promptVersion, promptVersionType) => {
  expect(readAttributes({ [attribute]: value })).toMatchObject({ promptVersion, promptVersionType });
});

test.each(['interaction', 'llm_request', 'tool', 'tool.execution', 'llm', 'agent', 'retriever', 'memory', 'else'])(
  'of the conventions that have span.type, at most one reads %s',
  (type) => {
    for (const attributes of [{ 'span.type': type }, { 'span.type': type, 'entity.type': 'agent' }]) {
      const kinds = conventions.filter((convention) => {
        const view = new SpanView();
        const keyed = Object.entries(attributes).map(([name, value]) => new Attribute(attributeKey(name), value));
        view.reset(keyed, null);
        return convention.fields.kind?.['span.type']?.(type, view) !== undefined;
      });
      expect(kinds.length).toBe(type === 'else' ? 0 : 1);
    }
  },
);

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
