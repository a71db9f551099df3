import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedTrace } from '../../src/contract/shares.ts';
import { addMember } from '../support/add-member.ts';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';

const startMs = Date.UTC(2026, 10, 29, 10);
const dayMs = 86_400_000;
let app: TestApp;

beforeAll(async () => {
  app = await startTestApp(startMs);
});
afterAll(() => app.close());

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: Record<string, unknown>;
}

async function call(
  method: string,
  path: string,
  { body, headers = { cookie: app.cookie } }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const answer = await fetch(`${app.url}${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
  };
}

const sharesOf = (traceId: string) => `/v1/projects/${app.projectId}/traces/${traceId}/shares`;

interface Made {
  id: string;
  url: string;
  expiresAt: string;
  token: string;
}

async function share(traceId: string, body?: object): Promise<Made> {
  const { status, body: made } = await call('POST', sharesOf(traceId), body === undefined ? {} : { body });
  expect([status, made]).toEqual([201, { id: expect.any(String), url: expect.any(String), expiresAt: expect.any(String) }]);
  return { ...(made as unknown as Made), token: String(made['url']).split('/').at(-1) ?? '' };
}

const open = (token: string) => call('GET', `/v1/shares/${token}`, { headers: {} });

const times = { startTime: new Date(startMs - 60_000).toISOString(), endTime: new Date(startMs - 59_000).toISOString() };

/** A text of one field, found nowhere else. */
const mark = (field: string) => `zq${createHash('sha256').update(field).digest('hex').slice(0, 12)}`;

/** The fields that a link may show always, and those of a link with payloads. */
const always = ['span.name', 'trace.name', 'model', 'provider', 'agent', 'operation', 'errorCode', 'tokenClass', 'tool.name'];
const ofPayloads = [
  'span.input',
  'span.output',
  'tool.arguments',
  'errorMessage',
  'trace.input',
  'trace.output',
  'otlp.input',
  'otlp.message',
];
const never = [
  'session',
  'user',
  'environment',
  'release',
  'span.tag',
  'trace.tag',
  'promptName',
  'metadata.key',
  'metadata.value',
  'trace.metadata',
  'attribute.key',
  'attribute.value',
  'score.evaluator',
  'score.label',
  'score.comment',
  'outcome',
  'outcome.metadata',
  'human.evaluator',
  'otlp.attribute',
  'otlp.resource',
  'otlp.service',
  'otlp.scope',
  'otlp.event',
  'otlp.stack',
  'otlp.link',
  'otlp.state',
];

async function sendMarked(traceId: string): Promise<void> {
  const common = {
    sessionId: mark('session'),
    userId: mark('user'),
    environment: mark('environment'),
    release: mark('release'),
  };
  const span = {
    ...common,
    ...times,
    type: 'span',
    traceId,
    tags: [mark('span.tag')],
    promptName: mark('promptName'),
    promptVersion: 7,
    metadata: { [mark('metadata.key')]: mark('metadata.value') },
    attributes: { [mark('attribute.key')]: mark('attribute.value') },
  };
  const sent = await app.send([
    {
      ...common,
      type: 'trace',
      traceId,
      name: mark('trace.name'),
      tags: [mark('trace.tag')],
      input: { question: mark('trace.input') },
      output: mark('trace.output'),
      metadata: { a: mark('trace.metadata') },
    },
    {
      ...span,
      spanId: 'root',
      name: mark('span.name'),
      kind: 'llm',
      model: mark('model'),
      provider: mark('provider'),
      agentName: mark('agent'),
      operation: mark('operation'),
      usage: { inputTokens: 10, outputTokens: 5, details: { [mark('tokenClass')]: 3 } },
      costUsd: 0.25,
      input: [{ role: 'user', content: mark('span.input') }],
      output: { content: mark('span.output') },
      status: 'error',
      errorCode: mark('errorCode'),
      errorMessage: mark('errorMessage'),
    },
    {
      ...span,
      spanId: 'tool',
      parentSpanId: 'root',
      name: mark('tool.name'),
      kind: 'tool',
      input: { a: mark('tool.arguments') },
    },
    {
      type: 'score',
      traceId,
      spanId: 'root',
      evaluator: mark('score.evaluator'),
      score: 1,
      label: mark('score.label'),
      comment: mark('score.comment'),
    },
  ]);
  expect(sent).toEqual({ accepted: 4, rejected: [] });
  expect(
    (
      await call('POST', `/v1/projects/${app.projectId}/scores`, {
        body: { traceId, evaluator: mark('human.evaluator'), score: 1 },
      })
    ).status,
  ).toBe(201);
  const outcome = { traceId, kind: mark('outcome'), metadata: { a: mark('outcome.metadata') } };
  expect((await call('POST', '/v1/ingest/outcomes', { body: outcome, headers: { 'x-api-key': app.apiKey } })).status).toBe(202);
  await app.pipeline.drain();
}

const attribute = (key: string, value: string) => ({ key, value: { stringValue: value } });

/** A trace of OTLP, whose spans have further parts. */
async function sendMarkedOtlp(traceId: string): Promise<void> {
  const [start, end] = [startMs - 50_000, startMs - 49_000].map((ms) => `${ms}000000`);
  const span = {
    traceId,
    spanId: '00000000000000a1',
    name: mark('span.name'),
    startTimeUnixNano: start,
    endTimeUnixNano: end,
    traceState: `a=${mark('otlp.state')}`,
    status: { code: 2, message: mark('otlp.message') },
    attributes: [
      attribute('gen_ai.operation.name', 'chat'),
      attribute('gen_ai.request.model', mark('model')),
      attribute(
        'gen_ai.input.messages',
        JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: mark('otlp.input') }] }]),
      ),
      attribute('user.id', mark('user')),
      attribute('session.id', mark('session')),
      attribute('my.own', mark('otlp.attribute')),
    ],
    events: [
      {
        name: 'exception',
        timeUnixNano: start,
        attributes: [attribute('exception.stacktrace', `at ${mark('otlp.stack')}`), attribute('a', mark('otlp.event'))],
      },
    ],
    links: [{ traceId: '0'.repeat(31).concat('9'), spanId: '00000000000000b1', attributes: [attribute('a', mark('otlp.link'))] }],
  };
  const resource = {
    attributes: [attribute('service.name', mark('otlp.service')), attribute('host.name', mark('otlp.resource'))],
  };
  const body = { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: mark('otlp.scope') }, spans: [span] }] }] };
  expect((await call('POST', '/v1/traces', { body, headers: { 'x-api-key': app.apiKey } })).status).toBe(200);
  await app.pipeline.drain();
}

describe('a link', () => {
  const otlpId = '0'.repeat(31).concat('7');
  beforeAll(async () => {
    await sendMarked('marked');
    await sendMarkedOtlp(otlpId);
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

describe('every link that shows nothing is the same 404', () => {
  const traceOf = async (traceId: string) => {
    await app.send([{ ...times, type: 'span', traceId, spanId: 's', name: 'n' }]);
    return share(traceId, { expiresInDays: 1 });
  };

  test('unknown, malformed, deleted, of a deleted trace, switched off, expired', async () => {
    const { token, id } = await traceOf('ends');
    const answers: Record<string, Answer> = {
      unknown: await open('A'.repeat(43)),
      short: await open('abc'),
      strange: await open(encodeURIComponent('../../é')),
    };
    expect((await open(token)).status).toBe(200);
    expect((await call('DELETE', `/v1/projects/${app.projectId}/shares/${id}`)).status).toBe(204);
    answers['deleted'] = await open(token);
    const ofDeleted = await traceOf('deleted');
    expect((await call('DELETE', `/v1/projects/${app.projectId}/traces/deleted`)).status).toBe(204);
    answers['of a deleted trace'] = await open(ofDeleted.token);
    // Another trace of the same id is not what was shared.
    await app.send([{ ...times, type: 'span', traceId: 'deleted', spanId: 's', name: 'again' }]);
    answers['of a trace that came again'] = await open(ofDeleted.token);
    const kept = await share('ends', { expiresInDays: 1 });
    expect((await call('PATCH', `/v1/organizations/${app.organizationId}`, { body: { sharedLinks: false } })).status).toBe(200);
    answers['switched off'] = await open(kept.token);
    const pages = [await fetch(kept.url), await fetch(`${app.url}/share/${'A'.repeat(43)}`)].map(({ status }) => status);
    await call('PATCH', `/v1/organizations/${app.organizationId}`, { body: { sharedLinks: true } });
    expect((await open(kept.token)).status).toBe(200);
    app.clock.advance(dayMs);
    answers['expired'] = await open(kept.token);
    const told = Object.entries(answers).map(([what, { status, text, headers }]) => [
      what,
      status,
      text,
      headers.get('x-robots-tag'),
      headers.get('cache-control'),
    ]);
    const text = answers['unknown']?.text;
    expect(told).toEqual(Object.keys(answers).map((what) => [what, 404, text, 'noindex, nofollow', 'no-store']));
    expect(JSON.parse(text ?? '{}')).toMatchObject({ code: 'not_found' });
    // Without a built dashboard a page says how to build it.
    expect(pages.every((status) => status === 404 || status === 503)).toBe(true);
  });

  test('a trace that is older than the retention', async () => {
    const { token } = await traceOf('old');
    await app.stores.postgres.db
      .updateTable('shares')
      .set({ expires_at: new Date(startMs + 2_000 * dayMs) })
      .where('trace_id', '=', 'old')
      .execute();
    expect((await open(token)).status).toBe(200);
    app.clock.advance(366 * dayMs);
    expect((await open(token)).status).toBe(404);
    app.clock.advance(-366 * dayMs);
  });

  test('expired links are forgotten', async () => {
    const before = await app.stores.postgres.db.selectFrom('shares').select('id').where('trace_id', '=', 'ends').execute();
    expect(before).toHaveLength(1);
    const job = app.features.all.flatMap(({ jobs = [] }) => jobs).find(({ name }) => name === 'forget-shares');
    await job?.run(new AbortController().signal);
    expect(await app.stores.postgres.db.selectFrom('shares').select('id').where('trace_id', '=', 'ends').execute()).toEqual([]);
  });
});

describe('the links of a trace', () => {
  beforeAll(() => app.send([{ ...times, type: 'span', traceId: 'listed', spanId: 's', name: 'n' }]));

  test('are listed without their secrets, newest first, with their views', async () => {
    expect((await call('GET', sharesOf('listed'))).body).toEqual({ shares: [] });
    const first = await share('listed', { expiresInDays: 365, payloads: false, redact: false });
    app.clock.advance(1_000);
    const second = await share('listed');
    for (let time = 0; time < 3; time++) await open(second.token);
    await fetch(`${app.url}/v1/shares/${second.token}`, { method: 'HEAD' });
    const { status, body, text } = await call('GET', sharesOf('listed'));
    expect([status, body]).toEqual([
      200,
      {
        shares: [
          { id: second.id, payloads: true, redact: true, expiresAt: second.expiresAt, views: 3 },
          { id: first.id, payloads: false, redact: false, expiresAt: first.expiresAt, views: 0 },
        ],
      },
    ]);
    expect(text).not.toContain(second.token);
    expect((await call('GET', sharesOf('listed'), { headers: { 'x-api-key': app.apiKey } })).body).toEqual(body);
  });

  test.each([
    [{ expiresInDays: 0 }, 400],
    [{ expiresInDays: 366 }, 400],
    [{ expiresInDays: 1.5 }, 400],
    [{ redact: 'yes' }, 400],
    [{ colour: 'red' }, 400],
  ])('%o is %i', async (body, status) => {
    const answer = await call('POST', sharesOf('listed'), { body });
    expect([answer.status, answer.body['code']]).toEqual([status, 'invalid_request']);
  });

  test('404 comes before 400, for a trace and a link that there are not', async () => {
    expect((await call('POST', sharesOf('missing'), { body: { expiresInDays: 0 } })).status).toBe(404);
    expect((await call('GET', sharesOf('missing'))).status).toBe(404);
    expect((await call('DELETE', `/v1/projects/${app.projectId}/shares/nonsense`)).status).toBe(404);
  });

  test('a viewer may list them, and neither make nor delete one; a key likewise', async () => {
    const person = { email: 'viewer@example.com', name: 'Viewer', role: 'viewer', password: 'a password of theirs' };
    const { cookie } = await addMember(app.url, { cookie: app.cookie }, app.organizationId, person);
    const { id } = await share('listed');
    for (const headers of [{ cookie }, { 'x-api-key': app.apiKey }] as Array<Record<string, string>>) {
      expect((await call('GET', sharesOf('listed'), { headers })).status).toBe(200);
      expect((await call('POST', sharesOf('listed'), { headers, body: {} })).status).toBe(403);
      expect((await call('DELETE', `/v1/projects/${app.projectId}/shares/${id}`, { headers })).status).toBe(403);
    }
  });

  test('a trace has at most 100 that are valid', async () => {
    await app.send([{ ...times, type: 'span', traceId: 'many', spanId: 's', name: 'n' }]);
    const statuses = await Promise.all(
      Array.from({ length: 102 }, async () => (await call('POST', sharesOf('many'), { body: {} })).status),
    );
    expect(statuses.filter((status) => status === 201)).toHaveLength(100);
    expect(statuses.filter((status) => status === 409)).toHaveLength(2);
  });
});

describe('shared links of an organization', () => {
  const organization = () => `/v1/organizations/${app.organizationId}`;
  const setTo = (sharedLinks: boolean, headers?: Record<string, string>) =>
    call('PATCH', organization(), { body: { sharedLinks }, ...(headers ? { headers } : {}) });

  test('are on at first, and switched off and on by an owner alone', async () => {
    const listed = async () =>
      ((await call('GET', '/v1/organizations')).body['organizations'] as Array<{ sharedLinks: boolean }>)[0]?.sharedLinks;
    expect(await listed()).toBe(true);
    const person = { email: 'admin@example.com', name: 'Admin', role: 'admin', password: 'a password of theirs' };
    const { cookie } = await addMember(app.url, { cookie: app.cookie }, app.organizationId, person);
    expect((await setTo(false, { cookie })).status).toBe(403);
    expect((await setTo(false)).body).toMatchObject({ id: app.organizationId, sharedLinks: false });
    expect(await listed()).toBe(false);
    const refused = await call('POST', sharesOf('missing'), { body: { expiresInDays: 0 } });
    expect([refused.status, refused.body['code']]).toEqual([403, 'sharing_disabled']);
    expect((await setTo(true)).body).toMatchObject({ sharedLinks: true });
    expect((await call('PATCH', organization(), { body: {} })).status).toBe(400);
    expect((await call('PATCH', organization(), { body: { name: 'Renamed' } })).body).toMatchObject({
      name: 'Renamed',
      sharedLinks: true,
    });
  });

  test('are in the audit log, as each link is', async () => {
    await app.send([{ ...times, type: 'span', traceId: 'audited', spanId: 's', name: 'n' }]);
    const { id, token, expiresAt } = await share('audited', { redact: false });
    await call('DELETE', `/v1/projects/${app.projectId}/shares/${id}`);
    await setTo(true);
    const { body, text } = await call('GET', `${organization()}/audit-log?limit=6`);
    const detail = { traceId: 'audited', payloads: true, redact: false, expiresAt };
    const entries = body['entries'] as Array<Record<string, unknown>>;
    expect(entries.slice(0, 2)).toMatchObject([
      { kind: 'share.deleted', subject: id, projectId: app.projectId, detail },
      { kind: 'share.created', subject: id, projectId: app.projectId, detail, actor: { name: 'owner@example.com' } },
    ]);
    expect(text).not.toContain(token);
    const { body: changes } = await call('GET', `${organization()}/audit-log?kind=organization.shared_links_changed`);
    expect((changes['entries'] as Array<{ detail: unknown }>).slice(0, 2).map((entry) => entry.detail)).toEqual([
      { from: false, to: true },
      { from: true, to: false },
    ]);
  });
});
