import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SecretBox } from '../../../platform/crypto/secret-box.ts';
import { otherProject } from '../connections/connections-service.fixture.ts';
import { hangs, refuses, resets, says } from './fake-chat-server.fixture.ts';
import type { FakeChatServer } from './fake-chat-server.fixture.ts';
import { apiKey, good, openJudgeService } from './judge-service.fixture.ts';
import type { JudgeService } from './judge-service.fixture.ts';

let judge: JudgeService;
let server: FakeChatServer;

beforeAll(async () => {
  judge = await openJudgeService();
  server = judge.server;
});
afterAll(() => judge.close());
beforeEach(() => judge.renew());

const judged: JudgeService['judged'] = (asked, signal) => judge.judged(asked, signal);
const failed: JudgeService['failed'] = (asked, signal) => judge.failed(asked, signal);

describe('a refusal', () => {
  it.each([401, 403])('%i is final, and its text is not repeated', async (status) => {
    server.answers(refuses(status, `Incorrect API key provided: sk-proj-********test`));
    const error = await failed();
    expect([error.retryable, server.requests.length]).toEqual([false, 1]);
    expect(error.message).toContain(`refuses its API key (${status})`);
    expect(error.message).not.toContain('Incorrect');
  });

  it('404 says what to check', async () => {
    server.answers(refuses(404, 'The model `x` does not exist'));
    expect(await failed()).toMatchObject({
      retryable: false,
      message: expect.stringContaining('check both: The model `x` does not exist'),
    });
  });

  it('repeats what the server says, unless a part of the key is in it', async () => {
    server.answers(refuses(500, `broken\n  for ${'b'.repeat(1_000)}`));
    const { message } = await failed();
    expect(message).toContain('answered 500: broken for bbb');
    expect(message.length).toBeLessThan(400);
    for (const told of [`key ${apiKey} failed`, `key ...${apiKey.slice(-9)} failed`]) {
      server.answers(refuses(500, told));
      expect((await failed()).message).toMatch(/answered 500$/);
    }
    server.answers((response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>inside</h1>'));
    expect((await failed()).message).not.toContain('inside');
  });

  it('a redirect is not followed: the key would go with it', async () => {
    server.answers((response) => response.writeHead(307, { location: `${server.url}/elsewhere` }).end());
    const error = await failed();
    expect([error.retryable, server.requests.length]).toEqual([false, 1]);
    expect(error.message).toContain('redirects (307); set its base URL to the final address');
  });
});

describe('trying again', () => {
  it.each([408, 429, 500, 502, 503, 504, 529])('%i is tried three times, with growing waits', async (status) => {
    server.answers(refuses(status));
    const error = await failed();
    expect([error.retryable, server.requests.length, judge.waits]).toEqual([true, 3, [1_000, 2_000]]);
  });

  it('stops at the first answer', async () => {
    server.answers(refuses(429), refuses(503), says(good));
    expect(await judged()).toMatchObject({ score: 4 });
    expect(judge.waits).toEqual([1_000, 2_000]);
  });

  it('waits as long as the server asks for', async () => {
    const date = new Date(judge.service.clock.now() + 5_000).toUTCString();
    server.answers(refuses(429, 'slow down', { 'retry-after': '7' }), refuses(503, 'later', { 'retry-after': date }), says(good));
    await judged();
    expect(judge.waits).toEqual([7_000, 5_000]);
    server.answers(refuses(429, 'no', { 'retry-after': 'soon' }), refuses(429, 'no', { 'retry-after': '0' }), says(good));
    judge.waits = [];
    await judged();
    expect(judge.waits).toEqual([1_000, 2_000]);
  });

  it('leaves a long wait to whoever asked', async () => {
    server.answers(refuses(429, 'tomorrow', { 'retry-after': '3600' }));
    expect(await failed()).toMatchObject({ retryable: true, retryAfterMs: 3_600_000 });
    expect([server.requests.length, judge.waits]).toEqual([1, []]);
  });

  it('a hang and a broken connection are tried again', async () => {
    server.answers(hangs, resets, says(good));
    expect(await judged()).toMatchObject({ score: 4 });
    server.answers(hangs);
    expect(await failed()).toMatchObject({
      retryable: true,
      message: expect.stringContaining('did not answer within 0.3 seconds'),
    });
    server.answers(resets);
    expect(await failed()).toMatchObject({ retryable: true, message: expect.stringContaining('broke the connection') });
    judge.connectionId = await judge.connect({ baseUrl: 'http://127.0.0.1:1' });
    expect(await failed()).toMatchObject({ retryable: true, message: expect.stringContaining('cannot be reached') });
  });

  it('ends when nobody waits for it', async () => {
    const giveUp = new AbortController();
    // When it has been asked, and will not answer.
    server.answers(() => giveUp.abort());
    const error = await failed({}, giveUp.signal);
    expect(error.retryable).toBe(true);
  });
});

describe('a server that does not know the form asked for', () => {
  const only = (...known: string[]) =>
    ((response, request) => {
      const type = request.body.response_format?.type ?? 'none';
      (known.includes(type) ? says(good) : refuses(400, `response_format ${type} is not supported`))(response, request);
    }) satisfies ReturnType<typeof says>;
  const forms = () => server.requests.map(({ body }) => body.response_format?.type ?? 'none');

  it('is asked for less, and remembered', async () => {
    server.answers(only('json_object'));
    expect(await judged()).toMatchObject({ score: 4 });
    expect(await judged()).toMatchObject({ score: 4 });
    expect(forms()).toEqual(['json_schema', 'json_object', 'json_object']);
    expect(judge.waits).toEqual([]);
  });

  it('is asked for nothing in the end', async () => {
    server.answers(only('none'));
    await judged();
    await judged();
    expect(forms()).toEqual(['json_schema', 'json_object', 'none', 'none']);
    const other = await judge.connect();
    server.answers(only('none'));
    await judged({ connectionId: other });
    expect(forms()[0]).toBe('json_schema');
  });

  it('is asked anew when the connection has changed', async () => {
    server.answers(only('none'));
    await judged();
    judge.service.clock.advance(1_000);
    await judge.service.connections.db
      .updateTable('model_connections')
      .set({ updated_at: new Date(judge.service.clock.now()) })
      .where('id', '=', judge.connectionId)
      .execute();
    server.answers(says(good));
    await judged();
    expect(forms()).toEqual(['json_schema']);
  });

  it('may take no temperature', async () => {
    server.answers((response, request) => {
      const told = "Unsupported value: 'temperature' does not support 0 with this model.";
      (request.body.temperature === undefined ? says(good) : refuses(400, told))(response, request);
    });
    await judged();
    await judged();
    expect(server.requests.map(({ body }) => [body.temperature, body.response_format?.type])).toEqual([
      [0, 'json_schema'],
      [undefined, 'json_schema'],
      [undefined, 'json_schema'],
    ]);
  });

  it('fails when it refuses everything', async () => {
    server.answers(refuses(400, 'The context is too long.'));
    const error = await failed();
    expect([error.retryable, server.requests.length]).toEqual([false, 3]);
    expect(error.message).toContain('refuses the request (400): The context is too long.');
  });
});

describe('the connection', () => {
  it("must be there, and the project's", async () => {
    server.answers(says(good));
    for (const asked of [
      { connectionId: '0197a000-0000-7000-8000-000000000009' },
      { projectId: otherProject },
      { connectionId: 'x' },
    ]) {
      expect(await failed(asked)).toMatchObject({ retryable: false, message: expect.stringContaining('is gone') });
    }
    expect(server.requests).toEqual([]);
  });

  it('whose key another secret encrypted says what to do', async () => {
    const box = new SecretBox({ secret: 'another secret of 32 characters or more', purpose: 'model-connection' });
    const sealed = box.seal(apiKey, judge.connectionId);
    await judge.service.connections.db
      .updateTable('model_connections')
      .set({ sealed_key: sealed })
      .where('id', '=', judge.connectionId)
      .execute();
    const error = await failed();
    expect([error.retryable, error.message]).toEqual([false, expect.stringContaining('set the key again')]);
  });
});
