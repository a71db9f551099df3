import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { addMember } from '../support/add-member.ts';
import { jobLimits } from '../../src/contract/jobs.ts';

const startMs = Date.UTC(2026, 10, 20, 10);
let app: TestApp;
let cookies: Record<string, string>;

beforeAll(async () => {
  app = await startTestApp(startMs);
  cookies = { owner: app.cookie };
  for (const role of ['member', 'viewer']) {
    const person = { email: `${role}@example.com`, password: 'a password of a test', name: role, role };
    cookies[role] = (await addMember(app.url, { cookie: app.cookie }, app.organizationId, person)).cookie;
  }
});
afterAll(() => app.close());

interface Asked {
  status: number;
  // Tests compare the fields that they expect.
  body: ReturnType<typeof JSON.parse>;
}

const download = async (id: string, by = 'owner') => {
  const caller = by === 'key' ? { 'x-api-key': app.apiKey } : { cookie: cookies[by] ?? '' };
  return fetch(`${app.url}/v1/projects/${app.projectId}/jobs/${id}/download`, { headers: caller });
};

async function ask(method: string, path: string, body?: unknown, by = 'owner'): Promise<Asked> {
  const caller = by === 'key' ? { 'x-api-key': app.apiKey } : { cookie: cookies[by] ?? '' };
  const answer = await fetch(`${app.url}/v1/projects/${app.projectId}${path}`, {
    method,
    headers: { ...caller, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
}

const select = (body: object, by?: string) => ask('POST', '/selections', body, by);
const jobOf = async (id: string) => (await ask('GET', `/jobs/${id}`)).body;

/** Makes a job, runs it, and returns its record. */
async function done(body: object, by?: string) {
  const made = await select(body, by);
  expect([made.status, made.body.error]).toEqual([202, undefined]);
  await app.features.jobs.runPending();
  return jobOf(made.body.job.id);
}

let sent = 0;
/** Sends traces of two spans and a score each. */
async function sendTraces(count: number, more: object = {}): Promise<string[]> {
  const ids = Array.from({ length: count }, () => `trace-${(sent += 1)}`);
  const time = new Date(startMs).toISOString();
  const events = ids.flatMap((traceId) => [
    { type: 'span', traceId, spanId: 'root', name: 'answer', startTime: time, endTime: time, ...more },
    {
      type: 'span',
      traceId,
      spanId: 'call',
      parentSpanId: 'root',
      kind: 'llm',
      model: 'gpt-4o',
      name: 'call',
      startTime: time,
      costUsd: 0.5,
    },
    { type: 'score', traceId, spanId: 'call', scoreId: `score-${traceId}`, evaluator: 'quality', score: 0.5 },
  ]);
  for (let at = 0; at < events.length; at += 99) await app.send(events.slice(at, at + 99));
  return ids;
}

const stored = async (ids: readonly string[]) => {
  const found = await Promise.all(ids.map((id) => ask('GET', `/traces/${id}`)));
  return ids.filter((_, index) => found[index]?.status === 200);
};

test('deletes traces with what was derived from them, and says which ids named nothing', async () => {
  const [kept] = await sendTraces(1);
  const ids = await sendTraces(3);
  const record = await done({ on: 'traces', ids: [...ids, 'missing', ids[0]], except: [ids[2]], action: { type: 'delete' } });
  expect(record).toMatchObject({
    type: 'delete',
    status: 'completed',
    matched: 3,
    done: 2,
    failed: 1,
    errors: [{ id: 'missing', error: 'There is no such trace.' }],
    createdBy: 'owner@example.com',
    result: null,
  });
  expect(await stored([...ids, kept ?? ''])).toEqual([ids[2], kept]);
  const models = await ask('GET', `/spans?limit=200`);
  expect(models.body.spans.map((span: { traceId: string }) => span.traceId).toSorted()).toEqual(
    [kept, kept, ids[2], ids[2]].toSorted(),
  );
  const { entries } = (await app.get('/v1/organizations/' + app.organizationId + '/audit-log?kind=traces.deleted')).body as {
    entries: Array<{ subject: string; detail: unknown; actor: { name: string } }>;
  };
  expect(entries).toMatchObject([
    {
      subject: record.id,
      actor: { name: 'owner@example.com' },
      detail: { jobId: record.id, traces: 2, spans: 4, traceIds: ids.slice(0, 2) },
    },
  ]);
  const begun = (await app.get('/v1/organizations/' + app.organizationId + '/audit-log?kind=selection.started')).body as {
    entries: unknown[];
  };
  expect(begun.entries[0]).toMatchObject({
    subject: record.id,
    actor: { name: 'owner@example.com' },
    detail: { action: 'delete', on: 'traces', matched: 3 },
  });
});

test('a trace that is sent again after its deletion is there', async () => {
  const [id] = await sendTraces(1);
  await done({ on: 'traces', ids: [id], action: { type: 'delete' } });
  sent -= 1;
  app.clock.advance(1_000);
  await sendTraces(1);
  expect(await stored([id ?? ''])).toEqual([id]);
});

test('what is no selection is refused, and so is who may not do it', async () => {
  const action = { type: 'delete' };
  const on = 'traces';
  const wrong: Array<[object, string?]> = [
    [{ on, action }],
    [{ on, action, ids: [] }],
    [{ on, action, ids: ['a'], filter: '' }],
    [{ on, action, filter: '', view: 'some' }],
    [{ on, action, ids: [{ traceId: 'a', spanId: 'b' }] }, '/ids/0'],
    [{ on: 'spans', action: { type: 'export', format: 'csv' }, ids: ['a'] }, '/ids/0'],
    [{ on: 'spans', action: { type: 'export', format: 'csv' }, filter: '', except: ['a'] }, '/except/0'],
    [{ on: 'spans', action, filter: '' }, '/on'],
    [{ on, action: { type: 'forget' }, filter: '' }],
    [{ on, action: { type: 'export', format: 'xlsx' }, filter: '' }],
    [{ on, action, filter: '', range: '7d', from: '2026-11-20T00:00:00Z' }],
    [{ on, action, filter: '', other: 1 }],
    [{ on, action, ids: Array.from({ length: 5_001 }, (_, index) => `t${index}`) }, '/ids'],
  ];
  for (const [body, path] of wrong) {
    const answer = await select(body);
    expect([answer.status, answer.body.code], JSON.stringify(body).slice(0, 200)).toEqual([400, 'invalid_request']);
    if (path !== undefined) expect(answer.body.details[0].path).toBe(path);
  }
  const unread = await select({ on, action, filter: 'latency:fast' });
  expect([unread.status, unread.body.code]).toEqual([400, 'invalid_filter']);
  const missing = { type: 'addToDataset', datasetId: '0197a000-0000-7000-8000-00000000ffff' };
  for (const datasetId of [missing.datasetId, 'none'])
    expect((await select({ on, action: { ...missing, datasetId }, ids: ['a'] })).status).toBe(404);
  expect((await select({ on, action: { type: 'export', format: 'csv' }, view: missing.datasetId })).status).toBe(404);
  for (const [by, refused] of [
    ['key', action],
    ['member', action],
    ['viewer', action],
    ['viewer', missing],
  ] as const) {
    // Also where the rest is wrong.
    expect((await select({ on, action: refused }, by)).status, `${by} ${refused.type}`).toBe(403);
  }
  expect((await select({ on, action, ids: ['a'] }, 'nobody')).status).toBe(401);
});

const datasetOf = async (name: string) => {
  const made = await fetch(`${app.url}/v1/datasets`, {
    method: 'POST',
    headers: { 'x-api-key': app.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  return ((await made.json()) as { id: string }).id;
};
const itemsOf = async (datasetId: string) => {
  const answer = await fetch(`${app.url}/v1/datasets/${datasetId}/items?limit=200`, { headers: { 'x-api-key': app.apiKey } });
  return ((await answer.json()) as { items: Array<Record<string, unknown>> }).items;
};

test('adds the traces or spans of a filter to a dataset, with their outputs or without', async () => {
  const datasetId = await datasetOf('selected');
  const [first, second] = await sendTraces(2, { input: { question: 1 }, output: 'an answer', userId: 'dataset user' });
  const filter = 'user:"dataset user"';
  const action = { type: 'addToDataset', datasetId };
  const added = await done({ on: 'traces', filter, range: '1d', action }, 'member');
  expect(added).toMatchObject({ status: 'completed', matched: 2, done: 2, failed: 0, result: { datasetId } });
  const source = (traceId: string | undefined) => ({ traceId, spanId: 'root' });
  const item = { input: { question: 1 }, expectedOutput: 'an answer' };
  expect(
    (await itemsOf(datasetId)).map(({ input, expectedOutput, source: from }) => ({ input, expectedOutput, source: from })),
  ).toEqual([second, first].map((traceId) => ({ ...item, source: source(traceId) })));
  const spans = await datasetOf('spans');
  const ids = [
    { traceId: first, spanId: 'call' },
    { traceId: first, spanId: 'none' },
  ];
  const ofSpans = { type: 'addToDataset', datasetId: spans, expectedOutput: 'none' };
  expect(await done({ on: 'spans', ids, action: ofSpans }, 'key')).toMatchObject({
    done: 1,
    failed: 1,
    errors: [{ id: `${first}/none`, error: 'There is no such span.' }],
  });
  const [bare] = await itemsOf(spans);
  expect(bare).toMatchObject({ input: null, source: { traceId: first, spanId: 'call' } });
  expect(bare).not.toHaveProperty('expectedOutput', 'an answer');
  const gone = await select({ on: 'spans', ids, action: ofSpans });
  await fetch(`${app.url}/v1/datasets/${spans}`, { method: 'DELETE', headers: { cookie: app.cookie, 'x-api-key': app.apiKey } });
  await app.features.jobs.runPending();
  const { id } = gone.body.job;
  expect(await jobOf(id)).toMatchObject({ status: 'failed', failed: 2, errors: [{ id, error: 'The dataset was deleted.' }] });
});

test('the set is fixed when the job is made', async () => {
  const [first] = await sendTraces(1, { userId: 'fixed' });
  const made = await select({ on: 'traces', filter: 'user:fixed', action: { type: 'export', format: 'jsonl' } }, 'viewer');
  await sendTraces(1, { userId: 'fixed' });
  await app.features.jobs.runPending();
  const text = await (await download(made.body.job.id)).text();
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { traceId: string }).traceId),
  ).toEqual([first]);
});

test('exports the records of a list, with their payloads', async () => {
  const more = {
    input: { n: '12345678901234567890' },
    output: '=1+1',
    metadata: { plan: 'pro' },
    attributes: { k: 'v' },
    userId: 'exported',
  };
  const ids = await sendTraces(3, more);
  const filter = 'user:exported';
  for (const on of ['traces', 'spans'] as const) {
    const listed = (await ask('GET', `/${on}?filter=${encodeURIComponent(filter)}`)).body[on];
    expect(listed).toHaveLength(on === 'traces' ? 3 : 6);
    const plain = await done({ on, filter, action: { type: 'export', format: 'jsonl', payloads: false } }, 'key');
    expect(plain).toMatchObject({ status: 'completed', matched: listed.length, done: listed.length, failed: 0 });
    expect(plain.result).toEqual({
      url: `/v1/projects/${app.projectId}/jobs/${plain.id}/download`,
      expiresAt: new Date(app.clock.now() + 7 * 86_400_000).toISOString(),
    });
    const answer = await download(plain.id, 'viewer');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${on}-${plain.id}.jsonl"`);
    const lines = (await answer.text()).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(listed);
    const whole = await done({ on, filter, action: { type: 'export', format: 'jsonl', payloads: true } });
    const records = (await (await download(whole.id)).text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records.map(({ input: _i, output: _o, metadata: _m, attributes: _a, ...rest }) => rest)).toEqual(listed);
    for (const record of records.filter(({ spanId }) => spanId !== 'call'))
      expect(record).toMatchObject({
        input: more.input,
        output: more.output,
        metadata: more.metadata,
        attributes: more.attributes,
      });
  }
  expect(await stored(ids)).toEqual(ids);
});

test('a CSV file quotes every cell, and runs no formula', async () => {
  await sendTraces(1, {
    name: '=cmd',
    userId: '-1',
    sessionId: 'a "quoted", text',
    tags: ['x', 'y'],
    output: '@SUM(A1)',
    input: 42,
  });
  const action = { type: 'export', format: 'csv', payloads: true };
  const { id } = await done({ on: 'traces', filter: 'user:"-1"', action });
  const answer = await download(id);
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const [header = '', line = ''] = (await answer.text()).split('\n');
  const cells = [...line.matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)].map(([, cell = '']) => cell.replaceAll('""', '"'));
  expect(line.replaceAll(/"(?:[^"]|"")*"/g, '')).toMatch(/^,+$/);
  const names = header.split(',').map((name) => name.slice(1, -1));
  expect(cells).toHaveLength(names.length);
  const record = Object.fromEntries(names.map((name, index) => [name, cells[index]]));
  expect(record).toMatchObject({
    name: "'=cmd",
    userId: "'-1",
    sessionId: 'a "quoted", text',
    tags: '["x","y"]',
    costUsd: '0.5',
    spanCount: '2',
    error: '',
    input: '42',
    output: "'@SUM(A1)",
    attributes: '',
  });
  const empty = await done({ on: 'spans', filter: 'user:nobody', action: { ...action, payloads: false } });
  expect(empty).toMatchObject({ status: 'completed', matched: 0, done: 0 });
  expect((await (await download(empty.id)).text()).split('\n')).toEqual([expect.stringMatching(/^"traceId","spanId",/), '']);
});

test('an export is not there before it is complete, and no longer after 7 days', async () => {
  const made = await select({ on: 'traces', filter: '', action: { type: 'export', format: 'jsonl' } });
  const { id } = made.body.job;
  expect((await download(id)).status).toBe(404);
  await app.features.jobs.runPending();
  expect((await download(id)).status).toBe(200);
  const clean = async () => {
    for (const feature of app.features.all)
      for (const job of feature.jobs ?? []) if (job.name === 'remove-exports') await job.run(new AbortController().signal);
  };
  await clean();
  expect((await download(id)).status).toBe(200);
  const before = app.clock.now();
  app.clock.advance(7 * 86_400_000 + 1);
  expect((await download(id)).status).toBe(404);
  await clean();
  app.clock.set(before);
  expect((await download(id)).status).toBe(404);
  expect(jobLimits.matched).toBe(1_000_000);
});

describe('tags of traces', () => {
  const tagsNow = async (id: string) => (await ask('GET', `/traces/${id}`)).body.trace.tags as string[];
  const listed = async (filter: string, on = 'traces') => {
    const found = await ask('GET', `/${on}?limit=200&filter=${encodeURIComponent(filter)}`);
    return (found.body[on] as Array<{ traceId: string; spanId?: string }>).map(({ traceId, spanId }) => spanId ?? traceId);
  };
  /** Every read of the tags of a trace of its own user. */
  const everywhere = async (id: string, user: string) => {
    const [byParameter, facet] = await Promise.all([
      ask('GET', `/traces?user=${user}`),
      ask('GET', `/facets?on=traces&field=tag&filter=${encodeURIComponent(`user:${user}`)}`),
    ]);
    const tags = await tagsNow(id);
    expect(byParameter.body.traces).toMatchObject([{ traceId: id, tags }]);
    expect(facet.body.facets[0].values.map(({ value }: { value: string }) => value).toSorted()).toEqual(tags.toSorted());
    for (const tag of tags) {
      expect(await listed(`user:${user} tag:${tag}`)).toEqual([id]);
      expect((await ask('GET', `/traces?user=${user}&tag=${tag}`)).body.traces).toHaveLength(1);
    }
    return tags;
  };

  test('are added and removed, and stay when the trace is sent again', async () => {
    const time = new Date(startMs).toISOString();
    const root = {
      type: 'span',
      traceId: 'tagged',
      spanId: 'root',
      name: 'n',
      startTime: time,
      userId: 'tagger',
      tags: ['sent', 'unwanted'],
    };
    const child = { ...root, spanId: 'child', parentSpanId: 'root', tags: [] };
    await app.send([root, child]);
    const change = async (type: string, tags: string[]) => {
      const record = await done({ on: 'traces', ids: ['tagged'], action: { type, tags } }, 'member');
      expect(record).toMatchObject({ type, status: 'completed', done: 1, failed: 0 });
    };
    await change('addTags', ['gold', 'sent', 'later']);
    expect(await everywhere('tagged', 'tagger')).toEqual(['sent', 'unwanted', 'gold', 'later']);
    await change('removeTags', ['unwanted', 'later', 'none']);
    expect(await everywhere('tagged', 'tagger')).toEqual(['sent', 'gold']);
    expect(await listed('user:tagger tag:unwanted')).toEqual([]);
    // A span without tags has those of its trace.
    expect(await listed('trace:tagged tag:gold', 'spans')).toEqual(['child']);
    app.clock.advance(5_000);
    await app.send([{ ...root, tags: ['sent', 'unwanted', 'new'] }, child, { ...child, spanId: 'second' }]);
    expect(await everywhere('tagged', 'tagger')).toEqual(['sent', 'new', 'gold']);
    await change('addTags', ['unwanted']);
    await app.send([{ type: 'trace', traceId: 'tagged', name: 'n', tags: ['record'] }]);
    expect(await everywhere('tagged', 'tagger')).toEqual(['record', 'sent', 'unwanted', 'new', 'gold']);
    // What was deleted has no tags of its past when it is sent again.
    await done({ on: 'traces', ids: ['tagged'], action: { type: 'delete' } });
    app.clock.advance(5_000);
    await app.send([root]);
    expect(await everywhere('tagged', 'tagger')).toEqual(['sent', 'unwanted']);
  });

  test('a trace that is none fails, and so does one with 200 tags', async () => {
    const [id = ''] = await sendTraces(1);
    for (let at = 0; at < 4; at++) {
      const tags = Array.from({ length: 50 }, (_, index) => `tag-${at}-${index}`);
      expect(await done({ on: 'traces', ids: [id], action: { type: 'addTags', tags } })).toMatchObject({ done: 1 });
    }
    const record = await done({ on: 'traces', ids: [id, 'missing'], action: { type: 'addTags', tags: ['one more'] } });
    expect(record).toMatchObject({ done: 0, failed: 2 });
    expect(record.errors).toContainEqual({ id, error: 'A trace has at most 200 tags; remove some first.' });
    expect(record.errors).toContainEqual({ id: 'missing', error: 'There is no such trace.' });
    expect(await tagsNow(id)).toHaveLength(200);
  });

  test.each([[[]], [['']], [['x'.repeat(101)]], [Array.from({ length: 51 }, (_, index) => `t${index}`)], [['a\0b']]])(
    '%j are refused',
    async (tags) => {
      const answer = await select({ on: 'traces', ids: ['a'], action: { type: 'addTags', tags } });
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
    },
  );

  test('spans have none of their own to change, and a viewer may not', async () => {
    const action = { type: 'addTags', tags: ['a'] };
    expect((await select({ on: 'spans', filter: '', action })).status).toBe(400);
    expect((await select({ on: 'traces', filter: '', action }, 'viewer')).status).toBe(403);
  });

  test('of a partly expired trace are those of what is left, as they were changed', async () => {
    const before = app.clock.now();
    const early = new Date(before - 360 * 86_400_000).toISOString();
    const late = new Date(before).toISOString();
    const span = { type: 'span', traceId: 'long', name: 'n', userId: 'longer' };
    await app.send([
      { ...span, spanId: 'early', startTime: early, tags: ['early'] },
      { ...span, spanId: 'late', startTime: late, tags: ['late', 'unwanted'] },
    ]);
    await done({ on: 'traces', ids: ['long'], action: { type: 'addTags', tags: ['gold'] } });
    await done({ on: 'traces', ids: ['long'], action: { type: 'removeTags', tags: ['unwanted'] } });
    expect(await tagsNow('long')).toEqual(['early', 'late', 'gold']);
    app.clock.advance(10 * 86_400_000);
    expect(await tagsNow('long')).toEqual(['late', 'gold']);
    expect(await listed('user:longer tag:gold')).toEqual(['long']);
    expect(await listed('user:longer tag:unwanted')).toEqual([]);
    app.clock.set(before);
  });
});

describe('evaluation of stored records', () => {
  const post = (path: string, body: object) => ask('POST', path, body);
  const scoresOf = async (evaluator: string) => {
    const { scores } = (await ask('GET', `/scores?evaluator=${evaluator}&limit=200`)).body as {
      scores: Array<{
        traceId: string;
        spanId: string | null;
        score: number;
        passed: boolean;
        timestamp: string;
        source: string;
      }>;
    };
    return scores;
  };

  test('scores what was stored before the evaluator was, once, at the time of the record', async () => {
    const [first = '', second = ''] = await sendTraces(2, { userId: 'evaluated', output: 'a good answer' });
    const slug = 'says-good';
    expect((await post('/evaluators', { slug, type: 'contains', config: { value: 'good' }, target: 'span' })).status).toBe(201);
    app.clock.advance(3_600_000);
    const filter = 'user:evaluated';
    const action = { type: 'evaluate', evaluators: [slug] };
    const record = await done({ on: 'traces', filter, action }, 'member');
    expect(record).toMatchObject({ type: 'evaluate', status: 'completed', matched: 2, done: 2, failed: 0 });
    await app.pipeline.drain();
    const time = new Date(startMs).toISOString();
    const scores = await scoresOf(slug);
    expect(scores.map(({ traceId }) => traceId).toSorted()).toEqual([first, second].toSorted());
    for (const score of scores) expect(score).toMatchObject({ spanId: null, score: 1, passed: true, timestamp: time });
    // Scored ones are left; spans are records of their own.
    expect(await done({ on: 'traces', filter, action })).toMatchObject({ done: 2, failed: 0 });
    const ofSpans = await done({ on: 'spans', filter: `${filter} trace:${first}`, action });
    expect(ofSpans).toMatchObject({ matched: 2, done: 1, failed: 1 });
    expect(ofSpans.errors[0]).toMatchObject({ id: `${first}/call`, error: expect.stringContaining(slug) });
    await app.pipeline.drain();
    expect(await scoresOf(slug)).toHaveLength(3);
  });

  test('takes the newest of the records, and stops at a limit of costs', async () => {
    await sendTraces(3, { userId: 'limited', output: 'x' });
    const slug = 'is-x';
    await post('/evaluators', { slug, type: 'contains', config: { value: 'x' }, target: 'trace' });
    const action = { type: 'evaluate', evaluators: [slug], maxItems: 2 };
    const record = await done({ on: 'traces', filter: 'user:limited', action });
    expect(record).toMatchObject({ matched: 2, done: 2 });
    const unpaid = await done({ on: 'traces', filter: 'user:limited', action: { ...action, maxItems: 3, maxCostUsd: 0 } });
    expect(unpaid).toMatchObject({ matched: 3, done: 2, failed: 1, errors: [{ error: expect.stringContaining('limit') }] });
    expect(await done({ on: 'traces', ids: ['nothing'], action })).toMatchObject({ matched: 1, failed: 1 });
  });

  test('an evaluator that cannot evaluate a record is refused', async () => {
    const slugs = { off: { enabled: false }, sessions: { target: 'session' } };
    for (const [slug, more] of Object.entries(slugs))
      expect(
        (await post('/evaluators', { slug, type: 'contains', config: { value: 'x' }, target: 'trace', ...more })).status,
      ).toBe(201);
    await post('/evaluators', { slug: 'expects', type: 'exact', target: 'trace' });
    for (const [slug, status] of [
      ['off', 400],
      ['sessions', 400],
      ['expects', 400],
      ['unknown', 404],
    ] as const) {
      const answer = await select({ on: 'traces', ids: ['a'], action: { type: 'evaluate', evaluators: [slug] } });
      expect(answer.status, slug).toBe(status);
    }
    expect((await select({ on: 'traces', ids: ['a'], action: { type: 'evaluate', evaluators: [] } })).status).toBe(400);
    expect((await select({ on: 'traces', ids: ['a'], action: { type: 'evaluate', evaluators: ['off'] } }, 'viewer')).status).toBe(
      403,
    );
  });
});
