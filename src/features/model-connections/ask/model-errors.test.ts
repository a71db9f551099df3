import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SecretBox } from '../../../platform/crypto/secret-box.ts';
import { otherProject, ownProject } from '../connections-service.fixture.ts';
import { hangs, refuses, resets, says } from './fake-chat-server.fixture.ts';
import type { FakeChatServer } from './fake-chat-server.fixture.ts';
import { apiKey, good, openAskService } from './ask-service.fixture.ts';
import type { AskService } from './ask-service.fixture.ts';

let asking: AskService;
let server: FakeChatServer;

beforeAll(async () => {
  asking = await openAskService();
  server = asking.server;
});
afterAll(() => asking.close());
beforeEach(() => asking.renew());

const ask: AskService['ask'] = (more) => asking.ask(more);
const failure: AskService['failure'] = (more) => asking.failure(more);

describe('a refusal', () => {
  it.each([401, 403])('%i is final, and its message is not quoted', async (status) => {
    server.answers(refuses(status, `Incorrect API key provided: sk-proj-********test`));
    const error = await failure();
    expect([error.retryable, server.requests.length]).toEqual([false, 1]);
    expect(error.message).toContain(`refuses its API key (${status})`);
    expect(error.message).not.toContain('Incorrect');
  });

  it('404 names what to check', async () => {
    server.answers(refuses(404, 'The model `x` does not exist'));
    expect(await failure()).toMatchObject({
      retryable: false,
      message: expect.stringContaining('check both: The model `x` does not exist'),
    });
  });

  it('quotes the message of the server, unless it contains a part of the key', async () => {
    server.answers(refuses(500, `broken\n  for ${'b'.repeat(1_000)}`));
    const { message } = await failure();
    expect(message).toContain('answered 500: broken for bbb');
    expect(message.length).toBeLessThan(400);
    for (const told of [`key ${apiKey} failed`, `key ...${apiKey.slice(-9)} failed`]) {
      server.answers(refuses(500, told));
      expect((await failure()).message).toMatch(/answered 500$/);
    }
    server.answers((response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>inside</h1>'));
    expect((await failure()).message).not.toContain('inside');
  });

  it('a redirect is not followed: it would send the key', async () => {
    server.answers((response) => response.writeHead(307, { location: `${server.url}/elsewhere` }).end());
    const error = await failure();
    expect([error.retryable, server.requests.length]).toEqual([false, 1]);
    expect(error.message).toContain('redirects (307); set its base URL to the final address');
  });
});

describe('a retry', () => {
  it.each([408, 429, 500, 502, 503, 504, 529])('%i has three attempts with growing waits', async (status) => {
    server.answers(refuses(status));
    const error = await failure();
    expect([error.retryable, server.requests.length, asking.waits]).toEqual([true, 3, [1_000, 2_000]]);
  });

  it('ends with the first answer', async () => {
    server.answers(refuses(429), refuses(503), says(good));
    expect(await ask()).toMatchObject({ object: good });
    expect(asking.waits).toEqual([1_000, 2_000]);
  });

  it('waits as long as Retry-After says', async () => {
    const date = new Date(asking.service.clock.now() + 5_000).toUTCString();
    server.answers(refuses(429, 'slow down', { 'retry-after': '7' }), refuses(503, 'later', { 'retry-after': date }), says(good));
    await ask();
    expect(asking.waits).toEqual([7_000, 5_000]);
    server.answers(refuses(429, 'no', { 'retry-after': 'soon' }), refuses(429, 'no', { 'retry-after': '0' }), says(good));
    asking.waits = [];
    await ask();
    expect(asking.waits).toEqual([1_000, 2_000]);
  });

  it('leaves a long wait to the caller', async () => {
    server.answers(refuses(429, 'tomorrow', { 'retry-after': '3600' }));
    expect(await failure()).toMatchObject({ retryable: true, retryAfterMs: 3_600_000 });
    expect([server.requests.length, asking.waits]).toEqual([1, []]);
  });

  it('follows a time-out and a broken connection', async () => {
    server.answers(hangs, resets, says(good));
    expect(await ask()).toMatchObject({ object: good });
    server.answers(hangs);
    expect(await failure()).toMatchObject({
      retryable: true,
      message: expect.stringContaining('did not answer within 0.3 seconds'),
    });
    server.answers(resets);
    expect(await failure()).toMatchObject({ retryable: true, message: expect.stringContaining('broke the connection') });
    asking.connectionId = await asking.connect({ baseUrl: 'http://127.0.0.1:1' });
    expect(await failure()).toMatchObject({ retryable: true, message: expect.stringContaining('cannot be reached') });
  });

  it('ends when the signal aborts', async () => {
    const giveUp = new AbortController();
    // After the request was sent; the server does not answer.
    server.answers(() => giveUp.abort());
    const error = await failure({ signal: giveUp.signal });
    expect(error.retryable).toBe(true);
  });
});

describe('a server that rejects the answer format', () => {
  const only = (...known: string[]) =>
    ((response, request) => {
      const type = request.body.response_format?.type ?? 'none';
      (known.includes(type) ? says(good) : refuses(400, `response_format ${type} is not supported`))(response, request);
    }) satisfies ReturnType<typeof says>;
  const forms = () => server.requests.map(({ body }) => body.response_format?.type ?? 'none');

  it('is asked in the next weaker format, which is remembered', async () => {
    server.answers(only('json_object'));
    expect(await ask()).toMatchObject({ object: good });
    expect(await ask()).toMatchObject({ object: good });
    expect(forms()).toEqual(['json_schema', 'json_object', 'json_object']);
    expect(asking.waits).toEqual([]);
  });

  it('is asked without a format in the end', async () => {
    server.answers(only('none'));
    await ask();
    await ask();
    expect(forms()).toEqual(['json_schema', 'json_object', 'none', 'none']);
    const other = await asking.connect();
    server.answers(only('none'));
    asking.connectionId = other;
    await ask();
    expect(forms()[0]).toBe('json_schema');
  });

  it('is asked in the strictest format again when the connection has changed', async () => {
    server.answers(only('none'));
    await ask();
    asking.service.clock.advance(1_000);
    await asking.service.connections.db
      .updateTable('model_connections')
      .set({ updated_at: new Date(asking.service.clock.now()) })
      .where('id', '=', asking.connectionId)
      .execute();
    server.answers(says(good));
    await ask();
    expect(forms()).toEqual(['json_schema']);
  });

  it('may reject the temperature', async () => {
    server.answers((response, request) => {
      const told = "Unsupported value: 'temperature' does not support 0 with this model.";
      (request.body.temperature === undefined ? says(good) : refuses(400, told))(response, request);
    });
    await ask();
    await ask();
    expect(server.requests.map(({ body }) => [body.temperature, body.response_format?.type])).toEqual([
      [0, 'json_schema'],
      [undefined, 'json_schema'],
      [undefined, 'json_schema'],
    ]);
  });

  it('fails when it rejects every format', async () => {
    server.answers(refuses(400, 'The context is too long.'));
    const error = await failure();
    expect([error.retryable, server.requests.length]).toEqual([false, 3]);
    expect(error.message).toContain('refuses the request (400): The context is too long.');
  });
});

describe('the connection', () => {
  it('is found only in its own project', async () => {
    const { models } = asking.service;
    expect(await models.findConnection(ownProject, asking.connectionId)).toMatchObject({ id: asking.connectionId });
    expect(await models.findConnection(ownProject, '0197a000-0000-7000-8000-000000000009')).toBeNull();
    expect(await models.findConnection(otherProject, asking.connectionId)).toBeNull();
    expect(await models.findConnection(ownProject, 'x')).toBeNull();
  });

  it('whose key was encrypted with another secret has an error that says what to do', async () => {
    const box = new SecretBox({ secret: 'another secret of 32 characters or more', purpose: 'model-connection' });
    const sealed = box.seal(apiKey, asking.connectionId);
    await asking.service.connections.db
      .updateTable('model_connections')
      .set({ sealed_key: sealed })
      .where('id', '=', asking.connectionId)
      .execute();
    const error = await failure();
    expect([error.retryable, error.message]).toEqual([false, expect.stringContaining('set the key again')]);
  });
});
