import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fieldOrigins } from '../../../contract/span-mapping.ts';
import type { SpanRecord } from '../../records/index.ts';
import { clientSpans } from '../client-spans.fixture.ts';
import { conventions } from '../conventions/index.ts';
import { readAttributes, type SpanParts } from '../read-attributes.fixture.ts';
import { expectedBodies, readRecorded } from '../recorded-bodies.fixture.ts';
import { fieldNames, fieldPriority } from '../wire/field-priority.ts';
import { mapSpan, type MappedField } from './span-mapping.ts';

/** Columns that no convention fills. */
const carried = new Set(
  [
    'traceId spanId parentSpanId name startNs endNs source origin scopeName promptVersionType responseId traceName toolName attributes extra costStatus'.split(
      ' ',
    ),
  ].flat(),
);
const counts = new Set(['inputTokens', 'outputTokens', 'cachedTokens', 'cacheWriteTokens', 'reasoningTokens']);
const json = new Set(['input', 'output', 'metadata', 'usageDetails']);

/** The non-empty fields of a record as JSON text, which a mapping must explain. */
function filledFields(record: SpanRecord): Record<string, string> {
  // The kind, where it is inferred from the model.
  const answered = record.operation === '' && record.kind === 'llm' ? { ...record, operation: record.kind } : record;
  const filled = Object.entries(answered).filter(
    ([name, value]) => !carried.has(name) && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(
    filled.map(([name, value]) => [
      counts.has(name) ? `usage.${name}` : name === 'usageDetails' ? 'usage.details' : name,
      json.has(name) || (name === 'promptVersion' && record.promptVersionType === 'number')
        ? String(value)
        : JSON.stringify(value),
    ]),
  );
}

const valuesOf = (mapping: readonly MappedField[]) => Object.fromEntries(mapping.map(({ field, json: text }) => [field, text]));
const unexplained = (mapping: readonly MappedField[]) =>
  mapping.filter(({ convention }) => convention === 'unknown').map(({ field }) => field);

/** `convention: key ...` by field. */
function origins(mapping: readonly MappedField[]): Record<string, string> {
  return Object.fromEntries(
    mapping.map(({ field, convention, attributes }) => [
      field,
      [`${convention}:`, ...attributes.map((source) => (source.in === 'span' ? source.key : `${source.in} ${source.key}`))].join(
        ' ',
      ),
    ]),
  );
}

test('no convention has the name of a reserved origin', () => {
  expect(conventions.map(({ name }) => name).filter((name) => fieldOrigins.some((origin) => origin === name))).toEqual([]);
});

describe.each(Object.keys(expectedBodies))('%s', (file) => {
  test('every field of every span is explained, with its stored value', () => {
    for (const record of readRecorded(file).batch.spans) {
      const mapping = mapSpan(record, null);
      expect(valuesOf(mapping)).toEqual(filledFields(record));
      expect(unexplained(mapping)).toEqual([]);
      const attributes = JSON.parse(record.attributes || '{}') as object;
      for (const source of mapping.flatMap((one) => one.attributes)) {
        if (source.in === 'span') expect(attributes).toHaveProperty([source.key]);
      }
    }
  });
});

test.each(clientSpans)('every field of a span of $client is explained', ({ attributes: sent, parts }) => {
  const record = readAttributes(sent, parts);
  const mapping = mapSpan(record, null);
  expect(valuesOf(mapping)).toEqual(filledFields(record));
  expect(unexplained(mapping)).toEqual([]);
});

/** The mapping of a recorded span by the start of its name. */
function recorded(file: string, name: string, kind: string): Record<string, string> {
  const record = readRecorded(file).batch.spans.find((span) => span.name.startsWith(name) && span.kind === kind);
  if (record === undefined) throw new Error(`no ${kind} ${name} in ${file}`);
  return origins(mapSpan(record, null));
}

test('the mapping of a call by the Vercel AI SDK 5', () => {
  expect(recorded('aisdk5-json.01.bin', 'ai.generateText.doGenerate', 'llm')).toEqual({
    kind: 'vercel-ai: ai.operationId',
    model: 'gen_ai: gen_ai.response.model',
    requestModel: 'gen_ai: gen_ai.request.model',
    provider: 'gen_ai: gen_ai.system',
    agentName: 'vercel-ai: ai.telemetry.metadata.agentName',
    operation: 'vercel-ai: ai.operationId',
    'usage.inputTokens': 'gen_ai: gen_ai.usage.input_tokens',
    'usage.outputTokens': 'gen_ai: gen_ai.usage.output_tokens',
    // The price table does not have the dated name of the response model.
    costUsd: 'priced: gen_ai.request.model gen_ai.system gen_ai.usage.input_tokens gen_ai.usage.output_tokens',
    sessionId: 'vercel-ai: ai.telemetry.metadata.sessionId',
    userId: 'vercel-ai: ai.telemetry.metadata.userId',
    environment: 'otel: resource deployment.environment',
    service: 'otel: resource service.name',
    tags: 'vercel-ai: ai.telemetry.metadata.tags',
    input: 'vercel-ai: ai.prompt.messages',
    output: 'vercel-ai: ai.response.toolCalls',
    metadata:
      'vercel-ai: ai.telemetry.metadata.sessionId ai.telemetry.metadata.userId ai.telemetry.metadata.tags ai.telemetry.metadata.agentName',
  });
});

test('the mapping of a call by OpenInference', () => {
  expect(recorded('openinference-openai-proto.01.bin', 'OpenAI Chat', 'llm')).toMatchObject({
    kind: 'openinference: openinference.span.kind',
    model: 'openinference: llm.model_name',
    requestModel: 'openinference: llm.invocation_parameters',
    operation: 'derived: openinference.span.kind',
    status: 'otel: field status.code',
    sessionId: 'otel: session.id',
    input: 'openinference: llm.input_messages.0.message.role llm.input_messages.0.message.content',
    metadata: 'openinference: metadata',
  });
});

const names = [...new Set(fieldNames.flatMap((field) => [...fieldPriority[field]]))].filter((name) => !/^\(|\*$/.test(name));
const numbered = [
  'gen_ai.prompt.0.role',
  'gen_ai.prompt.0.content',
  'llm.input_messages.0.message.content',
  'gen_ai.completion.1.content',
];
const usage =
  '{"input":70,"output":9,"total":79,"input_tokens":5,"output_tokens":6,"cache_read":7,"input_cached_tokens":90,"cache_read_input_tokens":3,"cache_creation":2,"reasoning":1}';
const metadataNames = [
  'langfuse.trace.metadata.plan',
  'langsmith.metadata.plan',
  'ai.telemetry.metadata.x',
  'langfuse.trace.metadata',
];
const value = fc.oneof(
  fc.constantFrom('llm', 'AGENT', 'chat', 'tool', 'embeddings', 'ai.streamText', 'ai.embed.doEmbed', 'ERROR', 'error', 'gpt-4o'),
  fc.constantFrom('"LLM"', '"gpt-4o-mini"', 'openai.chat', '["a","b"]', 'a, b', '[{"name":"p","version":"2"}]', usage),
  fc.constantFrom(
    '{"model":"gpt-4o"}',
    '{"session_id":"s"}',
    '{"total":0.25}',
    '{"openai":{"cachedPromptTokens":8}}',
    '{"1":2,"0":3}',
  ),
  fc.constantFrom('', '"2026-11-21T10:00:00.300Z"', '429', '12', 'plain text', '[broken'),
  fc.nat(500),
  fc.double({ min: 0, max: 3, noNaN: true }),
  fc.boolean(),
  fc.constantFrom(['x', 'y'], [], [{ role: 'user', content: 'hi' }], { plan: 'pro' }),
);
const attributes = fc.dictionary(fc.constantFrom(...names, ...numbered, ...metadataNames), value, { maxKeys: 14 });
const exception = { name: 'exception', attributes: { 'exception.type': 'Timeout', 'exception.message': 'too slow' } };
const spanParts: fc.Arbitrary<SpanParts> = fc.record({
  resource: fc.dictionary(fc.constantFrom('service.name', 'service.version', 'deployment.environment.name', 'session.id'), value),
  status: fc.record({ code: fc.constantFrom(0, 1, 2), message: fc.constantFrom('', '503 no', 'too slow', 'x') }),
  events: fc.subarray([
    exception,
    { name: 'gen_ai.user.message', attributes: { content: 'Hello?' } },
    { name: 'gen_ai.content.completion', attributes: { 'gen_ai.completion': '[1]' } },
    { name: 'gen_ai.client.inference.operation.details', attributes: { 'gen_ai.input.messages': '[2]' } },
  ]),
});

const pick = (values: Record<string, unknown>, keys: ReadonlySet<string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([key]) => keys.has(key)));

describe('any attributes', () => {
  test('all fields are explained, with their stored values', () => {
    fc.assert(
      fc.property(attributes, spanParts, (values, parts) => {
        const record = readAttributes(values, parts);
        const mapping = mapSpan(record, null);
        expect(valuesOf(mapping)).toEqual(filledFields(record));
        expect(unexplained(mapping)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test('the attributes named for a field give the same value alone, with those of kind and status', () => {
    fc.assert(
      fc.property(attributes, spanParts, (values, parts) => {
        const record = readAttributes(values, parts);
        const mapping = mapSpan(record, null);
        const always = mapping.filter(({ field }) => field === 'kind' || field === 'status').flatMap((one) => one.attributes);
        for (const { field, attributes: sources, json: expected } of mapping) {
          const keys = (place: string) =>
            new Set([...sources, ...always].filter((one) => one.in === place).map(({ key }) => key));
          const alone = readAttributes(pick(values, keys('span')), {
            ...parts,
            resource: pick(parts.resource ?? {}, keys('resource')),
          });
          expect([field, filledFields(alone)[field]]).toEqual([field, expected]);
        }
      }),
      {
        numRuns: 300,
        // Its only tokens are of a class.
        examples: [
          [
            { 'llm.token_count.prompt_details.audio': '12', 'llm.model': 'gpt-4o' },
            { resource: {}, status: { code: 0, message: '' }, events: [] },
          ],
        ],
      },
    );
  });
});

test('the agent name of an agent without one is derived from the name of its span', () => {
  const record = readAttributes({ 'openinference.span.kind': 'AGENT', 'ai.toolCall.name': 'forecast' }, {});
  expect(record).toMatchObject({ name: 'forecast', agentName: '' });
  const mapping = mapSpan(record, { agentName: 'forecast', spanId: null });
  expect(origins(mapping)).toMatchObject({ agentName: 'derived: field name' });
  expect(unexplained(mapping)).toEqual([]);
});

test('a provider that nothing names is derived from the model', () => {
  const record = readAttributes({ 'gen_ai.request.model': 'gpt-4o', 'gen_ai.provider.name': 'langchain' });
  expect(origins(mapSpan(record, null))).toMatchObject({ provider: 'derived: gen_ai.request.model' });
});

describe('the origin is unknown of', () => {
  const call = { 'gen_ai.request.model': 'gpt-4o' };

  test('the environment of a resource whose attributes are stored with another span', () => {
    const stored = {
      ...readAttributes(call, { resource: { 'deployment.environment.name': 'prod', 'service.name': 'shop' } }),
      extra: '{"resource":{"spanwise.kept_by_span":"eee19b7ec3c1b175"},"scope":{"name":"test"}}',
    };
    const mapping = mapSpan(stored, null);
    expect(unexplained(mapping)).toEqual(['environment', 'service']);
    expect(valuesOf(mapping)).toMatchObject({ environment: '"prod"', service: '"shop"' });
  });

  test('a value that the current conventions read differently', () => {
    const mapping = mapSpan({ ...readAttributes(call), model: 'read-by-an-earlier-release' }, null);
    expect(unexplained(mapping)).toEqual(['model']);
    expect(valuesOf(mapping)).toMatchObject({ model: '"read-by-an-earlier-release"', requestModel: '"gpt-4o"' });
  });
});

test('the agent name of an ancestor is inherited unless the span has one', () => {
  const inherited = { agentName: 'planner', spanId: 'a1' };
  expect(origins(mapSpan(readAttributes({ 'gen_ai.tool.name': 'search' }), inherited))).toMatchObject({
    agentName: 'inherited: ancestor a1',
  });
  expect(origins(mapSpan(readAttributes({ 'gen_ai.agent.name': 'own' }), null))).toMatchObject({
    agentName: 'gen_ai: gen_ai.agent.name',
  });
});

test('combined, derived and priced fields name their sources', () => {
  const record = readAttributes({
    'ai.prompt.messages': '[]',
    'gen_ai.input.messages': '[{"role":"user","parts":[]}]',
    'gen_ai.system_instructions': 'Be brief.',
    'gen_ai.response.model': 'claude-sonnet-4-5',
    'gen_ai.system': 'anthropic',
    'gen_ai.usage.input_tokens': 10,
    'gen_ai.usage.output_tokens': 4,
    'gen_ai.usage.cache_read.input_tokens': 90,
  });
  expect(record).toMatchObject({ inputTokens: 100, costStatus: 'priced' });
  expect(origins(mapSpan(record, null))).toEqual({
    kind: 'derived: gen_ai.response.model',
    model: 'gen_ai: gen_ai.response.model',
    provider: 'gen_ai: gen_ai.system',
    operation: 'derived:',
    'usage.inputTokens': 'gen_ai: gen_ai.usage.input_tokens gen_ai.usage.cache_read.input_tokens',
    'usage.outputTokens': 'gen_ai: gen_ai.usage.output_tokens',
    'usage.cachedTokens': 'gen_ai: gen_ai.usage.cache_read.input_tokens',
    costUsd:
      'priced: gen_ai.response.model gen_ai.system gen_ai.usage.input_tokens gen_ai.usage.output_tokens gen_ai.usage.cache_read.input_tokens',
    input: 'gen_ai: gen_ai.input.messages gen_ai.system_instructions',
  });
});

test('the cost names the requested model where the price table does not have the response model', () => {
  const record = readAttributes({
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.response.model': 'a-model-without-a-price',
    'gen_ai.usage.input_tokens': 10,
  });
  expect(origins(mapSpan(record, null))).toMatchObject({
    model: 'gen_ai: gen_ai.response.model',
    costUsd: 'priced: gen_ai.request.model gen_ai.usage.input_tokens',
  });
});

test('status, events and resource are named as sources', () => {
  const record = readAttributes(
    { 'gen_ai.operation.name': 'chat' },
    {
      status: { code: 2, message: '' },
      events: [{ name: 'gen_ai.user.message', attributes: { content: 'Hello?' } }, exception],
      resource: { 'service.name': 'shop', 'deployment.environment': 'prod' },
    },
  );
  expect(origins(mapSpan(record, null))).toEqual({
    kind: 'gen_ai: gen_ai.operation.name',
    operation: 'gen_ai: gen_ai.operation.name',
    status: 'otel: field status.code',
    errorCode: 'otel: event exception',
    errorMessage: 'otel: event exception',
    environment: 'otel: resource deployment.environment',
    service: 'otel: resource service.name',
    input: 'gen_ai: event gen_ai.user.message',
  });
  const failed = readAttributes({}, { status: { code: 2, message: '429 slow down' } });
  expect(origins(mapSpan(failed, null))).toMatchObject({
    status: 'otel: field status.code',
    errorCode: 'otel: field status.message',
    errorMessage: 'otel: field status.message',
  });
});
