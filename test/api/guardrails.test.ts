import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guardrail, guardrailPage, maxGuardrails } from '../../src/contract/guardrails.ts';
import { openGovernance } from '../support/governance.ts';
import { policy, policyFile } from '../support/policy-files.ts';
import type { Governance } from '../support/governance.ts';

const nowMs = Date.UTC(2026, 10, 20, 10);
const unknownId = '0197a000-0000-7000-8000-000000000009';
const path = '/guardrails';

let service: Governance;
let created = 0;

beforeAll(async () => {
  service = await openGovernance(nowMs);
  for (const name of ['production', 'staging']) await service.owner('POST', '/environments', { name });
  const connection = { name: 'Local', baseUrl: 'http://127.0.0.1:11434/v1', model: 'm' };
  await service.owner('POST', '/model-connections', connection);
});
afterAll(() => service.close());

const slugOf = (): string => `slug-${++created}`;
const secrets = (given: object = {}) => ({ slug: slugOf(), type: 'secrets', ...given });
const create = async (given: object = {}) => {
  const { status, body, text } = await service.owner('POST', path, secrets(given));
  expect(status, text).toBe(201);
  return body;
};
const change = (id: string, given: unknown) => service.owner('PATCH', `${path}/${id}`, given);
/** Status, code and paths of the details of a refusal. */
const refusalOf = ({ status, body }: Awaited<ReturnType<typeof change>>) => [
  status,
  body.code,
  ...((body.details ?? []) as Array<{ path: string }>).map((detail) => detail.path),
];

describe('POST guardrails', () => {
  test('fills in defaults', async () => {
    const { status, body } = await service.owner('POST', path, { slug: 'no-keys', type: 'secrets' });
    const now = new Date(service.app.clock.now()).toISOString();
    expect(status).toBe(201);
    expect(guardrail.strict().parse(body)).toEqual({
      id: body.id,
      projectId: service.app.projectId,
      slug: 'no-keys',
      name: 'no-keys',
      type: 'secrets',
      stage: 'input',
      action: 'block',
      config: {},
      environments: null,
      priority: 100,
      enabled: true,
      onError: 'block',
      managedBy: 'dashboard',
      createdAt: now,
      updatedAt: now,
    });
    expect((await service.owner('GET', `${path}/${body.id}`)).body).toEqual(body);
  });

  test('stores what is given', async () => {
    const given = {
      slug: 'a'.repeat(64),
      name: 'No card numbers',
      type: 'pii',
      stage: 'both',
      action: 'redact',
      config: { entities: ['payment_card'], phoneRegions: ['DE'] },
      environments: ['staging', 'production'],
      priority: 0,
      enabled: false,
      onError: 'allow',
    };
    expect((await service.owner('POST', path, given)).body).toMatchObject(given);
  });

  test.each([
    ['regex', { patterns: [{ pattern: 'a+', label: 'as', ignoreCase: true }] }, 'block'],
    ['blocklist', { terms: ['a', 'b'], ignoreCase: false }, 'block'],
    ['pii', {}, 'block'],
    ['secrets', { exclude: ['jwt'] }, 'block'],
    ['prompt_injection', { threshold: 0.7 }, 'flag'],
    ['max_length', { maxCharacters: 100 }, 'block'],
    ['json_schema', { schema: { type: 'object', properties: { a: { pattern: '^a$' } } } }, 'block'],
    ['llm_judge', { connection: 'Local', instructions: 'Is it rude?' }, 'block'],
  ])('takes the type %s', async (type, config, action) => {
    expect(await create({ type, config })).toMatchObject({ type, config, action });
  });

  test.each([
    [{ type: 'regex' }, '/config/patterns'],
    [{ type: 'regex', config: { patterns: [] } }, '/config/patterns'],
    [{ type: 'regex', config: { patterns: [{ pattern: 'a' }, { pattern: '(a)\\1' }] } }, '/config/patterns/1/pattern'],
    [{ type: 'regex', config: { patterns: [{ pattern: 'a(?=b)' }] } }, '/config/patterns/0/pattern'],
    [{ type: 'regex', config: { patterns: [{ pattern: '(' }] } }, '/config/patterns/0/pattern'],
    [{ type: 'regex', config: { patterns: [{ pattern: 'a', flags: 'i' }] } }, '/config/patterns/0/flags'],
    [{ type: 'regex', config: { patterns: Array.from({ length: 51 }, () => ({ pattern: 'a' })) } }, '/config/patterns'],
    [{ type: 'regex', config: { patterns: [{ pattern: '\\p{L}'.repeat(101) }] } }, '/config/patterns/0/pattern'],
    [{ type: 'blocklist', config: { terms: ['a', ''] } }, '/config/terms/1'],
    [{ type: 'pii', config: { entities: ['name'] } }, '/config/entities/0'],
    [{ config: { exclude: ['a'] } }, '/config/exclude/0'],
    [{ config: { 'a/b': 1 } }, '/config/a~1b'],
    [{ type: 'prompt_injection', config: { threshold: 2 } }, '/config/threshold'],
    [{ type: 'prompt_injection', action: 'redact' }, '/action'],
    [{ type: 'json_schema', action: 'redact', config: { schema: {} } }, '/action'],
    [{ type: 'json_schema', config: { schema: { type: 'text' } } }, '/config/schema/type'],
    [{ type: 'llm_judge', action: 'redact', config: { connection: 'Local', instructions: 'a' } }, '/action'],
    [{ type: 'llm_judge', config: { connection: 'Nowhere', instructions: 'a' } }, '/config/connection'],
    [{ type: 'llm_judge', config: { connection: 'a\0', instructions: 'a' } }, '/config/connection'],
    [{ type: 'regex', config: { patterns: [{ pattern: 'a', label: '\ud800' }] } }, '/config/patterns/0/label'],
    [{ type: 'json_schema', config: { schema: { properties: { '\udc00': true } } } }, '/config/schema/properties'],
    [{ type: 'max_length' }, '/config/maxCharacters'],
    [{ environments: ['production', 'nowhere'] }, '/environments/1'],
    [{ environments: [] }, '/environments'],
    [{ environments: ['a b'] }, '/environments/0'],
    [{ environments: 'production' }, '/environments'],
    [{ slug: 'A' }, '/slug'],
    [{ slug: '' }, '/slug'],
    [{ slug: 'a'.repeat(65) }, '/slug'],
    [{ type: 'other' }, '/type'],
    [{ stage: 'all' }, '/stage'],
    [{ action: 'allow' }, '/action'],
    [{ priority: 1.5 }, '/priority'],
    [{ priority: -1 }, '/priority'],
    [{ enabled: 1 }, '/enabled'],
    [{ onError: 'flag' }, '/onError'],
    [{ name: 'a\nb' }, '/name'],
    [{ config: [] }, '/config'],
    [{ config: null }, '/config'],
    [{ managedBy: 'code' }, '/managedBy'],
  ])('refuses %j at %s', async (given, at) => {
    expect(refusalOf(await service.owner('POST', path, secrets(given)))).toEqual([400, 'invalid_request', at]);
  });

  test('says what to correct', async () => {
    const pattern = { type: 'regex', config: { patterns: [{ pattern: 'a(?=b)' }] } };
    const message = 'cannot be used: unsupported look-around `(?=` (RE2 syntax: no look-around, no back-references)';
    expect((await service.owner('POST', path, secrets(pattern))).body).toEqual({
      error: `Correct the guardrail: /config/patterns/0/pattern ${message}.`,
      code: 'invalid_request',
      details: [{ path: '/config/patterns/0/pattern', message }],
    });
    const action = { type: 'max_length', config: {}, action: 'flag' };
    expect((await service.owner('POST', path, secrets(action))).body.error).toMatch(
      /^Correct the guardrail: \/config\/maxCharacters must be .+\.$/,
    );
  });

  test('refuses a configuration that is nested deeply', async () => {
    const nested = (levels: number) => `${'{"not":'.repeat(levels)}{}${'}'.repeat(levels)}`;
    const refused = async (levels: number) =>
      service.owner('POST', path, `{"slug":"${slugOf()}","type":"json_schema","config":{"schema":${nested(levels)}}}`);
    expect(refusalOf(await refused(300))).toEqual([400, 'invalid_request', '/config']);
    expect((await refused(50_000)).body.error).toMatch(/1,000 levels/);
  });

  test('takes the largest patterns and terms', async () => {
    const patterns = Array.from({ length: 50 }, (_, index) => ({ pattern: `${index}${'ab|'.repeat(3_330)}` }));
    await create({ type: 'regex', config: { patterns } });
    const terms = Array.from({ length: 1_000 }, (_, index) => `${index}${'x'.repeat(980)}`);
    await create({ type: 'blocklist', config: { terms } });
    const longer = { type: 'blocklist', config: { terms: [...terms, ...terms] } };
    expect((await service.owner('POST', path, secrets(longer))).status).toBe(413);
  });

  test('is 409 for a slug that the project has, also for concurrent requests', async () => {
    const body = secrets();
    const answers = await Promise.all([1, 2, 3].map(() => service.owner('POST', path, body)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('conflict');
  });
});

describe('limits of a project', () => {
  test('it has at most 100 guardrails, also when requests come at once', async () => {
    const { projectId } = await service.project();
    const at = `/v1/projects/${projectId}/guardrails`;
    const { body } = await service.ownerAt('POST', at, secrets());
    const row = await service.policies.selectFrom('guardrails').selectAll().where('id', '=', body.id).executeTakeFirstOrThrow();
    const others = Array.from({ length: maxGuardrails - 3 }, () => ({ ...row, id: uuidv7(), slug: slugOf() }));
    await service.policies.insertInto('guardrails').values(others).execute();
    const answers = await Promise.all([1, 2, 3, 4].map(() => service.ownerAt('POST', at, secrets())));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409]);
    const refused = await service.ownerAt('POST', at, secrets());
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
  });

  test('its compiled guardrails have a largest size together, in files too', async () => {
    const { projectId } = await service.project();
    const of = `/v1/projects/${projectId}`;
    const patterns = Array.from({ length: 50 }, (_, index) => ({ pattern: `${index}(?:abcd){1000}` }));
    const large = () => secrets({ type: 'regex', config: { patterns } });
    for (let count = 0; count < 2; count += 1)
      expect((await service.ownerAt('POST', `${of}/guardrails`, large())).status).toBe(201);
    const refused = await service.ownerAt('POST', `${of}/guardrails`, large());
    expect(refusalOf(refused)).toEqual([400, 'invalid_request', '/config']);
    expect(refused.body.error).toMatch(/has \d{6} states, the other guardrails .* have \d{6}, .* at most 500000/);
    const small = await service.ownerAt(
      'POST',
      `${of}/guardrails`,
      secrets({ type: 'regex', config: { patterns: [{ pattern: 'a' }] } }),
    );
    const grown = await service.ownerAt('PATCH', `${of}/guardrails/${small.body.id}`, { config: { patterns } });
    expect(refusalOf(grown)).toEqual([400, 'invalid_request', '/config']);
    // Named otherwise, so that they are not adopted: the project's own guardrails count beside them.
    const file = policyFile('a.yaml', policy('Guardrail', 'one-more', { type: 'regex', config: { patterns } }));
    const planned = await service.ownerAt('POST', `${of}/policies/plan`, { files: [file] });
    expect([planned.status, planned.body.code]).toEqual([400, 'invalid_request']);
    const three = ['x', 'y', 'z'].map((name) => policy('Guardrail', name, { type: 'regex', config: { patterns } }));
    const { body } = await service.ownerAt('POST', `${of}/policies/validate`, { files: [policyFile('a.yaml', ...three)] });
    expect(body.errors).toMatchObject([{ line: 5, message: expect.stringContaining('500000 states') }]);
  });

  test('its configurations have a largest size together', async () => {
    const { projectId } = await service.project();
    const at = `/v1/projects/${projectId}/guardrails`;
    const terms = Array.from({ length: 1_000 }, (_, index) => `${index}${'x'.repeat(980)}`);
    const large = () => secrets({ type: 'blocklist', config: { terms } });
    const made = [];
    for (let count = 0; count < 4; count += 1) made.push(await service.ownerAt('POST', at, large()));
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const refused = await service.ownerAt('POST', at, large());
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
    const small = await service.ownerAt('POST', at, secrets({ type: 'blocklist', config: { terms: ['a'] } }));
    const grown = await service.ownerAt('PATCH', `${at}/${small.body.id}`, { config: { terms } });
    expect([grown.status, grown.body.code]).toEqual([409, 'conflict']);
    // Its own earlier configuration does not count.
    const again = { config: { terms: terms.toReversed() } };
    expect((await service.ownerAt('PATCH', `${at}/${made[0]?.body.id}`, again)).status).toBe(200);
  });
});

describe('GET guardrails', () => {
  test('lists them, oldest first, page by page', async () => {
    for (let count = 0; count < 3; count += 1) await create();
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const answer = await service.key('GET', `${path}?limit=7${cursor === null ? '' : `&cursor=${cursor}`}`);
      const page = guardrailPage.strict().parse(answer.body);
      expect(page.guardrails.length).toBeLessThanOrEqual(7);
      found.push(...page.guardrails.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(found.length).toBeGreaterThan(7);
    expect(found).toEqual([...new Set(found)].toSorted());
  });

  test.each(['limit=0', 'limit=201', 'cursor=x'])('refuses %s', async (query) => {
    expect((await service.owner('GET', `${path}?${query}`)).status).toBe(400);
  });
});

describe('PATCH a guardrail', () => {
  test('changes the given fields and keeps the others', async () => {
    const before = await create({ type: 'regex', config: { patterns: [{ pattern: 'a' }] } });
    service.app.clock.advance(1_000);
    const given = { action: 'redact', environments: ['staging'], enabled: false, name: 'Renamed' };
    const { status, body } = await change(before.id.toUpperCase(), given);
    const updatedAt = new Date(service.app.clock.now()).toISOString();
    expect([status, body]).toEqual([200, { ...before, ...given, updatedAt }]);
    expect((await service.owner('GET', `${path}/${before.id}`)).body).toEqual(body);
    expect((await change(before.id, { environments: null })).body.environments).toBeNull();
  });

  test('checks the whole', async () => {
    const { id } = await create({ type: 'regex', config: { patterns: [{ pattern: 'a' }] } });
    expect(refusalOf(await change(id, { type: 'secrets' }))).toEqual([400, 'invalid_request', '/config/patterns']);
    expect(refusalOf(await change(id, { config: {} }))).toEqual([400, 'invalid_request', '/config/patterns']);
    expect(refusalOf(await change(id, { environments: ['nowhere'] }))).toEqual([400, 'invalid_request', '/environments/0']);
    expect((await change(id, { type: 'secrets', config: {} })).body).toMatchObject({ type: 'secrets', action: 'block' });
    await change(id, { action: 'redact' });
    const injection = { type: 'prompt_injection', config: {} };
    expect(refusalOf(await change(id, injection))).toEqual([400, 'invalid_request', '/action']);
    expect((await change(id, { ...injection, action: 'flag' })).status).toBe(200);
  });

  test('of the same values, or of nothing, changes nothing', async () => {
    const config = { patterns: [{ pattern: 'a', label: 'l' }] };
    const before = await create({ type: 'regex', config, priority: 0, environments: ['production'] });
    const revision = await service.revision();
    service.app.clock.advance(1_000);
    const reordered = { patterns: [{ label: 'l', pattern: 'a' }] };
    for (const given of [{}, { config: reordered }, { name: before.name, environments: ['production'] }, '{"priority":-0}']) {
      const { status, body } = await change(before.id, given);
      expect([status, body], JSON.stringify(given)).toEqual([200, before]);
    }
    expect(await service.revision()).toBe(revision);
  });

  test.each([{ slug: 'other' }, { id: unknownId }, { type: null }, { stage: 'all' }, { config: 'a' }, '[]', '{'])(
    'refuses %j',
    async (given) => {
      const { id } = await create();
      const answer = await change(id, given);
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
    },
  );

  test('concurrent changes are all kept', async () => {
    const { id } = await create();
    const changes = [{ name: 'n' }, { priority: 7 }, { onError: 'allow' }, { stage: 'both' }];
    const statuses = await Promise.all(changes.map(async (given) => (await change(id, given)).status));
    expect(statuses).toEqual([200, 200, 200, 200]);
    expect((await service.owner('GET', `${path}/${id}`)).body).toMatchObject(Object.assign({}, ...changes));
  });

  test('concurrent changes of what is checked together leave a guardrail that is valid', async () => {
    const { id } = await create();
    const terms = { terms: ['a'] };
    const changes = [
      { type: 'blocklist', config: terms, action: 'redact' },
      { config: { entities: ['email'] } },
      { type: 'prompt_injection', config: {}, action: 'flag' },
      { priority: 9 },
    ];
    const answers = await Promise.all(changes.map((given) => change(id, given)));
    expect(answers.at(-1)?.status).toBe(200);
    for (const { status } of answers) expect([200, 400, 409]).toContain(status);
    const { body } = await service.owner('GET', `${path}/${id}`);
    const { type, config, action } = body;
    expect((await service.owner('POST', path, { slug: 'as-left', type, config, action })).status).toBe(201);
    expect(body.priority).toBe(9);
  });

  test('twenty concurrent changes of one field all succeed, and each counts a revision', async () => {
    const { id } = await create();
    const revision = async () => (await service.owner('GET', '/policies')).body.revision as number;
    const before = await revision();
    const priorities = Array.from({ length: 20 }, (_, index) => 200 + index);
    const statuses = await Promise.all(priorities.map(async (priority) => (await change(id, { priority })).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await revision()).toBe(before + 20);
  });
});

describe('DELETE a guardrail', () => {
  test('deletes it', async () => {
    const { id, slug } = await create();
    const statuses = await Promise.all([1, 2].map(async () => (await service.owner('DELETE', `${path}/${id}`)).status));
    expect(statuses.toSorted()).toEqual([204, 404]);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      expect((await service.owner(method, `${path}/${id}`, method === 'PATCH' ? '{' : undefined)).status, method).toBe(404);
    }
    expect((await service.owner('POST', path, secrets({ slug }))).status).toBe(201);
  });
});

describe('a guardrail that code manages', () => {
  test('is 409 to change and to delete, after 400', async () => {
    const { id } = await create();
    await service.policies.updateTable('guardrails').set({ managed_by: 'code', path: 'a.yaml' }).where('id', '=', id).execute();
    for (const [method, body] of [['PATCH', { name: 'x' }] as const, ['PATCH', {}] as const, ['DELETE', undefined] as const]) {
      const answer = await service.owner(method, `${path}/${id}`, body);
      expect([answer.status, answer.body.code], method).toEqual([409, 'managed_by_code']);
      expect(answer.body.error).toContain('detach it first');
    }
    expect((await change(id, { slug: 'other' })).status).toBe(400);
    expect((await change(id, { environments: ['nowhere'] })).status).toBe(400);
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
