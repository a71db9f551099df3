import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { message, sendMcp } from '../support/mcp-client.ts';
import { fillForMcp, startMs } from '../support/mcp-data.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp(startMs);
  await fillForMcp(app);
});
afterAll(() => app.close());

const clientInfo = { name: 'test', version: '1.0.0' };
const initialize = {
  ...message,
  method: 'initialize',
  params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo },
};
const send = (headers: Record<string, string>, body: unknown = message) => sendMcp(app.url, headers, body);

describe('requests', () => {
  test('with messages that are not of the protocol get 400', async () => {
    const key = { 'x-api-key': app.apiKey };
    const old = { ...message, jsonrpc: '1.0' };
    for (const body of [
      {},
      [],
      '',
      '"x"',
      '5',
      'null',
      old,
      { id: 1 },
      { ...message, params: [] },
      [message, old],
      [[message]],
    ]) {
      const answer = await send(key, body);
      expect([answer.status, await answer.json()], JSON.stringify(body)).toMatchObject([
        400,
        {
          code: 'invalid_request',
          error: expect.stringMatching(/^Correct the body: it must be a JSON-RPC message, such as .* 1 to 10/),
        },
      ]);
    }
    for (const member of [message, { jsonrpc: '2.0', method: 'notifications/initialized' }]) {
      const answer = await send(
        key,
        Array.from({ length: 11 }, () => member),
      );
      expect([answer.status, await answer.json()]).toMatchObject([
        400,
        { error: 'Correct the body: it must have at most 10 messages; send the others in a request of their own.' },
      ]);
    }
    const ofTen = await send(
      key,
      Array.from({ length: 10 }, (_, index) => (index === 9 ? {} : message)),
    );
    expect([ofTen.status, await ofTen.json()]).toMatchObject([
      400,
      { error: expect.stringContaining('must be a JSON-RPC message') },
    ]);
    expect((await send({ ...key, 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
    const deep = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_datasets","arguments":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}}`;
    expect((await send(key, deep)).status).toBe(400);
    expect(await (await send(key, { ...message, method: 'none' })).json()).toMatchObject({ error: { code: -32601 } });
    for (const [body, sentence] of [
      [{ ...message, more: 1 }, 'Correct the message: /more is not a known field; leave it out.'],
      [[message, { ...message, params: { _meta: 1 } }], 'Correct the message: /params/_meta must be an object.'],
      [[message, initialize], 'Send initialize in a request of its own, without other messages.'],
    ] as const) {
      const answer = await send(key, body);
      expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'invalid_request', error: sentence }]);
    }
  });

  test('with wrong parameters are told which, as invalid parameters', async () => {
    const call = { ...message, method: 'tools/call' };
    for (const [body, sentence] of [
      [call, 'Correct the request: /params is required.'],
      [{ ...call, params: { arguments: {} } }, 'Correct the request: /params/name is required.'],
      [
        { ...call, params: { name: 'search_traces', arguments: [] } },
        'Correct the request: /params/arguments must be an object.',
      ],
      [
        { ...call, params: { name: 'search_traces', arguments: null } },
        'Correct the request: /params/arguments must be an object.',
      ],
      [{ ...initialize, params: {} }, 'Correct the request: /params/protocolVersion is required.'],
      [{ ...message, params: { cursor: 1 } }, 'Correct the request: /params/cursor must be a string.'],
    ] as const) {
      const answer = await send({ 'x-api-key': app.apiKey }, body);
      expect([answer.status, await answer.json()]).toEqual([
        200,
        { jsonrpc: '2.0', id: 1, error: { code: -32602, message: sentence } },
      ]);
    }
  });

  test('with several messages get an array with an answer to each request', async () => {
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
    const pong = { jsonrpc: '2.0', id: 2, result: {} };
    const call = { ...ping, method: 'tools/call', params: { name: 'search_traces', arguments: { limit: 1 } } };
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } };
    for (const [body, answers] of [
      [
        [message, ping],
        [{ id: 1, result: { tools: expect.any(Array) } }, pong],
      ],
      [[ping], [pong]],
      [
        [ping, ping],
        [pong, pong],
      ],
      [
        [ping, { ...ping, id: '2' }],
        [pong, { ...pong, id: '2' }],
      ],
      [[call, cancelled], [{ id: 2, result: { structuredContent: { traces: [{}] } } }]],
      [[initialize], [{ id: 1, result: { protocolVersion: '2025-03-26' } }]],
    ] as const) {
      const answer = await send({ 'x-api-key': app.apiKey }, body);
      expect([answer.status, await answer.json()]).toMatchObject([200, answers]);
    }
  });

  test('with notifications only get 202 without a body', async () => {
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    for (const body of [notification, [notification], [notification, { ...notification, method: 'notifications/other' }]]) {
      const answer = await send({ 'x-api-key': app.apiKey }, body);
      expect([answer.status, await answer.text(), answer.headers.get('content-type')]).toEqual([202, '', null]);
    }
  });
});
