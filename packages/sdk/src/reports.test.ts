import { describe, expect, test } from 'vitest';
import { flushed, openTestClient, sentBy } from './fake-service.fixture.ts';
import type { IngestEvent } from './index.ts';

describe('redact', () => {
  const secret = (event: IngestEvent) => (event.type === 'span' ? { ...event, input: '***' } : event);

  test('runs last, on a copy', async () => {
    const input = { card: new Map([['number', '4111']]) };
    const seen: unknown[] = [];
    const { service } = await sentBy((spanwise) => spanwise.trace({ name: 'turn', input }, () => {}), {
      redact: (event) => {
        seen.push(structuredClone(event));
        if (event.type === 'span') (event.input as { card: object }).card = {};
        return secret(event);
      },
    });
    expect(service.span('turn')['input']).toBe('***');
    expect(input.card.size).toBe(1);
    expect(seen[1]).toMatchObject({ type: 'span', name: 'turn', input: { card: { number: '4111' } } });
  });

  test('null sends nothing, and counts nothing', async () => {
    const { service, spanwise } = await sentBy((client) => client.span({ name: 'turn' }, () => {}), { redact: () => null });
    expect(service.requests).toEqual([]);
    expect(spanwise.delivery()).toMatchObject({ sent: 0, queued: 0, lastError: null, dropped: { refused: 0 } });
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    [
      'throws what has no text',
      () => {
        throw Object.create(null);
      },
    ],
    ['is asynchronous', () => Promise.resolve(null) as never],
    ['returns no event', () => 'text' as never],
  ])('one that %s drops the event, counts and reports it', async (_what, redact) => {
    const { service, spanwise, errors } = await sentBy((client) => client.span({ name: 'turn' }, () => {}), { redact });
    expect(service.requests).toEqual([]);
    expect(spanwise.delivery().dropped.refused).toBe(1);
    expect(errors).toEqual([expect.stringMatching(/redact failed/)]);
  });
});

describe('scores, outcomes, changes', () => {
  test('a score is of the active trace unless it says otherwise, and has an id', async () => {
    const { service } = await sentBy((spanwise) =>
      spanwise.trace({ name: 'turn' }, () => {
        spanwise.score({ evaluator: 'helpful', score: 0.5, comment: 'good' });
        spanwise.score({ traceId: 't', spanId: 's', evaluator: 'helpful', score: true, scoreId: 'mine' });
        spanwise.score({ sessionId: 'session', evaluator: 'helpful', score: 1 });
      }),
    );
    const [active, other, session] = service.events().filter(({ type }) => type === 'score');
    expect(active).toEqual({
      type: 'score',
      traceId: service.span('turn').traceId,
      scoreId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      timestamp: '2026-11-20T10:00:00.000Z',
      evaluator: 'helpful',
      score: 0.5,
      comment: 'good',
    });
    expect(other).toMatchObject({ traceId: 't', spanId: 's', score: true, scoreId: 'mine' });
    expect(session).not.toHaveProperty('traceId');
  });

  test('an outcome is of the active trace, and has a key with which it is stored once', async () => {
    const { service, spanwise } = await sentBy((client) =>
      client.trace({ name: 'turn' }, (trace) => {
        client.outcome({ kind: 'order', value: 12.5, currency: 'EUR', success: true });
        client.outcome({ kind: 'order', traceId: 't', idempotencyKey: 'mine', occurredAt: '2026-11-19T00:00:00Z' });
        return trace.traceId;
      }),
    );
    const sent = service.requests.find(({ path }) => path === '/v1/ingest/outcomes');
    expect(JSON.parse(sent?.text ?? '')).toEqual({
      outcomes: [
        {
          traceId: service.span('turn').traceId,
          kind: 'order',
          value: 12.5,
          currency: 'EUR',
          success: true,
          occurredAt: '2026-11-20T10:00:00.000Z',
          idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
        },
        { kind: 'order', traceId: 't', idempotencyKey: 'mine', occurredAt: '2026-11-19T00:00:00Z' },
      ],
    });
    expect(spanwise.delivery()).toMatchObject({ sent: 4, accepted: 4 });
  });

  test('an outcome outside of a trace is sent, so that the service says what is wrong', async () => {
    const client = openTestClient();
    const rejected = [{ index: 0, code: 'invalid_request', error: 'traceId is required.' }];
    client.service.answers.push(() =>
      Response.json({ accepted: 0, rejected, error: 'x', code: 'invalid_request' }, { status: 400 }),
    );
    client.spanwise.outcome({ kind: 'order' });
    await client.spanwise.flush();
    expect(client.spanwise.delivery()).toMatchObject({ rejected: [{ line: 1, error: 'traceId is required.' }] });
  });

  test('outcomes are not compressed: their route takes none', async () => {
    const client = openTestClient({ flushMs: 0 });
    client.spanwise.outcome({ kind: 'order', traceId: 't', metadata: { text: 'x'.repeat(2_000) } });
    await client.clock.advance(1);
    expect(client.service.requests.map(({ path, headers }) => [path, headers['content-encoding']])).toEqual([
      ['/v1/ingest/outcomes', undefined],
    ]);
  });

  test('rejected outcomes are named by their place', async () => {
    const client = openTestClient();
    client.service.answers.push(() =>
      Response.json(
        { accepted: 1, rejected: [{ index: 1, code: 'invalid_request', error: 'currency is wrong.' }] },
        { status: 202 },
      ),
    );
    client.spanwise.outcome({ kind: 'a', traceId: 't' });
    client.spanwise.outcome({ kind: 'b', traceId: 't' });
    await flushed(client);
    expect(client.spanwise.delivery()).toMatchObject({
      accepted: 1,
      rejected: [{ line: 2, code: 'invalid_request', error: 'currency is wrong.' }],
    });
  });

  test('a change resolves with its record; the project is asked for once', async () => {
    const client = openTestClient({ environment: 'production', service: 'shop' });
    const change = client.spanwise.change({ kind: 'deploy', version: '1.2.0' });
    await client.clock.advance(1);
    expect(await change).toMatchObject({
      id: 'change-1',
      kind: 'deploy',
      version: '1.2.0',
      environment: 'production',
      service: 'shop',
    });
    const second = client.spanwise.change({ kind: 'config', environment: 'staging', idempotencyKey: 'mine' });
    await client.clock.advance(1);
    expect(await second).toMatchObject({ environment: 'staging', idempotencyKey: 'mine' });
    expect(client.service.requests.map(({ path }) => path)).toEqual([
      '/v1/sdk/whoami',
      '/v1/projects/project-1/changes',
      '/v1/projects/project-1/changes',
    ]);
  });

  test('a change that the service does not take resolves with undefined: at once, or when the time is up', async () => {
    const client = openTestClient({ timeoutMs: 2_000 });
    client.service.answers.push(() => Response.json({ projectId: 'p' }));
    client.service.answers.push(() => Response.json({ error: 'kind is wrong.' }, { status: 400 }));
    const refused = client.spanwise.change({ kind: 'deploy' });
    await client.clock.advance(1);
    expect(await refused).toBeUndefined();
    expect(client.spanwise.delivery().dropped.refused).toBe(1);
    client.service.answers.push(() => Response.json({}, { status: 503, headers: { 'retry-after': '60' } }));
    const late = client.spanwise.change({ kind: 'deploy' });
    await client.clock.advance(2_000);
    expect(await late).toBeUndefined();
    await client.clock.advance(60_000);
    expect(client.spanwise.delivery()).toMatchObject({ accepted: 1, queued: 0 });
  });
});
