import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { createElement } from 'react';
import { describe, expect, test } from 'vitest';
import { TooltipProvider } from '../design/tooltip.tsx';
import { ChatView } from './chat-view.tsx';
import { jsonSize } from './json-size.ts';
import type { Part } from './message.ts';
import { readMessages } from './read-messages.ts';

// The shapes in which clients record conversations.

/** A part in one word and its content. */
function told(part: Part): unknown {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'tool-call':
      return { call: part.name, id: part.id, arguments: part.arguments, ...(part.answered ? { result: part.result } : {}) };
    case 'tool-result':
      return { result: part.result, id: part.id };
    case 'media':
      return { [part.medium]: part.url };
    default:
      return part.kind === 'reasoning' ? { reasoning: part.text } : { other: part.value };
  }
}

const read = (value: unknown) => readMessages(value)?.map(({ role, parts }) => [role, ...parts.map(told)]) ?? null;
const answered = { call: 'forecast', id: 'c1', arguments: { city: 'Rome' }, result: 'Sunny.' };
const called = { call: 'forecast', id: 'c1', arguments: { city: 'Rome' } };

const lc = (name: string, kwargs: object) => ({ lc: 1, type: 'constructor', id: ['langchain_core', 'messages', name], kwargs });
const lcCall = lc('AIMessageChunk', {
  content: '',
  tool_calls: [{ name: 'forecast', args: { city: 'Rome' }, id: 'c1', type: 'tool_call' }],
});

describe('a conversation', () => {
  test.each<[string, unknown, unknown[]]>([
    [
      'of LangChain objects, in batches',
      {
        messages: [
          [
            lc('SystemMessage', { content: [{ type: 'text', text: 'Be brief.' }] }),
            lc('HumanMessage', { content: 'Hi' }),
            lcCall,
            lc('ToolMessage', { content: 'Sunny.', tool_call_id: 'c1', name: 'forecast' }),
          ],
        ],
      },
      [
        ['system', 'Be brief.'],
        ['user', 'Hi'],
        ['assistant', answered],
      ],
    ],
    [
      'of LangChain objects in their older form',
      [
        { type: 'human', data: { content: 'Hi' } },
        { type: 'ai', content: 'Sunny.' },
      ],
      [
        ['user', 'Hi'],
        ['assistant', 'Sunny.'],
      ],
    ],
    [
      "of LangChain with Anthropic's blocks, whose calls are repeated",
      [
        lc('AIMessage', {
          content: [
            { type: 'text', text: 'Let me see.' },
            { type: 'tool_use', id: 'c1', name: 'forecast', input: {} },
          ],
          tool_calls: [{ name: 'forecast', args: { city: 'Rome' }, id: 'c1' }],
        }),
      ],
      [['assistant', 'Let me see.', called]],
    ],
    ['of generations', { generations: [[{ text: '', message: lcCall }]] }, [['assistant', called]]],
    ['of a generation without a message', { generations: [[{ text: 'Sunny.', generationInfo: {} }]] }, [['assistant', 'Sunny.']]],
    [
      'in an OpenAI Responses request with a text',
      { model: 'm', instructions: 'Be brief.', input: 'Hi' },
      [
        ['system', 'Be brief.'],
        ['user', 'Hi'],
      ],
    ],
    [
      'in an OpenAI Responses request with items',
      {
        input: [
          { role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
          { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Easy.' }] },
          { type: 'function_call', call_id: 'c1', name: 'forecast', arguments: '{"city":"Rome"}' },
          { type: 'function_call_output', call_id: 'c1', output: 'Sunny.' },
        ],
      },
      [
        ['user', 'Hi'],
        ['assistant', { reasoning: 'Easy.' }],
        ['assistant', answered],
      ],
    ],
    [
      'in a list of completions',
      [
        { choices: [{ message: { role: 'assistant', content: 'Sunny.' } }] },
        { choices: [{ message: { role: 'assistant', content: 'Dry.' } }] },
      ],
      [
        ['assistant', 'Sunny.'],
        ['assistant', 'Dry.'],
      ],
    ],
    [
      'in a list of choices',
      [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Sunny.' } }],
      [['assistant', 'Sunny.']],
    ],
    [
      'in the arguments of a function',
      { args: [{ temperature: 0 }, { messages: [{ role: 'user', content: 'Hi' }] }] },
      [['user', 'Hi']],
    ],
    [
      "of Anthropic's content blocks alone",
      [
        { type: 'thinking', thinking: 'Hm.' },
        { type: 'text', text: 'Let me see.' },
        { type: 'tool_use', id: 'c1', name: 'forecast', input: { city: 'Rome' } },
      ],
      [['assistant', { reasoning: 'Hm.' }, 'Let me see.', called]],
    ],
    [
      "of Anthropic's result blocks alone",
      [{ type: 'tool_result', tool_use_id: 'c1', content: 'Sunny.' }],
      [['user', { result: 'Sunny.', id: 'c1' }]],
    ],
    [
      'of Bedrock and Strands',
      [
        { role: 'user', content: [{ text: 'Hi' }] },
        {
          role: 'assistant',
          content: [
            { reasoningContent: { reasoningText: { text: 'Hm.' } } },
            { toolUse: { toolUseId: 'c1', name: 'forecast', input: { city: 'Rome' } } },
          ],
        },
        { role: 'user', content: [{ toolResult: { toolUseId: 'c1', content: [{ text: 'Sunny.' }] } }] },
      ],
      [
        ['user', 'Hi'],
        ['assistant', { reasoning: 'Hm.' }, { ...answered, result: [{ text: 'Sunny.' }] }],
      ],
    ],
    [
      'in a response of Bedrock',
      { output: { message: { role: 'assistant', content: [{ text: 'Sunny.' }] } } },
      [['assistant', 'Sunny.']],
    ],
    [
      'of Gemini',
      {
        systemInstruction: { parts: [{ text: 'Be brief.' }] },
        contents: [
          { parts: [{ text: 'Hi' }] },
          {
            role: 'model',
            parts: [{ text: 'Hm.', thought: true }, { functionCall: { name: 'forecast', args: { city: 'Rome' } } }],
          },
          { role: 'user', parts: [{ functionResponse: { name: 'forecast', response: { text: 'Sunny.' } } }] },
        ],
      },
      [
        ['system', 'Be brief.'],
        ['user', 'Hi'],
        ['assistant', { reasoning: 'Hm.' }, { ...answered, id: null, result: { text: 'Sunny.' } }],
      ],
    ],
    [
      'of Google ADK',
      { model: 'm', config: { system_instruction: 'Be brief.' }, contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
      [
        ['system', 'Be brief.'],
        ['user', 'Hi'],
      ],
    ],
    [
      'in a response of Gemini',
      { candidates: [{ content: { role: 'model', parts: [{ text: 'Sunny.' }] } }] },
      [['assistant', 'Sunny.']],
    ],
    ['in a response of Google ADK', { content: { role: 'model', parts: [{ text: 'Sunny.' }] } }, [['assistant', 'Sunny.']]],
    [
      'of Genkit',
      {
        messages: [
          { role: 'user', content: [{ text: 'Hi' }, { media: { url: 'data:image/png;base64,AAAA', contentType: 'image/png' } }] },
          { role: 'model', content: [{ toolRequest: { name: 'forecast', ref: 'c1', input: { city: 'Rome' } } }] },
          { role: 'tool', content: [{ toolResponse: { name: 'forecast', ref: 'c1', output: 'Sunny.' } }] },
        ],
      },
      [
        ['user', 'Hi', { image: 'data:image/png;base64,AAAA' }],
        ['assistant', answered],
      ],
    ],
    ["in LangWatch's values", { type: 'chat_messages', value: [{ role: 'user', content: 'Hi' }] }, [['user', 'Hi']]],
    [
      'in a list of values of LangWatch',
      [
        { type: 'text', value: 'Sunny.' },
        { type: 'chat_messages', value: [{ role: 'user', content: 'Hi' }] },
      ],
      [
        ['assistant', 'Sunny.'],
        ['user', 'Hi'],
      ],
    ],
    [
      'of LiveKit',
      {
        items: [
          { type: 'message', role: 'user', content: ['Hi'] },
          { type: 'function_call', call_id: 'c1', name: 'forecast', arguments: '{"city":"Rome"}' },
          { type: 'function_call_output', call_id: 'c1', output: 'Sunny.' },
        ],
      },
      [
        ['user', 'Hi'],
        ['assistant', answered],
      ],
    ],
    [
      "of OpenAI's tool calls alone",
      [{ id: 'c1', type: 'function', function: { name: 'forecast', arguments: '{"city":"Rome"}' } }],
      [['assistant', called]],
    ],
    [
      'of the Vercel AI SDK in the browser',
      [{ role: 'assistant', parts: [{ type: 'tool-forecast', toolCallId: 'c1', input: { city: 'Rome' }, output: 'Sunny.' }] }],
      [['assistant', answered]],
    ],
    ['in a result of the Vercel AI SDK without calls', { text: 'Sunny.', toolCalls: [] }, [['assistant', 'Sunny.']]],
    [
      'behind instructions',
      [
        { role: 'system', parts: [{ type: 'text', content: 'Be brief.' }] },
        { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
      ],
      [
        ['system', 'Be brief.'],
        ['user', 'Hi'],
      ],
    ],
  ])('%s', (_what, value, expected) => {
    expect(read(value)).toEqual(expected);
    expect(read(JSON.stringify(value))).toEqual(expected);
  });
});

describe('any JSON', () => {
  const names = [
    'role',
    'content',
    'parts',
    'type',
    'text',
    'messages',
    'input',
    'output',
    'lc',
    'kwargs',
    'id',
    'tool_calls',
    'function',
    'name',
    'args',
    'arguments',
    'generations',
    'choices',
    'message',
    'value',
    'candidates',
    'functionCall',
    'toolUse',
    'toolResult',
    'image',
    'source',
    'data',
    'url',
    'media',
    'contents',
    'items',
    'toolCallId',
    'toolName',
    'reasoning',
    'inlineData',
    'mimeType',
  ];
  const leaf = fc.oneof(
    fc.constantFrom<unknown>(
      'user',
      'model',
      'tool',
      'text',
      'image',
      'tool_use',
      'function_call',
      'human',
      'data:image/png;base64,AA',
      '[{"role":"user","content":"Hi"}]',
      null,
      true,
      7,
      '',
    ),
    fc.string(),
  );
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      leaf,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 5 }),
    ),
  }));

  test('is read without an error, into parts no larger than it', () => {
    fc.assert(
      fc.property(fc.oneof(value, fc.jsonValue()), (json) => {
        const messages = readMessages(json);
        if (messages === null) return;
        expect(messages.every(({ role, parts }) => typeof role === 'string' && Array.isArray(parts))).toBe(true);
        // A call is read with its result, and parsed texts lose their quotes: no part stands for more than a few values.
        const size = jsonSize(json, 1_000_000);
        expect(messages.flatMap(({ parts }) => parts).length).toBeLessThanOrEqual(size);
        expect(jsonSize(messages, 10_000_000)).toBeLessThanOrEqual(200 * (size + 1));
        renderToStaticMarkup(createElement(TooltipProvider, null, createElement(ChatView, { messages })));
      }),
      { numRuns: 1_000 },
    );
  });
});
