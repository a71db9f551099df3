import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as wire from '../../src/contract/policies.ts';
import { openGovernance } from '../support/governance.ts';
import type { Governance } from '../support/governance.ts';
import {
  applied,
  clearPolicies,
  environmentPolicy as environment,
  idOf as idIn,
  listOf,
  planAndApply,
  planned,
  policy,
  policyFile,
  regexPolicy as regex,
} from '../support/policy-files.ts';

const nowMs = Date.UTC(2026, 10, 20, 10);
const unknownId = '0197a000-0000-7000-8000-000000000009';

let service: Governance;

beforeAll(async () => {
  service = await openGovernance(nowMs);
});
afterAll(() => service.close());
beforeEach(() => clearPolicies(service));

const list = () => listOf(service);
const idOf = (name: string) => idIn(service, name);
const pull = async (query = '') =>
  (await service.owner('GET', `/policies/pull${query}`)).body as { files: wire.PolicyFile[]; revision: number };
const refused = (code: string, more: object = {}) => ({ status: 409, body: { code, ...more } });

describe('plan', () => {
  test('tells what would be created, updated, removed and left', async () => {
    await applied(service, [
      policyFile('a.yaml', environment('b'), environment('gone'), regex('same', 'x'), regex('changes', 'a')),
    ]);
    const revision = await service.revision();
    const before = await service.entries();
    const plan = await planned(service, [
      policyFile('one.yaml', regex('new', 'n'), environment('b'), environment('a-new')),
      policyFile(
        'two.yaml',
        regex('same', 'x', { stage: 'input', priority: 100 }),
        regex('changes', 'b', { environments: ['b'], stage: 'both' }),
      ),
    ]);
    expect(wire.policyPlan.strict().parse(plan)).toEqual({
      planId: plan.planId,
      revision,
      expiresAt: new Date(nowMs + 86_400_000).toISOString(),
      summary: { create: 2, update: 1, remove: 1, none: 2 },
      changes: [
        { action: 'create', kind: 'Environment', name: 'a-new', path: 'one.yaml', adopt: false, detached: false, fields: [] },
        { action: 'create', kind: 'Guardrail', name: 'new', path: 'one.yaml', adopt: false, detached: false, fields: [] },
        {
          action: 'update',
          kind: 'Guardrail',
          name: 'changes',
          path: 'two.yaml',
          adopt: false,
          detached: false,
          fields: [
            { path: '/config/patterns', before: [{ pattern: 'a' }], after: [{ pattern: 'b' }] },
            { path: '/environments', before: null, after: ['b'] },
            { path: '/stage', before: 'input', after: 'both' },
          ],
        },
        { action: 'remove', kind: 'Environment', name: 'gone', path: null, adopt: false, detached: false, fields: [] },
        { action: 'none', kind: 'Environment', name: 'b', path: 'one.yaml', adopt: false, detached: false, fields: [] },
        { action: 'none', kind: 'Guardrail', name: 'same', path: 'two.yaml', adopt: false, detached: false, fields: [] },
      ],
    });
    // It changes nothing.
    expect(await service.revision()).toBe(revision);
    expect(await service.entries()).toEqual(before);
  });

  test('refuses invalid files with their errors', async () => {
    const files = [policyFile('a.yaml', policy('Guardrail', 'a', { type: 'pii', stgae: 'input' }))];
    const { status, body } = await service.owner('POST', '/policies/plan', { files });
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_policy' });
    expect(body.errors).toEqual((await service.owner('POST', '/policies/validate', { files })).body.errors);
    expect(body.errors).toHaveLength(1);
  });

  test('takes defaults in a configuration for what they are', async () => {
    await applied(service, [policyFile('a.yaml', policy('Guardrail', 'a', { type: 'blocklist', config: { terms: ['x'] } }))]);
    const config = { terms: ['x'], wholeWords: true, ignoreCase: true };
    const given = policy('Guardrail', 'a', { type: 'blocklist', displayName: 'a', action: 'block', config });
    expect((await planned(service, [policyFile('a.yaml', given)])).changes).toMatchObject([{ action: 'none', fields: [] }]);
    const without = policy('Guardrail', 'a', { type: 'blocklist', config: { ...config, wholeWords: false } });
    expect((await planned(service, [policyFile('a.yaml', without)])).changes).toMatchObject([
      { action: 'update', fields: [{ path: '/config/wholeWords', before: null, after: false }] },
    ]);
  });
});

describe('apply', () => {
  test('writes everything at once, with one revision and one audit entry', async () => {
    const revision = await service.revision();
    const files = [
      policyFile('b.yaml', environment('production', 'What customers use')),
      policyFile('a.yaml', regex('one', 'ä', { environments: ['production'] }), '# nothing'),
    ];
    const { planId, summary } = await planned(service, files);
    const { status, body } = await service.owner('POST', '/policies/apply', { planId, files: files.toReversed() });
    expect(status).toBe(200);
    expect(wire.applied.strict().parse(body)).toEqual({
      applied: [
        { action: 'create', kind: 'Environment', name: 'production' },
        { action: 'create', kind: 'Guardrail', name: 'one' },
      ],
      revision: revision + 1,
      auditLogId: body.auditLogId,
    });
    const entry = (await service.entries()).at(-1);
    expect(entry).toMatchObject({ id: body.auditLogId, kind: 'policy.applied' });
    expect(entry?.detail).toEqual({
      planId,
      summary,
      revision: revision + 1,
      files: files
        .toReversed()
        .map(({ path, content }) => ({ path, sha256: createHash('sha256').update(content, 'utf8').digest('hex') })),
    });
    const [guardrail] = (await service.owner('GET', '/guardrails')).body.guardrails;
    expect(guardrail).toMatchObject({
      slug: 'one',
      name: 'one',
      managedBy: 'code',
      environments: ['production'],
      config: { patterns: [{ pattern: 'ä' }] },
    });
    expect(await service.owner('DELETE', `/guardrails/${guardrail.id}`)).toMatchObject(refused('managed_by_code'));
  });

  test('of what is there already counts no revision and stores the files', async () => {
    await applied(service, [policyFile('a.yaml', environment('production'))]);
    const revision = await service.revision();
    const moved = [
      policyFile('moved.yaml', `# with a comment\n${environment('production')}`),
      policyFile('tests/a.yaml', 'name: x'),
    ];
    const body = await applied(service, moved);
    expect(body).toMatchObject({ applied: [], revision });
    expect(await service.revision()).toBe(revision);
    expect((await pull()).files).toEqual(moved);
    expect((await list()).policies).toMatchObject([{ path: 'moved.yaml' }]);
    expect((await service.entries()).at(-1)).toMatchObject({ id: body.auditLogId, kind: 'policy.applied', detail: { revision } });
  });

  test('adopts what the dashboard made', async () => {
    await service.owner('POST', '/environments', { name: 'mine' });
    const revision = await service.revision();
    const files = [policyFile('a.yaml', environment('mine'))];
    expect((await planned(service, files)).changes).toMatchObject([{ action: 'none', adopt: true }]);
    expect(await applied(service, files)).toMatchObject({ applied: [], revision: revision + 1 });
    expect((await list()).policies).toMatchObject([{ name: 'mine', managedBy: 'code', path: 'a.yaml' }]);
  });

  test('is refused for a stale plan', async () => {
    const files = [policyFile('a.yaml', environment('production'))];
    const stale = refused('stale_plan');
    const apply = (planId: string, given = files) => service.owner('POST', '/policies/apply', { planId, files: given });
    for (const planId of ['x', unknownId, '']) expect(await apply(planId)).toMatchObject(stale);
    const { planId } = await planned(service, files);
    expect(await apply(planId, [policyFile('a.yaml', environment('production', 'x'))])).toMatchObject(stale);
    expect(await apply(planId, [policyFile('b.yaml', environment('production'))])).toMatchObject(stale);
    await service.owner('POST', '/environments', { name: 'another' });
    expect(await apply(planId)).toMatchObject(stale);
    const { planId: late } = await planned(service, files);
    service.app.clock.advance(86_400_000);
    expect(await apply(late)).toMatchObject(stale);
    service.app.clock.advance(-86_400_000);
    expect((await list()).policies).toMatchObject([{ name: 'another' }]);
    expect(await apply(late)).toMatchObject({ status: 200 });
  });

  test('is refused with a plan of another project', async () => {
    const files = [policyFile('a.yaml', environment('production'))];
    const { body } = await service.as({ cookie: service.app.cookie }, 'GET', '/policies');
    expect(body.policies).toEqual([]);
    const project = await service.app.identity.db.selectFrom('projects').select('organization_id').executeTakeFirstOrThrow();
    const made = await fetch(`${service.app.url}/v1/organizations/${project.organization_id}/projects`, {
      method: 'POST',
      headers: { cookie: service.app.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Other' }),
    });
    const { id } = (await made.json()) as { id: string };
    const { planId } = await planned(service, files);
    const answer = await fetch(`${service.app.url}/v1/projects/${id}/policies/apply`, {
      method: 'POST',
      headers: { cookie: service.app.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ planId, files }),
    });
    expect({ status: answer.status, body: await answer.json() }).toMatchObject(refused('stale_plan'));
  });

  test('is refused in the order: stale, detached, removal, environment in use', async () => {
    const all = [
      policyFile(
        'a.yaml',
        environment('used'),
        environment('gone'),
        regex('one', 'x', { environments: ['used'] }),
        regex('two', 'y'),
      ),
    ];
    await applied(service, all);
    await service.owner('POST', '/guardrails', { slug: 'own', type: 'secrets', environments: ['used'] });
    await service.owner('POST', `/policies/${await idOf('two')}/detach`);
    const withDetached = [policyFile('a.yaml', regex('two', 'y'))];
    const { planId, changes } = await planned(service, withDetached);
    expect(changes).toMatchObject([
      { action: 'remove' },
      { action: 'remove' },
      { action: 'remove' },
      { name: 'two', detached: true, adopt: false, action: 'none' },
    ]);
    const revision = await service.revision();
    const apply = (files: wire.PolicyFile[], id: string, more: object = {}) =>
      service.owner('POST', '/policies/apply', { planId: id, files, ...more });
    expect(await apply(withDetached, unknownId)).toMatchObject(refused('stale_plan'));
    expect(await apply(withDetached, planId)).toMatchObject(
      refused('policy_detached', { policies: [{ kind: 'Guardrail', name: 'two' }] }),
    );
    const removals = [
      { kind: 'Environment', name: 'gone' },
      { kind: 'Environment', name: 'used' },
      { kind: 'Guardrail', name: 'one' },
    ];
    const { planId: empty } = await planned(service, []);
    expect(await apply([], empty)).toMatchObject(refused('removal_not_allowed', { removals }));
    expect(await apply([], empty, { allowRemoval: true })).toMatchObject(
      refused('environment_in_use', { attached: { guardrails: ['own'], alerts: [], incidents: [] } }),
    );
    // Nothing has changed.
    expect(await service.revision()).toBe(revision);
    expect((await list()).policies.map(({ name }) => name)).toEqual(['gone', 'used', 'one', 'own', 'two']);
  });

  test('takes one of two simultaneous applies', async () => {
    const files = [policyFile('a.yaml', environment('production'))];
    const revision = await service.revision();
    const { planId } = await planned(service, files);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => service.owner('POST', '/policies/apply', { planId, files })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    expect(await service.revision()).toBe(revision + 1);
  });

  test('is refused beyond 100 guardrails of a project', async () => {
    for (let index = 0; index < 2; index += 1)
      await service.owner('POST', '/guardrails', { slug: `own-${index}`, type: 'secrets' });
    const many = policyFile(
      'a.yaml',
      ...Array.from({ length: 99 }, (_, index) => policy('Guardrail', `g-${index}`, { type: 'secrets' })),
    );
    expect(await planAndApply(service, [many])).toMatchObject(refused('conflict'));
  });

  test('refuses what the project no longer has', async () => {
    const connection = (
      await service.owner('POST', '/model-connections', { name: 'Judge', baseUrl: 'http://127.0.0.1:1/v1', model: 'm' })
    ).body;
    const files = [
      policyFile(
        'a.yaml',
        policy('Guardrail', 'judge', { type: 'llm_judge', config: { connection: 'Judge', instructions: 'x' } }),
      ),
    ];
    const { planId } = await planned(service, files);
    await service.owner('DELETE', `/model-connections/${connection.id}`);
    const answer = await service.owner('POST', '/policies/apply', { planId, files });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_policy', errors: [{ path: 'a.yaml', line: 1 }] } });
  });

  test('needs policy:apply; planning needs a session', async () => {
    for (const path of ['', '/pull', '/revisions']) expect((await service.key('GET', `/policies${path}`)).status).toBe(403);
    for (const verb of ['validate', 'plan', 'apply']) {
      expect((await service.key('POST', `/policies/${verb}`, { planId: unknownId, files: [] })).status).toBe(403);
    }
    for (const verb of ['detach', 'attach'])
      expect((await service.key('POST', `/policies/${unknownId}/${verb}`)).status).toBe(403);
  });
});
