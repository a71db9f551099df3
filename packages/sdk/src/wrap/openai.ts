import type { Tracer } from '../tracing/tracer.ts';
import { textOf } from './read-fields.ts';
import type { Loose } from './read-fields.ts';
import { requestFields } from './request-fields.ts';
import { wrapClient } from './wrap-client.ts';
import type { Recorder, Recorders, WrapOptions } from './wrap-client.ts';

/** Records the calls of a client of the package `openai`. */
export function wrapOpenAI<T extends object>(tracer: Tracer, client: T, options: WrapOptions = {}): T {
  const { provider = providerOf(client), streamUsage = true, parent } = options;
  return wrapClient(tracer, client, recordersOf(streamUsage), { provider, parent });
}

function providerOf(client: object): string {
  return /\.azure\.com\b/.test(textOf((client as Loose)['baseURL']) ?? '') ? 'azure' : 'openai';
}

const answers = () => import('./openai-answers.ts');

function recordersOf(streamUsage: boolean): Recorders {
  const chat: Recorder = {
    kind: 'llm',
    begin: (params) => requestFields('chat', params, params['messages']),
    // Without the option a stream says nothing of its tokens.
    prepare: (params) =>
      streamUsage && params['stream'] === true && params['stream_options'] === undefined
        ? { ...params, stream_options: { include_usage: true } }
        : params,
    reader: async () => (await answers()).chatAnswers,
  };
  return {
    'chat.completions.create': chat,
    // Version 4 has its helpers in `beta`. They call the method above.
    'beta.chat.completions.create': chat,
    'responses.create': {
      kind: 'llm',
      begin: (params) => requestFields('chat', params, inputOf(params)),
      reader: async () => (await answers()).responseAnswers,
    },
    'embeddings.create': {
      kind: 'embedding',
      begin: (params) => requestFields('embeddings', params, params['input']),
      reader: async () => (await answers()).embeddingAnswers,
    },
  };
}

/** Instructions and a text as messages, as chat completions have them. */
function inputOf({ instructions, input }: Loose): unknown {
  if (instructions === undefined || instructions === null) return input;
  const messages = Array.isArray(input) ? (input as unknown[]) : [{ role: 'user', content: input }];
  return [{ role: 'system', content: instructions }, ...messages];
}
