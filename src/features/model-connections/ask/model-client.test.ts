import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { apiKey, good, openAskService, responseSchema } from './ask-service.fixture.ts';
import type { AskService } from './ask-service.fixture.ts';
import { completes, refuses, says } from './fake-chat-server.fixture.ts';
import type { FakeChatServer } from './fake-chat-server.fixture.ts';

let asking: AskService;
let server: FakeChatServer;

beforeAll(async () => {
  asking = await openAskService();
  server = asking.server;
});
afterAll(() => asking.close());
beforeEach(() => asking.renew());

/** Without a schema. */
const askForText = async (more: object = {}) => {
  const { responseSchema: _, ...text } = { responseSchema, messages: [{ role: 'user' as const, content: 'Hello' }], ...more };
  const connection = await asking.service.connections.db
    .selectFrom('model_connections')
    .selectAll()
    .where('id', '=', asking.connectionId)
    .executeTakeFirstOrThrow();
  return asking.service.models.askModel(connection, text);
};

describe('an answer', () => {
  it('holds text, object, model, tokens and cost', async () => {
    const usage = { prompt_tokens: 1_000, completion_tokens: 100, prompt_tokens_details: { cached_tokens: 400 } };
    server.answers(says(good, { usage, model: 'gpt-4o-2024-08-06' }));
    expect(await asking.ask()).toEqual({
      content: JSON.stringify(good),
      object: good,
      refused: [],
      model: 'gpt-4o-2024-08-06',
      // 2.5, 1.25 cached and 10 dollars a million: 600 x 2.5 + 400 x 1.25 + 100 x 10
      usage: { inputTokens: 1_000, outputTokens: 100, costUsd: expect.closeTo(0.003, 12) },
    });
    expect(asking.waits).toEqual([]);
  });

  it('costs what the server reports, else the price of the answering model, else an unknown amount', async () => {
    const cost = async (more: object, model = 'no-such-model') => {
      server.answers(says(good, more));
      return (await asking.ask({ model })).usage;
    };
    const tokens = { prompt_tokens: 1_000_000, completion_tokens: 0 };
    expect(await cost({ usage: { ...tokens, cost: 0.25 } })).toEqual({ inputTokens: 1_000_000, outputTokens: 0, costUsd: 0.25 });
    expect(await cost({ usage: tokens, model: 'gpt-4o-2024-08-06' })).toMatchObject({ costUsd: 2.5 });
    expect(await cost({ usage: tokens })).toMatchObject({ costUsd: null });
    expect(await cost({}, 'gpt-4o')).toEqual({ inputTokens: 0, outputTokens: 0, costUsd: null });
    expect(await cost({ usage: { prompt_tokens: -1, completion_tokens: 'many' } }, 'gpt-4o')).toMatchObject({ inputTokens: 0 });
  });

  it.each<[string, unknown]>([
    ['in a fence', '```json\n{"reason": "a {brace} and \\"quotes\\"", "verdict": "yes"}\n```'],
    ['after thoughts', '<think>Maybe {"verdict": "no"}? It "isn\'t".</think> {"verdict": "yes"}'],
    ['before a remark', '{"verdict": "yes", "reason": "r"}\nI hope {"that": "helps"}!'],
    ['with more properties', { verdict: 'yes', reason: 'r', confidence: 1 }],
  ])('has its object found %s', async (_where, content) => {
    server.answers(says(content));
    expect((await asking.ask()).object).toMatchObject({ verdict: 'yes' });
  });

  it('keeps the line breaks that its strings have', async () => {
    server.answers(says('{\n"verdict": "one\ntwo \\"three\\" \\\\\n",\n"reason": "a\\\nb"\n}'));
    expect((await asking.ask()).object).toEqual({ verdict: 'one\ntwo "three" \\\n', reason: 'a\nb' });
  });

  it('may come in parts', async () => {
    const content = [{ type: 'text', text: '{"verdict"' }, { type: 'image' }, { type: 'text', text: ': "yes"}' }];
    server.answers(completes({ choices: [{ message: { content } }] }));
    expect((await asking.ask()).object).toEqual({ verdict: 'yes' });
  });

  it('is text without a schema, which is not asked for as JSON', async () => {
    server.answers(says('Good day.'));
    const answer = await askForText();
    expect(answer).toMatchObject({ content: 'Good day.', model: 'gpt-4o' });
    expect(answer).not.toHaveProperty('object');
    expect(server.requests[0]?.body).toEqual({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'Hello' }],
      stream: false,
    });
    server.answers(refuses(400, 'no'));
    await expect(askForText()).rejects.toMatchObject({ code: 'rejected', retryable: false });
    expect(server.requests).toHaveLength(1);
  });

  it('never contains the API key, whole or in part', async () => {
    server.answers(says({ verdict: `${apiKey} or ${apiKey.slice(3)}`, reason: `${apiKey.slice(0, 7)}...` }));
    const { content, object } = await asking.ask();
    expect(object).toEqual({ verdict: '[redacted] or [redacted]', reason: 'sk-proj...' });
    expect(content).not.toContain('012345');
    asking.connectionId = await asking.connect({ apiKey: 'none' });
    server.answers(says({ verdict: 'none' }));
    expect((await asking.ask()).object).toEqual({ verdict: 'none' });
  });
});

describe('a question', () => {
  it('goes to the chat completions of the connection with its key', async () => {
    server.answers(says(good));
    await asking.ask({ model: 'm-1' });
    const [request] = server.requests;
    expect([request?.path, request?.headers.authorization, request?.headers['content-type']]).toEqual([
      '/v1/chat/completions',
      `Bearer ${apiKey}`,
      'application/json',
    ]);
    expect(request?.body).toMatchObject({
      model: 'm-1',
      temperature: 0,
      stream: false,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'verdict', strict: true, schema: responseSchema.schema },
      },
    });
    asking.connectionId = await asking.connect({ apiKey: null, baseUrl: `${server.url}//` });
    await asking.ask();
    expect([server.requests[1]?.path, server.requests[1]?.headers.authorization]).toEqual(['/v1/chat/completions', undefined]);
  });

  it('bounds the tokens of the answer by the field that the model knows', async () => {
    server.answers((response, request) => {
      const reason = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
      ('max_tokens' in request.body ? refuses(400, reason) : says(good))(response, request);
    });
    await asking.ask({ maxTokens: 50 });
    await asking.ask({ maxTokens: 60 });
    expect(server.requests.map(({ body }) => body)).toMatchObject([
      { max_tokens: 50, response_format: { type: 'json_schema' } },
      { max_completion_tokens: 50, response_format: { type: 'json_schema' } },
      { max_completion_tokens: 60, response_format: { type: 'json_schema' } },
    ]);
  });

  it('is asked in the field of the token limit that the model knows, which is remembered', async () => {
    server.answers((response, request) => {
      const reason = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
      ('max_tokens' in request.body ? refuses(400, reason) : says(good))(response, request);
    });
    const asked = { parameters: { max_tokens: 50 } };
    expect(await askForText(asked)).toMatchObject({ refused: [] });
    expect(await askForText(asked)).toMatchObject({ refused: [] });
    await asking.ask({ maxTokens: 60 });
    await askForText({ ...asked, model: 'another' });
    expect(server.requests.map(({ body }) => body)).toMatchObject([
      { max_tokens: 50 },
      { max_completion_tokens: 50 },
      { max_completion_tokens: 50 },
      { max_completion_tokens: 60 },
      { model: 'another', max_tokens: 50 },
      { model: 'another', max_completion_tokens: 50 },
    ]);
  });

  it('names a parameter that is refused by both of its names as it was given', async () => {
    server.answers(
      refuses(400, "'max_tokens' is not supported. Use 'max_completion_tokens' instead."),
      refuses(400, "'max_completion_tokens' is too large"),
      says('Good day.'),
    );
    expect(await askForText({ parameters: { max_tokens: 5_000_000, seed: 1 } })).toMatchObject({ refused: ['max_tokens'] });
    expect(server.requests.at(-1)?.body).not.toHaveProperty('max_completion_tokens');
  });

  it('goes without what the model refused before, but with other values of it', async () => {
    server.answers((response, request) => {
      const isTooHigh = (request.body.temperature ?? 0) > 2;
      (isTooHigh ? refuses(400, "'temperature' must be at most 2") : says('Good day.'))(response, request);
    });
    const sent = async (temperature: number, more: object = {}) => {
      server.requests.length = 0;
      const { refused } = await askForText({ parameters: { temperature, seed: 1 }, ...more });
      return [server.requests.map(({ body }) => body.temperature), refused];
    };
    expect(await sent(3)).toEqual([[3, undefined], ['temperature']]);
    expect(await sent(3)).toEqual([[undefined], ['temperature']]);
    expect(await sent(0.5)).toEqual([[0.5], []]);
    expect(await sent(3, { model: 'another' })).toEqual([[3, undefined], ['temperature']]);
  });

  it('remembers what several questions at once were refused', async () => {
    server.answers((response, request) => {
      const refused = Object.keys(request.body).find((name) => name === 'top_k' || name === 'min_p');
      (refused ? refuses(400, `unknown field ${refused}`) : says('Good day.'))(response, request);
    });
    await Promise.all([askForText({ parameters: { top_k: 5 } }), askForText({ parameters: { min_p: 0.1 } })]);
    server.requests.length = 0;
    expect(await askForText({ parameters: { top_k: 5, min_p: 0.1 } })).toMatchObject({ refused: ['top_k', 'min_p'] });
    expect(server.requests).toHaveLength(1);
  });

  it('keeps the field of the token limit where the server refuses something else', async () => {
    server.answers((response, request) => {
      const { type } = request.body.response_format as { type: string };
      (type === 'json_schema' ? refuses(400, 'response_format json_schema is not supported') : says(good))(response, request);
    });
    await asking.ask({ maxTokens: 50 });
    expect(server.requests.map(({ body }) => body)).toMatchObject([
      { max_tokens: 50, response_format: { type: 'json_schema' } },
      { max_tokens: 50, response_format: { type: 'json_object' } },
    ]);
  });
});

describe('an unusable answer', () => {
  const content = (text: unknown) => completes({ choices: [{ finish_reason: 'stop', message: { content: text } }] });
  it.each<[string, ReturnType<typeof says>, string, RegExp]>([
    ['malformed JSON in it', says('{"verdict": 4'), 'invalid-answer', /did not answer with a JSON object/],
    ['prose', says('I would say yes.'), 'invalid-answer', /did not answer with a JSON object/],
    ['a list', says([4]), 'invalid-answer', /did not answer with a JSON object/],
    ['no content', content(null), 'invalid-answer', /did not answer with a JSON object/],
    ['a refusal', completes({ choices: [{ message: { content: null, refusal: 'No.' } }] }), 'refusal', /refused to answer/],
    [
      'half of it',
      completes({ choices: [{ finish_reason: 'length', message: { content: '{"a": "' } }] }),
      'cut-off',
      /was cut off/,
    ],
    ['no choices', completes({ choices: [] }), 'invalid-answer', /no chat completion/],
    ['another body', completes('[]'), 'invalid-answer', /no chat completion/],
    ['malformed JSON', completes('{"choices": ['), 'invalid-answer', /not JSON; check its base URL/],
    ['a page', completes('<html>'), 'invalid-answer', /not JSON/],
    ['a large body', completes('a'.repeat(1_100_000)), 'invalid-answer', /is too large: .* more than 1048576 bytes/],
  ])('with %s is a final error', async (_what, answer, code, message) => {
    server.answers(answer);
    const error = await asking.failure();
    expect([error.code, error.retryable, server.requests.length]).toEqual([code, false, 1]);
    expect(error.message).toMatch(message);
  });

  it('reports its usage', async () => {
    server.answers(says('no', { usage: { prompt_tokens: 10, completion_tokens: 5 } }));
    expect((await asking.failure()).usage).toMatchObject({ inputTokens: 10, outputTokens: 5, costUsd: expect.any(Number) });
  });
});
