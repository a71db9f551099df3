import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a server that answers every request with one fixed chat completion of OpenAI's API. The caller closes it. */
export async function startFakeOpenAi(): Promise<{ baseUrl: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          id: 'chatcmpl-1',
          object: 'chat.completion',
          created: 1_790_000_000,
          model: 'gpt-4o-2024-08-06',
          choices: [{ index: 0, message: { role: 'assistant', content: 'Sunny.' }, finish_reason: 'stop', logprobs: null }],
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
