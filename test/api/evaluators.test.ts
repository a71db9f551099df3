import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addMember } from '../support/add-member.ts';
import { startEvaluationApp } from '../support/evaluation.ts';
import type { EvaluationApp } from '../support/evaluation.ts';

const startMs = Date.UTC(2026, 10, 21, 13);
let app: EvaluationApp;

beforeAll(async () => {
  app = await startEvaluationApp(startMs);
});
afterAll(() => app.close());

const contains = (slug: string) => ({ slug, type: 'contains', config: { value: 'yes' } });

describe('POST an evaluator', () => {
  test('201 with every field, defaults filled in', async () => {
    const { status, body } = await app.call('POST', '/evaluators', contains('polite.v-1_a'));
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{14}7/),
      slug: 'polite.v-1_a',
      name: 'polite.v-1_a',
      type: 'contains',
      config: { value: 'yes' },
      target: 'trace',
      filter: {},
      sampleRate: 1,
      passThreshold: null,
      idleMinutes: 30,
      enabled: true,
      createdAt: new Date(startMs).toISOString(),
      updatedAt: new Date(startMs).toISOString(),
    });
    expect((await app.call('GET', '/evaluators/polite.v-1_a')).body).toEqual(body);
    expect((await app.call('GET', `/evaluators/${body.id}`)).body).toEqual(body);
  });

  test('every type and field, by key', async () => {
    const configs = {
      exact: {},
      fuzzy: {},
      contains: { value: 'x', ignoreCase: true },
      regex: { pattern: '^a+$', flags: 'i' },
      json_schema: { schema: { type: 'object' } },
      latency: { maxMs: 100 },
      cost: { maxUsd: 0.5 },
    };
    for (const [type, config] of Object.entries(configs)) {
      const sent = {
        slug: `every-${type}`,
        name: 'Every',
        type,
        config,
        target: 'session',
        filter: { kinds: ['llm'], models: ['m'], agents: ['a'], environments: ['e'], tags: ['t'] },
        sampleRate: 0.25,
        passThreshold: 0.5,
        idleMinutes: 5,
        enabled: false,
      };
      const { status, body } = await app.call('POST', '/evaluators', sent, { 'x-api-key': app.apiKey });
      expect(status, type).toBe(201);
      expect(body).toMatchObject({ ...sent, config: type === 'fuzzy' ? { threshold: 0.8 } : config });
    }
  });

  test.each([
    ['no slug', { slug: undefined }, '/slug'],
    ['a slug with a space', { slug: 'a b' }, '/slug'],
    ['a slug that looks like an id', { slug: '0197A000-0000-7000-8000-00000000000f' }, '/slug'],
    ['an unknown type', { type: 'vibes' }, '/type'],
    ['a configuration of another type', { config: { maxMs: 3 } }, '/config/'],
    ['a bad pattern', { type: 'regex', config: { pattern: '(' } }, '/config/pattern'],
    ['a bad schema', { type: 'json_schema', config: { schema: { type: 'nonsense' } } }, '/config/schema'],
    ['a configuration that is no object', { config: [] }, '/config'],
    ['an unknown target', { target: 'project' }, '/target'],
    ['an unknown kind', { filter: { kinds: ['robot'] } }, '/filter/kinds/0'],
    ['an unknown filter', { filter: { users: ['u'] } }, '/filter/users'],
    ['a rate above 1', { sampleRate: 1.1 }, '/sampleRate'],
    ['a rate below 0', { sampleRate: -0.1 }, '/sampleRate'],
    ['a threshold that is no number', { passThreshold: '1' }, '/passThreshold'],
    ['no idle time', { idleMinutes: 0 }, '/idleMinutes'],
    ['an unknown field', { colour: 'red' }, '/colour'],
    [
      'a connection that is not there',
      {
        type: 'llm_judge',
        config: { connectionId: '0197a000-0000-7000-8000-000000000001', model: 'm', instructions: 'judge', scale: [0, 1] },
      },
      '/config/connectionId',
    ],
  ])('400 for %s', async (_, wrong, path) => {
    const { status, body } = await app.call('POST', '/evaluators', { ...contains('wrong'), ...wrong });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_request', error: expect.any(String) });
    expect(body.details[0].path).toMatch(new RegExp(`^${path}`));
  });

  test('409 for a slug that is taken, also for concurrent requests', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => app.call('POST', '/evaluators', contains('taken'))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('conflict');
  });

  test('401 without credentials, 403 for a viewer, 404 for a key of another project', async () => {
    expect((await app.call('POST', '/evaluators', contains('a'), {})).status).toBe(401);
    const viewer = await signedIn('viewer');
    expect((await app.call('POST', '/evaluators', contains('a'), { cookie: viewer })).status).toBe(403);
    expect((await app.call('GET', '/evaluators', undefined, { cookie: viewer })).status).toBe(200);
    const { id } = await post(`/v1/organizations/${app.organizationId}/projects`, { name: 'Other' });
    const { key } = await post(`/v1/projects/${id}/api-keys`, { name: 'other' });
    expect((await app.call('POST', '/evaluators', contains('a'), { 'x-api-key': key })).status).toBe(404);
  });
});

describe('one evaluator', () => {
  test('PATCH changes the given fields and keeps the others', async () => {
    const made = await app.evaluator({ ...contains('changing'), sampleRate: 0.5 });
    app.clock.advance(1_000);
    const { status, body } = await app.call('PATCH', '/evaluators/changing', {
      name: 'Changed',
      passThreshold: 0.7,
      filter: { models: ['m/1'] },
      slug: 'changed',
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...made,
      slug: 'changed',
      name: 'Changed',
      passThreshold: 0.7,
      filter: { models: ['m/1'] },
      updatedAt: new Date(app.clock.now()).toISOString(),
    });
    expect((await app.call('PATCH', `/evaluators/${made.id}`, { passThreshold: null })).body.passThreshold).toBeNull();
  });

  test('PATCH checks the configuration by the new type', async () => {
    await app.evaluator(contains('typed'));
    const alone = await app.call('PATCH', '/evaluators/typed', { type: 'latency' });
    expect(alone.status).toBe(400);
    expect(alone.body.details[0].path).toBe('/config/maxMs');
    const both = await app.call('PATCH', '/evaluators/typed', { type: 'latency', config: { maxMs: 5 } });
    expect(both).toMatchObject({ status: 200, body: { type: 'latency', config: { maxMs: 5 } } });
    expect((await app.call('PATCH', '/evaluators/typed', { config: { maxUsd: 5 } })).status).toBe(400);
  });

  test('concurrent changes leave a configuration that is valid for its type', async () => {
    await app.evaluator(contains('contended'));
    const answers = await Promise.all([
      app.call('PATCH', '/evaluators/contended', { type: 'latency', config: { maxMs: 1 } }),
      app.call('PATCH', '/evaluators/contended', { config: { value: 'no' } }),
      app.call('PATCH', '/evaluators/contended', { type: 'cost', config: { maxUsd: 1 } }),
    ]);
    for (const { status } of answers) expect([200, 400, 409]).toContain(status);
    const { body } = await app.call('GET', '/evaluators/contended');
    const fitting = { latency: { maxMs: 1 }, cost: { maxUsd: 1 }, contains: { value: 'no' } };
    expect(body.config).toEqual(fitting[body.type as keyof typeof fitting]);
  });

  test('PATCH: 404 before 400, 409 for a slug that is taken, 400 for an unknown field', async () => {
    await app.evaluator(contains('first'));
    await app.evaluator(contains('second'));
    expect((await app.call('PATCH', '/evaluators/nobody', { nonsense: 1 })).status).toBe(404);
    expect((await app.call('PATCH', '/evaluators/second', { slug: 'first' })).status).toBe(409);
    expect((await app.call('PATCH', '/evaluators/second', { nonsense: 1 })).status).toBe(400);
  });

  test('PATCH: 400 for the id of another evaluator as the slug, so that an id names one evaluator only', async () => {
    const other = await app.evaluator(contains('named-by-id'));
    const { id } = await app.evaluator(contains('imitates'));
    const { status, body } = await app.call('PATCH', '/evaluators/imitates', { slug: other.id });
    expect(status).toBe(400);
    expect(body.details[0]).toEqual({ path: '/slug', message: 'must not look like an id' });
    expect((await app.call('GET', `/evaluators/${other.id.toUpperCase()}`)).body).toEqual(other);
    expect((await app.call('GET', `/evaluators/${id}`)).body.slug).toBe('imitates');
  });

  test('DELETE: 204, then 404; queued evaluations are deleted', async () => {
    await app.evaluator({ ...contains('leaving'), target: 'span' });
    await app.send([app.span({ traceId: 'leaving', spanId: 's' })]);
    expect(await app.evaluations('?evaluator=leaving')).toMatchObject([{ status: 'queued', attempts: 0, startedAt: null }]);
    expect((await app.call('DELETE', '/evaluators/leaving')).status).toBe(204);
    expect((await app.call('GET', '/evaluators/leaving')).status).toBe(404);
    expect((await app.call('DELETE', '/evaluators/leaving')).status).toBe(404);
    expect(await app.evaluations('?evaluator=leaving')).toEqual([]);
  });

  test.each(['x'.repeat(300), 'a%2Fb'])('404 for %s', async (id) => {
    expect((await app.call('GET', `/evaluators/${id}`)).status).toBe(404);
  });
});

test('the list is paged, oldest first', async () => {
  const slugs: string[] = [];
  let cursor = '';
  do {
    const { status, body } = await app.call('GET', `/evaluators?limit=4${cursor}`);
    expect(status).toBe(200);
    slugs.push(...body.evaluators.map((evaluator: { slug: string }) => evaluator.slug));
    cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
  } while (cursor !== '');
  expect(slugs[0]).toBe('polite.v-1_a');
  expect(new Set(slugs).size).toBe(slugs.length);
  expect(slugs).toContain('second');
  expect((await app.call('GET', '/evaluators?limit=0')).status).toBe(400);
  expect((await app.call('GET', '/evaluators?cursor=nonsense')).status).toBe(400);
});

async function post(path: string, body: object): Promise<ReturnType<typeof JSON.parse>> {
  const answer = await fetch(`${app.url}${path}`, {
    method: 'POST',
    headers: { cookie: app.cookie, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answer.json();
}

async function signedIn(role: string): Promise<string> {
  const person = { email: `${role}@example.com`, password: 'a password of theirs', name: role, role };
  return (await addMember(app.url, { cookie: app.cookie }, app.organizationId, person)).cookie;
}
