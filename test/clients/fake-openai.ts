import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a server that answers every request with one chat completion of OpenAI's API, by default a fixed one; streamed if asked. The caller closes it. */
export async function startFakeOpenAi(content: string = 'Sunny.'): Promise<{ baseUrl: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    let asked = '';
    request.setEncoding('utf8').on('data', (text: string) => (asked += text));
    request.on('end', () => {
      if ((JSON.parse(asked || '{}') as { stream?: boolean }).stream === true) {
        response.setHeader('content-type', 'text/event-stream').end(eventsOf(content));
        return;
      }
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          id: 'chatcmpl-1',
          object: 'chat.completion',
          created: 1_790_000_000,
          model: 'gpt-4o-2024-08-06',
          choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop', logprobs: null }],
          usage: {
            prompt_tokens: 1200,
            completion_tokens: 85,
            total_tokens: 1285,
            prompt_tokens_details: { cached_tokens: 1024 },
            completion_tokens_details: { reasoning_tokens: 0 },
          },
        }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A completion as server-sent events, a word each, with the usage at the end. */
function eventsOf(content: string): string {
  const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_790_000_000, model: 'gpt-4o-2024-08-06' };
  const deltas = content.split(/(?<= )/).map((word) => ({ role: 'assistant', content: word }));
  const events = [
    ...deltas.map((delta) => ({ ...chunk, choices: [{ index: 0, delta, finish_reason: null }] })),
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { ...chunk, choices: [], usage: { prompt_tokens: 1200, completion_tokens: 85, total_tokens: 1285 } },
  ];
  return [...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), 'data: [DONE]\n\n'].join('');
}
