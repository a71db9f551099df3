import { setTimeout as delay } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { flushed, openTestClient, sentBy } from './fake-service.fixture.ts';
import { Spanwise } from './index.ts';

afterEach(() => vi.unstubAllEnvs());

describe('a trace', () => {
  test('is its own record and a root span of the same name', async () => {
    const { service, result } = await sentBy(
      (spanwise) =>
        spanwise.trace(
          { name: 'turn', sessionId: 's1', userId: 'u1', agentName: 'support', tags: ['a'], metadata: { tier: 3 } },
          async (trace) => {
            trace.update({ output: 'done' });
            return `${trace.traceId} ${trace.spanId}`;
          },
        ),
      { environment: 'production', release: '1.2.0', service: 'shop' },
    );
    const [record, root, ...others] = service.events();
    expect(others).toEqual([]);
    const common = { name: 'turn', sessionId: 's1', userId: 'u1', tags: ['a'], metadata: { tier: 3 } };
    const placed = { environment: 'production', release: '1.2.0' };
    expect(record).toEqual({
      type: 'trace',
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      timestamp: '2026-11-20T10:00:00.000Z',
      ...common,
      ...placed,
    });
    expect(root).toEqual({
      type: 'span',
      traceId: record?.traceId,
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
      startTime: '2026-11-20T10:00:00.000Z',
      endTime: '2026-11-20T10:00:00.000Z',
      kind: 'agent',
      agentName: 'support',
      output: 'done',
      attributes: { 'service.name': 'shop' },
      ...common,
      ...placed,
    });
    expect(result).toBe(`${root?.traceId} ${root?.spanId}`);
  });

  test('has what its function returns as its output, if it was given none and JSON can hold it', async () => {
    const { service } = await sentBy(async (spanwise) => {
      spanwise.trace({ name: 'text' }, () => 'said');
      await spanwise.trace({ name: 'later' }, () => Promise.resolve({ answer: [1, null] }));
      spanwise.trace({ name: 'given' }, (trace) => {
        trace.update({ output: 'own' });
        return 'returned';
      });
      spanwise.trace({ name: 'nothing' }, () => undefined);
      spanwise.trace({ name: 'response' }, () => new Response('x'));
      spanwise.trace({ name: 'outer' }, () => {
        spanwise.span({ name: 'inner' }, () => 'of a span');
      });
    });
    const outputs = service.spans().map(({ name, output }) => [name, output] as const);
    expect(Object.fromEntries(outputs)).toEqual({
      text: 'said',
      later: { answer: [1, null] },
      given: 'own',
      nothing: undefined,
      response: undefined,
      inner: undefined,
      outer: undefined,
    });
  });

  test('looks at what its function returns without running its code', async () => {
    const fails = () => {
      throw new Error('hostile');
    };
    const hostile = Object.defineProperty({ ok: true }, 'constructor', { get: fails });
    const proxy = new Proxy(() => {}, { getPrototypeOf: fails });
    const bare: object = Object.assign(Object.create(null) as object, { ok: true });
    const { service, result } = await sentBy((spanwise) => [
      spanwise.trace({ name: 'hostile' }, () => hostile),
      spanwise.trace({ name: 'proxy' }, () => proxy),
      spanwise.trace({ name: 'bare' }, () => bare),
      spanwise.trace({ name: 'other realm' }, () => runInNewContext('({ ok: true })') as object).constructor.name,
    ]);
    expect((result as unknown[]).map((one, at) => one === [hostile, proxy, bare, 'Object'][at])).toEqual([
      true,
      true,
      true,
      true,
    ]);
    const outputs = service.spans().map(({ name, output }) => [name, output] as const);
    expect(Object.fromEntries(outputs)).toEqual({
      hostile: { ok: true },
      proxy: undefined,
      bare: { ok: true },
      'other realm': { ok: true },
    });
  });

  test('names the service on every span, beside attributes of its own', async () => {
    const { service } = await sentBy(
      (spanwise) => spanwise.trace({ name: 'turn' }, () => spanwise.span({ name: 'inner', attributes: { tier: 3 } }, () => 1)),
      { service: 'shop' },
    );
    expect(service.spans().map(({ name, attributes }) => [name, attributes])).toEqual([
      ['inner', { 'service.name': 'shop', tier: 3 }],
      ['turn', { 'service.name': 'shop' }],
    ]);
  });

  test('sends its record again when it learns more', async () => {
    const { service } = await sentBy((spanwise) =>
      spanwise.trace({ name: 'turn', metadata: { a: 1 } }, (trace) => trace.update({ sessionId: 's2', metadata: { b: 2 } })),
    );
    const [first, second, root] = service.events();
    expect(first).toMatchObject({ type: 'trace', metadata: { a: 1 } });
    expect(first).not.toHaveProperty('sessionId');
    expect(second).toEqual({ ...first, sessionId: 's2', metadata: { a: 1, b: 2 } });
    expect(root).toMatchObject({ type: 'span', sessionId: 's2', metadata: { a: 1, b: 2 } });
  });

  test('of a function that throws is an error, which is thrown on unchanged', async () => {
    class RateLimited extends Error {}
    const error = Object.assign(new RateLimited('slow down'), { status: 429 });
    const { service, thrown } = await sentBy((spanwise) =>
      spanwise.trace({ name: 'turn' }, () => spanwise.span({ name: 'inner' }, () => Promise.reject(error))),
    );
    expect(thrown).toBe(error);
    for (const span of service.spans()) {
      expect(span).toMatchObject({ status: 'error', errorCode: '429', errorMessage: 'slow down' });
    }
    expect(service.spans()).toHaveLength(2);
  });

  test.each([
    [Object.assign(new Error('no'), { code: 'ECONNRESET' }), 'ECONNRESET', 'no'],
    [new TypeError('no'), 'TypeError', 'no'],
    [new (class Timeout extends Error {})('late'), 'Timeout', 'late'],
    [new Error('no'), undefined, 'no'],
    ['text', undefined, 'text'],
    [undefined, undefined, 'undefined'],
    [{ message: 'tea', code: 'E_TEA' }, 'E_TEA', 'tea'],
    [Object.create(null), undefined, 'unreadable'],
    [new DOMException('The operation was aborted.', 'AbortError'), 'AbortError', 'The operation was aborted.'],
    [new DOMException('Timed out.', 'TimeoutError'), 'TimeoutError', 'Timed out.'],
  ])('a synchronous function may throw %s', async (error, errorCode, errorMessage) => {
    const { service, thrown } = await sentBy((spanwise) =>
      spanwise.trace({ name: 'turn' }, () => {
        throw error;
      }),
    );
    expect(thrown).toBe(error);
    expect(service.span('turn')).toMatchObject({ status: 'error', errorMessage, ...(errorCode && { errorCode }) });
    if (errorCode === undefined) expect(service.span('turn')).not.toHaveProperty('errorCode');
  });

  test('returns what the function returns: a value, the same promise', () => {
    const { spanwise } = openTestClient();
    expect(spanwise.trace({ name: 'turn' }, () => 7)).toBe(7);
    const promise = Promise.resolve(8);
    expect(spanwise.trace({ name: 'turn' }, () => promise)).toBe(promise);
  });

  test('a thenable that does its work for each then does it once', async () => {
    let runs = 0;
    const query = {
      // oxlint-disable-next-line unicorn/no-thenable -- as builders of database queries have it
      then(resolve: (rows: number) => void) {
        runs += 1;
        resolve(runs);
      },
    };
    const { result, service } = await sentBy((spanwise) => spanwise.trace({ name: 'turn' }, () => query));
    expect([result, runs]).toEqual([1, 1]);
    expect(service.spans()).toHaveLength(1);
  });

  test('without a function is open until it ends, once', async () => {
    const { service } = await sentBy(async (spanwise) => {
      const trace = spanwise.trace({ name: 'turn' });
      const span = spanwise.span({ name: 'child', parent: trace });
      spanwise.span({ name: 'grandchild', parent: span }).end();
      span.end();
      trace.end();
      trace.update({ output: 'late' });
      trace.end();
    });
    expect(service.spans().map(({ name }) => name)).toEqual(['grandchild', 'child', 'turn']);
    expect(service.span('grandchild')['parentSpanId']).toBe(service.span('child').spanId);
    expect(service.span('turn')).not.toHaveProperty('output');
  });
});

describe('the active span', () => {
  test('flows through awaits, Promise.all and timers', async () => {
    const { service } = await sentBy((spanwise) =>
      spanwise.trace({ name: 'root' }, async () => {
        await delay(1);
        await Promise.all(
          ['a', 'b'].map((name) =>
            spanwise.span({ name }, async () => {
              await delay(1);
              spanwise.span({ name: `${name}-inner` }, () => {});
            }),
          ),
        );
        await new Promise<void>((resolve) => {
          setTimeout(() => spanwise.span({ name: 'timer' }, () => resolve()), 1);
        });
      }),
    );
    const parents = Object.fromEntries(service.spans().map((span) => [span.name, span['parentSpanId']]));
    const id = (name: string) => service.span(name).spanId;
    const root = id('root');
    expect(parents).toEqual({ root: undefined, a: root, b: root, 'a-inner': id('a'), 'b-inner': id('b'), timer: root });
    expect(new Set(service.events().map(({ traceId }) => traceId)).size).toBe(1);
  });

  test('is none outside, and that of `within` for a span that goes on', () => {
    const { spanwise } = openTestClient();
    expect(spanwise.activeSpan()).toBeUndefined();
    const span = spanwise.span({ name: 'open' });
    expect(spanwise.activeSpan()).toBeUndefined();
    expect(spanwise.within(span, () => spanwise.activeSpan())).toBe(span);
  });

  test('a span outside of a trace is the root of one', async () => {
    const { service } = await sentBy((spanwise) => spanwise.span({ name: 'alone', kind: 'tool' }, () => {}), {
      environment: 'staging',
    });
    expect(service.events()).toMatchObject([{ type: 'span', name: 'alone', kind: 'tool', environment: 'staging' }]);
    expect(service.span('alone')).not.toHaveProperty('parentSpanId');
  });

  test('a parent is the ids of a span elsewhere', async () => {
    const { service } = await sentBy((spanwise) =>
      spanwise.trace({ name: 'here' }, () => spanwise.span({ name: 'there', parent: { traceId: 't', spanId: 's' } }, () => {})),
    );
    expect(service.span('there')).toMatchObject({ traceId: 't', parentSpanId: 's' });
  });

  test('without AsyncLocalStorage there is none, and parents are explicit', async () => {
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
    const { service } = await sentBy((spanwise) =>
      spanwise.trace({ name: 'root' }, (trace) => {
        spanwise.span({ name: 'loose' }, () => {});
        spanwise.span({ name: 'child', parent: trace }, () => {});
      }),
    );
    vi.restoreAllMocks();
    expect(service.span('loose')).not.toHaveProperty('parentSpanId');
    expect(service.span('child')['parentSpanId']).toBe(service.span('root').spanId);
  });
});

describe('a span', () => {
  test('has what it was given, first or later', async () => {
    const { service } = await sentBy((spanwise) =>
      spanwise.span(
        { name: 'chat', kind: 'llm', model: 'gpt-4o', input: 'q', usage: { inputTokens: 3 }, attributes: { a: 1 } },
        (span) => {
          span.update({ output: 'a', usage: { outputTokens: 2 }, attributes: { b: 2 }, model: 'gpt-4o-mini' });
          span.update({ costUsd: 0.1, promptName: 'p', promptVersion: 3, timeToFirstTokenMs: 12, provider: undefined });
        },
      ),
    );
    expect(service.span('chat')).toMatchObject({
      kind: 'llm',
      model: 'gpt-4o-mini',
      input: 'q',
      output: 'a',
      usage: { inputTokens: 3, outputTokens: 2 },
      attributes: { a: 1, b: 2 },
      costUsd: 0.1,
      promptName: 'p',
      promptVersion: 3,
      timeToFirstTokenMs: 12,
    });
  });

  test('reads its input when it is given', async () => {
    const { service } = await sentBy((spanwise) => {
      const messages = [{ role: 'user' }];
      return spanwise.span({ name: 'chat', input: messages }, () => messages.push({ role: 'assistant' }));
    });
    expect(service.span('chat')['input']).toEqual([{ role: 'user' }]);
  });

  test('has its times, to the microsecond, also when the clock is set back', async () => {
    const client = openTestClient();
    await client.clock.advance(0.25);
    const span = client.spanwise.span({ name: 'a' });
    await client.clock.advance(1.5);
    span.end();
    const other = client.spanwise.span({ name: 'b' });
    vi.spyOn(client.clock, 'now').mockReturnValue(0);
    other.end();
    vi.restoreAllMocks();
    await flushed(client);
    expect(client.service.span('a')).toMatchObject({
      startTime: '2026-11-20T10:00:00.000250Z',
      endTime: '2026-11-20T10:00:00.001750Z',
    });
    expect(client.service.span('b')['endTime']).toBe(client.service.span('b')['startTime']);
  });
});

describe('the application never notices', () => {
  test('wrong arguments', async () => {
    const { spanwise, errors } = openTestClient();
    const wrong = undefined as never;
    expect(spanwise.trace(wrong, () => 1)).toBe(1);
    expect(spanwise.span(wrong, () => 2)).toBe(2);
    spanwise.span({ name: 'a' }).update(wrong);
    spanwise.score(wrong);
    spanwise.outcome(wrong);
    await spanwise.change(wrong);
    const client = {};
    expect(spanwise.wrapOpenAI(client)).not.toBe(undefined);
    expect(errors.length).toBeGreaterThan(3);
  });

  test('an onError that throws', () => {
    const { spanwise } = openTestClient({
      onError: () => {
        throw new Error('from onError');
      },
    });
    spanwise.outcome({
      kind: 'order',
      get traceId(): string {
        throw new Error('from traceId');
      },
    });
    expect(spanwise.delivery().lastError).toBe('from traceId');
  });

  test('an onError and a redact that reject', async () => {
    // Vitest fails a run with a rejection that nobody handles.
    const rejecting = () => Promise.reject(new Error('from the application'));
    const { spanwise } = openTestClient({ onError: rejecting, redact: rejecting as never });
    spanwise.span({ name: 'a' }, () => {});
    await delay(0);
    expect(spanwise.delivery().dropped).toEqual({ queue_full: 0, too_old: 0, refused: 1 });
    expect(spanwise.delivery().lastError).toMatch(/redact failed: it must return an event or null/);
  });

  test('a payload that is a revoked proxy, as drafts of immer are', async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const { service } = await sentBy((client) => client.span({ name: 'a', kind: 'tool', output: proxy }, () => {}));
    expect(service.span('a')).toMatchObject({ kind: 'tool', output: expect.stringMatching(/revoked/) as string });
  });

  test.each(['', '?a=1#x', '#x?/'])('an address that is a URL, with %j behind its path', async (rest) => {
    const { service } = await sentBy((client) => client.span({ name: 'a' }, () => {}), {
      baseUrl: new URL(`http://spanwise.example/base/${rest}`),
    });
    expect(service.requests.map(({ path }) => path)).toEqual(['/base/v1/ingest']);
  });

  test('values that are not JSON', async () => {
    const cycle: Record<string, unknown> = { big: 2n ** 70n, run() {} };
    cycle['self'] = cycle;
    const { service, spanwise } = await sentBy((client) =>
      client.span({ name: 'a', input: cycle, output: new Error('e') }, () => {}),
    );
    expect(service.span('a')).toMatchObject({
      input: { big: '1180591620717411303424', run: '[Function: run]', self: '[Circular]' },
      output: { name: 'Error', message: 'e' },
    });
    expect(spanwise.delivery()).toMatchObject({ sent: 1, accepted: 1, lastError: null });
  });

  test('a payload over 500 kB is cut, with a mark', async () => {
    const { service } = await sentBy((client) => client.span({ name: 'a', input: 'x'.repeat(600_000) }, () => {}));
    expect(service.span('a')['input']).toMatch(/x… \[cut: 600000 characters in all\]$/);
  });
});

describe('without a key', () => {
  test('nothing is sent, and the client says so once', async () => {
    vi.stubEnv('SPANWISE_API_KEY', '');
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const fetch = vi.fn<typeof globalThis.fetch>();
    const results = await Promise.all(
      [1, 2].map(async () => {
        const spanwise = new Spanwise({ fetch });
        spanwise.score({ traceId: 't', evaluator: 'e', score: 1 });
        spanwise.outcome({ traceId: 't', kind: 'order' });
        expect(await spanwise.change({ kind: 'deploy' })).toBeUndefined();
        const result = await spanwise.trace({ name: 'turn' }, async ({ traceId }) => traceId);
        await spanwise.shutdown();
        expect(spanwise.delivery()).toMatchObject({ sent: 0, queued: 0, lastError: expect.stringMatching(/API key/) as string });
        return result;
      }),
    );
    expect(results).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(fetch).not.toHaveBeenCalled();
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/SPANWISE_API_KEY/)]]);
    warn.mockRestore();
  });

  test.each([
    [{ apiKey: '' }, /no API key/],
    [{ apiKey: 'spw_\u00e9' }, /characters/],
    [{ apiKey: 'spw_a', baseUrl: 'localhost' }, /no http or https URL/],
    [{ apiKey: 'spw_a', baseUrl: 'ftp://a' }, /no http or https URL/],
  ])('%o goes to onError', (options, expected) => {
    vi.stubEnv('SPANWISE_API_KEY', '');
    expect(openTestClient(options).errors).toEqual([expect.stringMatching(expected)]);
  });
});

test('the defaults come from the environment', async () => {
  vi.stubEnv('SPANWISE_API_KEY', 'spw_env');
  vi.stubEnv('SPANWISE_URL', 'http://spanwise.example:1234/base/');
  vi.stubEnv('SPANWISE_ENVIRONMENT', 'canary');
  const { service } = await sentBy((spanwise) => spanwise.trace({ name: 'turn' }, () => {}), { apiKey: undefined });
  expect(service.requests).toMatchObject([{ path: '/base/v1/ingest', headers: { 'x-api-key': 'spw_env' } }]);
  expect(service.span('turn')).toMatchObject({ environment: 'canary' });
});

describe('objects with a getter that throws', () => {
  const hostile = () => ({
    a: 1,
    get b(): number {
      throw new Error('no');
    },
  });

  test.each(['metadata', 'attributes'] as const)('in %s lose nothing else', async (name) => {
    const { service, errors } = await sentBy((spanwise) => {
      spanwise.trace({ name: 'turn', userId: 'u', ...(name === 'metadata' ? { metadata: hostile() } : {}) }, () => {
        spanwise.span({ name: 'step', model: 'm', [name]: hostile() }, (span) => {
          span.update({ [name]: { later: true, ...(name === 'metadata' ? {} : { 'x.y': 2 }) } });
        });
      });
    });
    const root = service.span('turn');
    expect(service.span('step')).toMatchObject({
      parentSpanId: root.spanId,
      traceId: root.traceId,
      model: 'm',
      [name]: { a: 1, b: '[Thrown: no]', later: true },
    });
    expect(service.events().map((event) => event.traceId)).toEqual([root.traceId, root.traceId, root.traceId]);
    expect(errors).toEqual([]);
  });
});

test('the constructor, flush and shutdown take null', async () => {
  vi.stubEnv('SPANWISE_API_KEY', 'spw_env');
  const nothing = null as unknown as undefined;
  const spanwise = new Spanwise(nothing);
  expect(await Promise.all([spanwise.flush(nothing), spanwise.shutdown(nothing)])).toEqual([undefined, undefined]);
});
