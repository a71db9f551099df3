import type { Tracer } from '../tracing/tracer.ts';
import { recordOf, textOf } from './read-fields.ts';
import type { Loose } from './read-fields.ts';
import { requestFields } from './request-fields.ts';
import { wrapClient } from './wrap-client.ts';
import type { Recorder, Recorders, WrapOptions } from './wrap-client.ts';

/** Records the calls of a client of the package `openai`. */
export function wrapOpenAI<T extends object>(tracer: Tracer, client: T, options: WrapOptions = {}): T {
  const { provider = providerOf(client), streamUsage = true, parent } = options;
  return wrapClient(tracer, client, recordersOf(streamUsage), { provider, parent });
}

/** A client of Azure may have any address: it is known by the fields of its class, whose name a bundler may change. */
function providerOf(client: object): string {
  const isOfAzure = 'deploymentName' in client && 'apiVersion' in client;
  return isOfAzure || /\.azure\.com\b/.test(textOf((client as Loose)['baseURL']) ?? '') ? 'azure' : 'openai';
}

type Answers = typeof import('./openai-answers.ts');

/** Records a method whose request has its input in one place. @param reader reads its answers */
function recorder(
  operation: string,
  input: (params: Loose) => unknown,
  reader: keyof Answers,
  kind: Recorder['kind'] = 'llm',
): Recorder {
  return {
    kind,
    begin: (params) => requestFields(operation, params, input(params)),
    reader: async () => (await import('./openai-answers.ts'))[reader],
  };
}

function recordersOf(streamUsage: boolean): Recorders {
  const chat: Recorder = {
    ...recorder('chat', (params) => params['messages'], 'chatAnswers'),
    // Without the option a stream says nothing of its tokens.
    prepare: (params) =>
      streamUsage && params['stream'] === true && params['stream_options'] === undefined
        ? { ...params, stream_options: { include_usage: true } }
        : params,
  };
  // The text of a recording. Its bytes are not recorded.
  const heard = ({ file, prompt }: Loose) => ({ file: textOf(recordOf(file)?.['name'] ?? recordOf(file)?.['path']), prompt });
  return {
    'chat.completions.create': chat,
    // Version 4 has its helpers in `beta`. They call the method above.
    'beta.chat.completions.create': chat,
    'responses.create': recorder('chat', inputOf, 'responseAnswers'),
    'embeddings.create': recorder('embeddings', (params) => params['input'], 'embeddingAnswers', 'embedding'),
    'audio.transcriptions.create': recorder('transcription', heard, 'transcriptionAnswers'),
    'audio.translations.create': recorder('translation', heard, 'transcriptionAnswers'),
    'images.generate': recorder('image_generation', (params) => params['prompt'], 'imageAnswers'),
  };
}

/** Instructions and a text as messages, as chat completions have them. */
function inputOf({ instructions, input }: Loose): unknown {
  if (instructions === undefined || instructions === null) return input;
  const messages = Array.isArray(input) ? (input as unknown[]) : [{ role: 'user', content: input }];
  return [{ role: 'system', content: instructions }, ...messages];
}
