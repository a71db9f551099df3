import type { Tracer } from '../tracing/tracer.ts';
import type { Loose } from './read-fields.ts';
import { requestFields } from './request-fields.ts';
import { wrapClient } from './wrap-client.ts';
import type { Recorder, WrapOptions } from './wrap-client.ts';

/** Records the calls of a client of the package `@anthropic-ai/sdk`. */
export function wrapAnthropic<T extends object>(tracer: Tracer, client: T, options: WrapOptions = {}): T {
  const { provider = 'anthropic', parent } = options;
  return wrapClient(tracer, client, { 'messages.create': create, 'beta.messages.create': create }, { provider, parent });
}

const create: Recorder = {
  kind: 'llm',
  begin: (params) => requestFields('chat', params, inputOf(params)),
  reader: async () => (await import('./anthropic-answers.ts')).messageAnswers,
};

function inputOf({ system, messages }: Loose): unknown {
  return system === undefined || !Array.isArray(messages)
    ? messages
    : [{ role: 'system', content: system }, ...(messages as unknown[])];
}
