import { expect, test } from 'vitest';
import { callParameters } from './parameters.ts';

const schema = { type: 'object', properties: { city: { type: 'string' } } };
const weather = { name: 'weather', description: 'The weather in a city', parameters: schema };
const of = (fields: object) => callParameters({ attributes: null, metadata: null, input: null, ...fields });

test('attributes of OpenTelemetry, in a fixed order', () => {
  const attributes = {
    'gen_ai.request.model': 'gpt-4.1',
    'gen_ai.request.max_tokens': 200,
    'gen_ai.request.temperature': 0.2,
    'gen_ai.request.stop_sequences': ['END'],
    'gen_ai.tool.definitions': JSON.stringify([{ type: 'function', ...weather }]),
    'gen_ai.usage.input_tokens': 3,
  };
  expect(of({ attributes })).toEqual({
    values: [
      ['temperature', 0.2],
      ['max_tokens', 200],
      ['stop', ['END']],
    ],
    tools: [weather],
  });
});

test.each([
  [
    'OpenInference',
    {
      attributes: {
        'llm.invocation_parameters': '{"temperature":0.2,"model":"m"}',
        'llm.tools.0.tool.json_schema': JSON.stringify({ type: 'function', function: weather }),
      },
    },
  ],
  [
    'the Vercel AI SDK',
    {
      attributes: {
        'ai.settings.temperature': 0.2,
        'ai.prompt.tools': [
          JSON.stringify({ type: 'function', name: 'weather', description: weather.description, inputSchema: schema }),
        ],
      },
    },
  ],
  [
    'a request as input',
    { input: { model: 'm', messages: [], temperature: 0.2, tools: [{ type: 'function', function: weather }] } },
  ],
  [
    'a request of Anthropic as text',
    {
      input: JSON.stringify({
        messages: [],
        temperature: 0.2,
        tools: [{ name: 'weather', description: weather.description, input_schema: schema }],
      }),
    },
  ],
  [
    'a request of Gemini',
    { input: { contents: [], generationConfig: { temperature: 0.2 }, tools: [{ functionDeclarations: [weather] }] } },
  ],
  ['metadata', { metadata: { model_parameters: { temperature: 0.2 }, tools: [weather] } }],
])('%s', (_, fields) => {
  expect(of(fields)).toEqual({ values: [['temperature', 0.2]], tools: [weather] });
});

test('names of other clients are one parameter; the response format is read', () => {
  const input = { messages: [], maxOutputTokens: 9, max_tokens: 7, response_format: '{"type":"json_object"}' };
  expect(of({ input }).values).toEqual([
    ['max_tokens', 9],
    ['response_format', { type: 'json_object' }],
  ]);
});

test('names of OpenTelemetry that other clients lack: the number of choices and the encoding', () => {
  const attributes = { 'gen_ai.request.encoding_formats': ['base64'], 'gen_ai.request.choice.count': 3 };
  expect(of({ attributes }).values).toEqual([
    ['n', 3],
    ['encoding_format', ['base64']],
  ]);
});

test('a span without any has none', () => {
  expect(of({})).toEqual({ values: [], tools: [] });
  expect(of({ input: 'temperature', attributes: { temperature: 'hot' }, metadata: { user: 'ada' } })).toEqual({
    values: [],
    tools: [],
  });
});
