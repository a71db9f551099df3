import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayMs } from '../../src/contract/durations.ts';
import { sharedTrace } from '../../src/contract/shares.ts';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { always, mark, never, ofPayloads, sendMarked, sendMarkedOtlp } from './marked-traces.ts';
import { shareRequests, startMs, times } from './share-requests.ts';
import type { ShareRequests } from './share-requests.ts';

let app: TestApp;
let requests: ShareRequests;
const call: ShareRequests['call'] = (...sent) => requests.call(...sent);
const share: ShareRequests['share'] = (...sent) => requests.share(...sent);
const open: ShareRequests['open'] = (token) => requests.open(token);

beforeAll(async () => {
  app = await startTestApp(startMs);
  requests = shareRequests(app);
});
afterAll(() => app.close());

describe('a link', () => {
  const otlpId = '0'.repeat(31).concat('7');
  beforeAll(async () => {
    await sendMarked(app, requests, 'marked');
    await sendMarkedOtlp(app, requests, otlpId);
  });

  /** Names of the project and the organization, and their ids. */
  async function tenantTexts(): Promise<string[]> {
    const { body } = await call('GET', '/v1/auth/session');
    const [organization] = body['organizations'] as Array<{
      id: string;
      name: string;
      slug: string;
      projects: Array<{ id: string; name: string }>;
    }>;
    return [
      organization?.id,
      organization?.projects[0]?.id,
      organization?.name,
      organization?.projects[0]?.name,
      'owner@example.com',
    ].map((text) => text ?? '?');
  }

  test.each([
    [{ payloads: true, redact: true }, [...always, ...ofPayloads]],
    [{ payloads: true, redact: false }, [...always, ...ofPayloads]],
    [{ payloads: false, redact: true }, always],
    [{ payloads: false, redact: false }, always],
  ])('with %o shows what it may, and nothing else', async (options, shown) => {
    const answers = [await open((await share('marked', options)).token), await open((await share(otlpId, options)).token)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const seen = answers.map(({ text, headers }) => `${text}\n${[...headers].join('\n')}`).join('\n');
    expect([...always, ...ofPayloads, ...never].filter((field) => seen.includes(mark(field)))).toEqual(shown);
    for (const text of await tenantTexts()) expect(seen).not.toContain(text);
    // The whole trace, as its project sees it, has every mark: the marks above can be found.
    const whole =
      (await call('GET', `/v1/projects/${app.projectId}/traces/marked`)).text +
      (await call('GET', `/v1/projects/${app.projectId}/traces/${otlpId}`)).text;
    expect([...always, ...ofPayloads, ...never].filter((field) => !whole.includes(mark(field)))).toEqual([]);
  });

  test('has the fields of the contract, without those of payloads if it has none', async () => {
    const keysOf = async (payloads: boolean) => {
      const { body } = await open((await share('marked', { payloads })).token);
      expect(sharedTrace.parse(body)).toEqual(body);
      const { trace, spans } = body as { trace: object; spans: object[] };
      return { body: Object.keys(body), trace: Object.keys(trace), spans: spans.map((span) => Object.keys(span)) };
    };
    const [withPayloads, without] = [await keysOf(true), await keysOf(false)];
    const payloads = ['input', 'output', 'inputFrom', 'outputFrom', 'errorMessage'];
    expect(without.body).toEqual(['trace', 'spans', 'expiresAt']);
    expect(without.spans).toHaveLength(2);
    for (const keys of [without.trace, ...without.spans]) expect(keys.filter((key) => payloads.includes(key))).toEqual([]);
    expect(withPayloads.trace.filter((key) => !without.trace.includes(key)).toSorted()).toEqual([
      'input',
      'inputFrom',
      'output',
      'outputFrom',
    ]);
    expect(withPayloads.spans[0]?.filter((key) => !without.spans[0]?.includes(key)).toSorted()).toEqual([
      'errorMessage',
      'input',
      'output',
    ]);
  });

  test('shows the tree and the figures of the trace', async () => {
    const { body } = await open((await share('marked')).token);
    const whole = (await call('GET', `/v1/projects/${app.projectId}/traces/marked`)).body as {
      trace: Record<string, unknown>;
      spans: Array<Record<string, unknown>>;
    };
    expect(whole.trace).toMatchObject({ ...(body['trace'] as object) });
    expect(whole.spans).toMatchObject(body['spans'] as object[]);
    expect(body['spans']).toMatchObject([
      {
        spanId: 'root',
        parentSpanId: null,
        depth: 0,
        costUsd: 0.25,
        usage: { inputTokens: 10, details: { [mark('tokenClass')]: 3 } },
      },
      { spanId: 'tool', parentSpanId: 'root', depth: 1 },
    ]);
  });

  test('is not to be kept, indexed or sent on, and needs no account', async () => {
    const { token, url, expiresAt } = await share('marked', { expiresInDays: 7 });
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(url).toBe(`${app.url}/share/${token}`);
    expect(expiresAt).toBe(new Date(startMs + 7 * dayMs).toISOString());
    for (const headers of [{}, { cookie: app.cookie }, { 'x-api-key': app.apiKey }] as Array<Record<string, string>>) {
      const answer = await call('GET', `/v1/shares/${token}`, { headers });
      expect([answer.status, answer.body['expiresAt']]).toEqual([200, expiresAt]);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('x-robots-tag')).toContain('noindex');
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
  });

  test('is stored as a hash', async () => {
    const { id, token } = await share('marked');
    const row = await app.stores.postgres.db.selectFrom('shares').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(Buffer.from(row.token_sha256).toString('hex')).toBe(createHash('sha256').update(token).digest('hex'));
    expect(JSON.stringify(row)).not.toContain(token);
  });
});

describe('redaction', () => {
  const texts = {
    email: 'ana.silva@example.com',
    card: '4111 1111 1111 1111',
    phone: '+1 202 555 0143',
    german: '030 901820',
    key: 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD',
  };
  const said = `Write to ${texts.email}, charge ${texts.card}, call ${texts.phone}.`;
  beforeAll(async () => {
    await app.send([
      {
        ...times,
        type: 'span',
        traceId: 'personal',
        spanId: 'root',
        name: `Mail of ${texts.email}`,
        kind: 'agent',
        agentName: texts.email,
        input: {
          messages: [
            { role: 'user', content: said },
            { role: 'user', content: `Berlin ${texts.german}` },
          ],
          [texts.email]: 1,
          number: 4111111111111111,
        },
        output: `{"escaped": "\\n${texts.email}"}`,
        status: 'error',
        errorCode: texts.email,
        errorMessage: `No mailbox for ${texts.email}`,
      },
      // The id of a person as the id of a span.
      {
        ...times,
        type: 'span',
        traceId: 'personal',
        spanId: '202-555-0143',
        parentSpanId: 'root',
        name: 'step',
        kind: 'tool',
        input: { api_key: 'q8Zr5TnW2xLk9VbM4cYd' },
      },
      {
        ...times,
        type: 'span',
        traceId: 'personal',
        spanId: 'leaf',
        parentSpanId: '202-555-0143',
        name: 'leaf',
        kind: 'span',
        output: texts.key,
      },
    ]);
  });

  test('replaces what the built-in entities find, in every text, name, number and id', async () => {
    const { text, body } = await open((await share('personal')).token);
    for (const found of [
      texts.email,
      texts.card,
      texts.phone,
      texts.key,
      '4111111111111111',
      '202-555-0143',
      'q8Zr5TnW2xLk9VbM4cYd',
    ])
      expect(text).not.toContain(found);
    expect(text).toContain(texts.german);
    const { spans, trace } = body as { spans: Array<Record<string, unknown>>; trace: Record<string, unknown> };
    expect(trace['name']).toBe('Mail of [EMAIL]');
    expect(spans[0]).toMatchObject({
      name: 'Mail of [EMAIL]',
      agentName: '[EMAIL]',
      errorCode: '[EMAIL]',
      errorMessage: 'No mailbox for [EMAIL]',
      input: {
        '[EMAIL]': 1,
        number: '[PAYMENT_CARD]',
        messages: [{ content: 'Write to [EMAIL], charge [PAYMENT_CARD], call [PHONE].' }, { content: `Berlin ${texts.german}` }],
      },
    });
    // The tree holds together.
    expect(spans[1]?.['spanId']).toBe(spans[2]?.['parentSpanId']);
    expect(spans.map(({ depth }) => depth)).toEqual([0, 1, 2]);
  });

  test('replaces what the guardrails of the project find too, whatever their stage and action', async () => {
    const guardrail = {
      slug: 'german',
      type: 'pii',
      config: { entities: ['phone'], phoneRegions: ['DE'] },
      stage: 'input',
      action: 'flag',
      environments: null,
    };
    const { body: made } = await call('POST', `/v1/projects/${app.projectId}/guardrails`, { body: guardrail });
    const { token } = await share('personal');
    expect((await open(token)).text).not.toContain(texts.german);
    // One that is disabled finds nothing.
    const path = `/v1/projects/${app.projectId}/guardrails/${String(made['id'])}`;
    expect((await call('PATCH', path, { body: { enabled: false } })).status).toBe(200);
    expect((await open(token)).text).toContain(texts.german);
  });

  test('is left out where the link says so', async () => {
    const { text } = await open((await share('personal', { redact: false })).token);
    for (const found of [texts.email, texts.card, '202-555-0143', texts.key]) expect(text).toContain(found);
  });
});

describe('a trace of megabytes', () => {
  const secret = 'ana.silva@example.com';
  const long = `${'All is well today. '.repeat(20_000)}${secret}`;

  test('is cut with marks, and what lies behind the cut is not shown', async () => {
    await app.send([
      {
        ...times,
        type: 'span',
        traceId: 'long',
        spanId: 'a',
        name: 'a',
        kind: 'llm',
        input: long,
        output: { list: Array.from({ length: 100_000 }, () => 1) },
      },
      { ...times, type: 'span', traceId: 'long', spanId: 'b', parentSpanId: 'a', name: 'b', kind: 'llm', input: 'short' },
    ]);
    for (const redact of [true, false]) {
      const { text, body } = await open((await share('long', { redact })).token);
      const { spans, truncated } = body as { truncated: unknown; spans: Array<Record<string, unknown>> };
      expect(truncated).toBe(true);
      expect(spans[0]).toMatchObject({ truncated: true, input: expect.stringMatching(/more characters are not shown\]$/) });
      expect(text).toContain('more items are not shown');
      expect(spans[1]).toMatchObject({ input: 'short' });
      expect(spans[1]).not.toHaveProperty('truncated');
      expect(text.length).toBeLessThan(3 * 262_144 + 10_000);
      expect(text).not.toContain(secret);
    }
  });

  test('has a limit as a whole; the tree is complete', async () => {
    const input = 'All is well today. '.repeat(13_000);
    const spans = Array.from({ length: 24 }, (_, index) => ({
      ...times,
      type: 'span',
      traceId: 'wide',
      spanId: `s${index}`,
      name: `s${index}`,
      kind: 'llm',
      input,
    }));
    for (let at = 0; at < spans.length; at += 3) await app.send(spans.slice(at, at + 3));
    const { text, body } = await open((await share('wide', { redact: false })).token);
    expect((body['spans'] as object[]).length).toBe(24);
    expect(body['truncated']).toBe(true);
    expect(text.length).toBeLessThan(4.5 * 1_048_576);
  });
});
