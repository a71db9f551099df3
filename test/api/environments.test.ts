import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { environment, environmentPage } from '../../src/contract/environments.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import { openGovernance } from '../support/governance.ts';
import type { Governance } from '../support/governance.ts';
import { dayMs } from '../../src/contract/durations.ts';

const nowMs = Date.UTC(2026, 10, 20, 10);
const unknownId = '0197a000-0000-7000-8000-000000000009';

let service: Governance;
let created = 0;

beforeAll(async () => {
  service = await openGovernance(nowMs);
});
afterAll(() => service.close());

const path = '/environments';
const nameOf = (): string => `env-${++created}`;
const create = async (given: object = {}) => (await service.owner('POST', path, { name: nameOf(), ...given })).body;
const span = (spanId: string, environmentName: string, startMs: number) => ({
  type: 'span',
  traceId: `t-${spanId}`,
  spanId,
  name: 'n',
  environment: environmentName,
  startTime: new Date(startMs).toISOString(),
});

describe('POST environments', () => {
  test('creates one', async () => {
    const name = nameOf();
    const { status, body } = await service.owner('POST', path, { name });
    const now = new Date(service.app.clock.now()).toISOString();
    expect(status).toBe(201);
    expect(environment.strict().parse(body)).toEqual({
      id: body.id,
      projectId: service.app.projectId,
      name,
      description: '',
      managedBy: 'dashboard',
      attached: { guardrails: [], alerts: [], incidents: [] },
      lastSeenAt: null,
      createdAt: now,
      updatedAt: now,
    });
    expect((await service.owner('GET', `${path}/${body.id}`)).body).toEqual(body);
  });

  test('is 503 and changes nothing while ClickHouse cannot be read', async () => {
    const { id, name } = await create();
    const [revision, other] = [await service.revision(), nameOf()];
    const reading = vi.spyOn(service.app.stores.clickhouse, 'forTenant').mockImplementation(() => {
      throw new ServiceError('unavailable', 'ClickHouse does not answer.', { retryAfterSeconds: 1 });
    });
    onTestFinished(() => reading.mockRestore());
    expect(await service.owner('POST', path, { name: other })).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect((await service.owner('PATCH', `${path}/${id}`, { description: 'changed' })).status).toBe(503);
    reading.mockRestore();
    expect(await service.revision()).toBe(revision);
    expect((await service.owner('GET', `${path}/${id}`)).body).toMatchObject({ name, description: '' });
    expect((await service.owner('POST', path, { name: other })).status).toBe(201);
  });

  test('is 409 for a name that the project has, also for concurrent requests', async () => {
    const name = nameOf();
    const answers = await Promise.all([1, 2, 3].map(() => service.owner('POST', path, { name })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('conflict');
  });

  test.each([
    {},
    { name: '' },
    { name: '-a' },
    { name: '.a' },
    { name: 'a b' },
    { name: 'é' },
    { name: 'a\n' },
    { name: 'a'.repeat(65) },
    { name: 7 },
    { name: 'fine', description: 'a'.repeat(2_001) },
    { name: 'fine', description: 'a\0' },
    { name: 'fine', description: '\ud800' },
    { name: 'fine', description: null },
    { name: 'fine', managedBy: 'code' },
    '{',
  ])('refuses %j', async (body) => {
    const answer = await service.owner('POST', path, body);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
  });

  test.each(['A', '0', 'a'.repeat(64), 'Prod_EU-1.2', 'constructor', 'toString'])('takes the name %s', async (name) => {
    const { status, body } = await service.owner('POST', path, { name, description: 'd'.repeat(2_000) });
    expect([status, body.name, body.attached.guardrails]).toEqual([201, name, []]);
  });
});

describe('GET environments', () => {
  test('lists them, oldest first, page by page', async () => {
    for (let count = 0; count < 3; count += 1) await create();
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const answer = await service.key('GET', `${path}?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`);
      const page = environmentPage.strict().parse(answer.body);
      expect(page.environments.length).toBeLessThanOrEqual(2);
      found.push(...page.environments.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(found.length).toBeGreaterThanOrEqual(3);
    expect(found).toEqual([...new Set(found)].toSorted());
  });

  test.each(['limit=0', 'limit=201', 'limit=x', 'cursor=x'])('refuses %s', async (query) => {
    expect((await service.owner('GET', `${path}?${query}`)).status).toBe(400);
  });

  test('tells when spans carried a name, and which names have no record', async () => {
    const { id, name } = await create();
    const [other, older, oldest] = [nameOf(), nameOf(), nameOf()];
    await service.app.send([
      span('seen-1', name, nowMs - 3 * dayMs),
      span('seen-2', name, nowMs - 2 * dayMs),
      span('seen-3', other, nowMs - 3_600_000),
      span('seen-4', older, nowMs - 29 * dayMs),
      span('seen-5', oldest, nowMs - 31 * dayMs),
    ]);
    const at = (ms: number) => new Date(ms).toISOString();
    expect((await service.owner('GET', `${path}/${id}`)).body.lastSeenAt).toBe(at(nowMs - 2 * dayMs));
    const { environments, unregistered } = (await service.owner('GET', `${path}?limit=200`)).body;
    expect(environments.find((one: { id: string }) => one.id === id).lastSeenAt).toBe(at(nowMs - 2 * dayMs));
    expect(unregistered).toEqual([
      { name: other, lastSeenAt: at(nowMs - 3_600_000) },
      { name: older, lastSeenAt: at(nowMs - 29 * dayMs) },
    ]);
    // A name without recent spans is seen once it is registered.
    expect((await create({ name: oldest })).lastSeenAt).toBe(at(nowMs - 31 * dayMs));
  });
});

describe('the newest span with a name', () => {
  const minute = 60_000;
  const at = (ms: number) => new Date(ms).toISOString();
  const seen = async (id: string) => (await service.owner('GET', `${path}/${id}`)).body.lastSeenAt;

  test('is the newest of those that are left when spans are replaced and deleted', async () => {
    const { id, name } = await create();
    const other = nameOf();
    await service.app.send([
      span('replaced-1', name, nowMs - 5 * minute),
      span('replaced-2', name, nowMs - 4 * minute),
      span('replaced-3', name, nowMs - 3 * minute),
    ]);
    expect(await seen(id)).toBe(at(nowMs - 3 * minute));
    expect((await service.owner('DELETE', '/traces/t-replaced-3')).status).toBe(204);
    expect(await seen(id)).toBe(at(nowMs - 4 * minute));
    // It is in another environment now.
    await service.app.send([span('replaced-2', other, nowMs - 4 * minute)]);
    expect(await seen(id)).toBe(at(nowMs - 5 * minute));
    await service.app.send([span('replaced-1', '', nowMs - 5 * minute)]);
    expect(await seen(id)).toBeNull();
    const { unregistered } = (await service.owner('GET', path)).body;
    expect(unregistered.find((one: { name: string }) => one.name === other)).toEqual({
      name: other,
      lastSeenAt: at(nowMs - 4 * minute),
    });
    expect((await service.owner('DELETE', '/traces/t-replaced-2')).status).toBe(204);
    expect((await service.owner('GET', path)).text).not.toContain(`"${other}"`);
  });

  test('is no record of a trace', async () => {
    const { id, name } = await create();
    const record = { type: 'trace', traceId: 't-record', environment: name, timestamp: at(nowMs - minute) };
    await service.app.send([record]);
    expect(await seen(id)).toBeNull();
    await service.app.send([span('record', name, nowMs - 2 * minute)]);
    expect(await seen(id)).toBe(at(nowMs - 2 * minute));
  });

  test('counts for at most 50 names without a record, the last seen first', async () => {
    const others = Array.from({ length: 55 }, () => nameOf());
    await service.app.send(others.map((other, index) => span(`many-${index}`, other, nowMs - (index >> 1))));
    const { unregistered } = (await service.owner('GET', path)).body as {
      unregistered: Array<{ name: string; lastSeenAt: string }>;
    };
    expect(unregistered).toHaveLength(50);
    const expected = others.map((other, index) => ({ name: other, lastSeenAt: at(nowMs - (index >> 1)) }));
    const order = (left: (typeof expected)[number], right: typeof left) =>
      right.lastSeenAt.localeCompare(left.lastSeenAt) || (left.name < right.name ? -1 : 1);
    expect(unregistered).toEqual(expected.toSorted(order).slice(0, 50));
  });
});

describe('PATCH an environment', () => {
  test('changes its description', async () => {
    const before = await create();
    service.app.clock.advance(1_000);
    const { status, body } = await service.owner('PATCH', `${path}/${before.id.toUpperCase()}`, { description: 'Customers' });
    const updatedAt = new Date(service.app.clock.now()).toISOString();
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, description: 'Customers', updatedAt });
    expect((await service.owner('GET', `${path}/${before.id}`)).body).toEqual(body);
  });

  test('of the same description, or of nothing, changes nothing', async () => {
    const before = await create({ description: 'same' });
    const revision = await service.revision();
    service.app.clock.advance(1_000);
    for (const change of [{}, { description: 'same' }]) {
      const { status, body } = await service.owner('PATCH', `${path}/${before.id}`, change);
      expect([status, body]).toEqual([200, before]);
    }
    expect(await service.revision()).toBe(revision);
  });

  test.each([{ name: 'other' }, { description: 7 }, { description: null }, { attached: {} }, '[]', '{'])(
    'refuses %j',
    async (change) => {
      const { id } = await create();
      const answer = await service.owner('PATCH', `${path}/${id}`, change);
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
    },
  );
});

describe('DELETE an environment', () => {
  test('deletes it', async () => {
    const { id } = await create();
    expect((await service.owner('DELETE', `${path}/${id}`)).status).toBe(204);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      expect((await service.owner(method, `${path}/${id}`, method === 'PATCH' ? '{' : undefined)).status, method).toBe(404);
    }
  });

  test('is 409 with what is attached while guardrails name it', async () => {
    const { id, name } = await create();
    const other = await create();
    const slugs: string[] = [];
    for (const slug of ['b-second', 'a-first']) {
      const body = { slug, type: 'secrets', environments: [other.name, name] };
      slugs.push((await service.owner('POST', '/guardrails', body)).body.id);
    }
    const attached = { guardrails: ['a-first', 'b-second'], alerts: [], incidents: [] };
    expect((await service.owner('GET', `${path}/${id}`)).body.attached).toEqual(attached);
    const { status, body } = await service.owner('DELETE', `${path}/${id}`);
    expect([status, body.code, body.attached]).toEqual([409, 'environment_in_use', attached]);
    for (const guardrailId of slugs) await service.owner('PATCH', `/guardrails/${guardrailId}`, { environments: [other.name] });
    expect((await service.owner('DELETE', `${path}/${id}`)).status).toBe(204);
  });

  test('and the creation of a guardrail for it at the same time: one of them succeeds', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id, name } = await create();
      const [deleted, made] = await Promise.all([
        service.owner('DELETE', `${path}/${id}`),
        service.owner('POST', '/guardrails', { slug: `race-${round}`, type: 'secrets', environments: [name] }),
      ]);
      expect([
        [204, 400],
        [409, 201],
      ]).toContainEqual([deleted.status, made.status]);
    }
  });
});

describe('an environment that code manages', () => {
  test('is 409 to change and to delete, after 400', async () => {
    const { id } = await create();
    await service.policies.updateTable('environments').set({ managed_by: 'code', path: 'a.yaml' }).where('id', '=', id).execute();
    for (const [method, body] of [
      ['PATCH', { description: 'x' }] as const,
      ['PATCH', {}] as const,
      ['DELETE', undefined] as const,
    ]) {
      const answer = await service.owner(method, `${path}/${id}`, body);
      expect([answer.status, answer.body.code], method).toEqual([409, 'managed_by_code']);
      expect(answer.body.error).toContain('detach it first');
    }
    expect((await service.owner('PATCH', `${path}/${id}`, { name: 'other' })).status).toBe(400);
    expect((await service.owner('GET', `${path}/${id}`)).body.managedBy).toBe('code');
  });
});

describe('access', () => {
  const routes = [
    ['POST', false],
    ['PATCH', true],
    ['DELETE', true],
  ] as const;

  test('a key reads and does not write', async () => {
    const { id } = await create();
    expect((await service.key('GET', path)).status).toBe(200);
    expect((await service.key('GET', `${path}/${id}`)).status).toBe(200);
    for (const [method, one] of routes) {
      expect((await service.key(method, one ? `${path}/${id}` : path, '{')).status, method).toBe(403);
    }
  });

  test('without credentials, reading is 401 and writing 403', async () => {
    const { id } = await create();
    expect((await service.as({}, 'GET', path)).status).toBe(401);
    expect((await service.as({}, 'GET', `${path}/${id}`)).status).toBe(401);
    for (const [method, one] of routes) {
      expect((await service.as({}, method, one ? `${path}/${id}` : path, '{')).status, method).toBe(403);
    }
  });

  test('404 comes before 400', async () => {
    for (const id of [unknownId, 'x', '%20']) {
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const answer = await service.owner(method, `${path}/${id}`, method === 'PATCH' ? '{' : undefined);
        expect([answer.status, answer.body.code], `${method} ${id}`).toEqual([404, 'not_found']);
      }
    }
  });
});
