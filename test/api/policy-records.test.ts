import { createHash } from 'node:crypto';
import { sql } from 'kysely';
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
  planned,
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

describe('detach and attach', () => {
  test('move a policy between code and the dashboard', async () => {
    const files = [policyFile('a.yaml', environment('production'))];
    await applied(service, files);
    const id = await idOf('production');
    const before = await service.revision();
    const detached = await service.owner('POST', `/policies/${id}/detach`);
    expect(detached).toMatchObject({ status: 200, body: { id, managedBy: 'dashboard', detached: true, name: 'production' } });
    wire.policy.strict().parse(detached.body);
    expect(await service.owner('POST', `/policies/${id}/detach`)).toMatchObject(refused('conflict'));
    expect(await service.owner('PATCH', `/environments/${id}`, { description: 'changed' })).toMatchObject({ status: 200 });
    const fields = [{ path: '/description', before: 'changed', after: '' }];
    expect(await service.owner('POST', `/policies/${id}/attach`)).toMatchObject(refused('differs_from_file', { fields }));
    expect(await service.owner('POST', `/policies/${id}/attach`, { force: 'yes' })).toMatchObject({ status: 400 });
    const attached = await service.owner('POST', `/policies/${id}/attach`, { force: true });
    expect(attached).toMatchObject({ status: 200, body: { managedBy: 'code', detached: false } });
    expect(await service.owner('POST', `/policies/${id}/attach`)).toMatchObject(refused('conflict'));
    expect(await service.revision()).toBe(before + 3);
    expect((await service.entries()).slice(-3)).toMatchObject([
      { kind: 'policy.detached', detail: { kind: 'Environment', name: 'production', revision: before + 1 } },
      { kind: 'environment.updated' },
      { kind: 'policy.attached', detail: { kind: 'Environment', name: 'production', revision: before + 3 } },
    ]);
    expect((await planned(service, files)).changes).toMatchObject([
      { action: 'update', fields: [{ path: '/description', before: 'changed', after: '' }] },
    ]);
  });

  test('what is as its file says is attached without force', async () => {
    await applied(service, [policyFile('a.yaml', environment('production'), regex('one', 'x'))]);
    const id = await idOf('one');
    await service.owner('POST', `/policies/${id}/detach`);
    await service.owner('PATCH', `/guardrails/${id}`, { priority: 5 });
    expect(await service.owner('POST', `/policies/${id}/attach`)).toMatchObject(
      refused('differs_from_file', { fields: [{ path: '/priority', before: 5 }] }),
    );
    await service.owner('PATCH', `/guardrails/${id}`, { priority: 100 });
    expect(await service.owner('POST', `/policies/${id}/attach`)).toMatchObject({ status: 200, body: { managedBy: 'code' } });
  });

  test('are 404 for what is not there', async () => {
    for (const id of [unknownId, 'x']) {
      for (const verb of ['detach', 'attach']) expect((await service.owner('POST', `/policies/${id}/${verb}`)).status).toBe(404);
    }
  });
});

describe('pull', () => {
  test('gives files as they were sent while nothing in them was changed', async () => {
    const files = [
      policyFile('a.yaml', `# kept\n${environment('production')}`),
      policyFile('b.yaml', `# lost\n${regex('one', 'x')}`, regex('two', 'y')),
      policyFile('tests/cases.yaml', 'name: case # kept'),
    ];
    const { revision } = await applied(service, files);
    expect(await pull()).toEqual({ files, revision });
    await service.owner('POST', '/environments', { name: 'own', description: 'Made here' });
    await service.owner('POST', `/policies/${await idOf('two')}/detach`);
    const { files: now, revision: later } = await pull();
    expect(later).toBe(revision + 2);
    expect(now.map(({ path }) => path)).toEqual(['a.yaml', 'environments/own.yaml', 'guardrails/one.yaml', 'tests/cases.yaml']);
    expect(now[0]).toEqual(files[0]);
    expect(now[1]?.content).toBe(
      'apiVersion: spanwise/v1\nkind: Environment\nmetadata:\n  name: own\nspec:\n  description: Made here\n',
    );
    expect((await planned(service, now)).changes.every(({ action }: { action: string }) => action === 'none')).toBe(true);
    expect(await pull(`?revision=${revision}`)).toEqual({ files, revision });
    expect((await pull(`?revision=${revision + 1}`)).files.map(({ path }) => path)).toEqual([
      'a.yaml',
      'b.yaml',
      'environments/own.yaml',
      'tests/cases.yaml',
    ]);
  });

  test('refuses a revision that was never there', async () => {
    expect((await service.owner('GET', '/policies/pull?revision=9999')).status).toBe(404);
    expect((await service.owner('GET', '/policies/pull?revision=x')).status).toBe(400);
    expect(await pull('?revision=0')).toEqual({ files: [], revision: 0 });
  });
});

describe('lists', () => {
  test('policies are listed by kind and name', async () => {
    const files = [policyFile('z.yaml', regex('b', 'x'), environment('z'))];
    await applied(service, files);
    await service.owner('POST', '/guardrails', { slug: 'a', type: 'secrets' });
    const { policies, revision } = await list();
    expect(revision).toBe(await service.revision());
    const sha256 = createHash('sha256')
      .update(files[0]?.content ?? '')
      .digest('hex');
    expect(policies).toMatchObject([
      {
        kind: 'Environment',
        name: 'z',
        path: 'z.yaml',
        sha256,
        managedBy: 'code',
        detached: false,
        updatedBy: 'owner@example.com',
      },
      { kind: 'Guardrail', name: 'a', path: null, sha256: null, managedBy: 'dashboard', detached: false },
      { kind: 'Guardrail', name: 'b', path: 'z.yaml', sha256, managedBy: 'code' },
    ]);
  });

  test('policies are listed as they were at the revision of the list', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `e${index}`);
    const before = await list();
    const creating = names.map((name) => service.owner('POST', '/environments', { name }));
    const lists = await Promise.all(names.flatMap(() => [list(), list()]));
    await Promise.all(creating);
    for (const { policies, revision } of lists) {
      expect(policies.length - before.policies.length).toBe(revision - before.revision);
    }
  });

  test('revisions are listed newest first', async () => {
    const { revision, auditLogId } = await applied(service, [policyFile('a.yaml', environment('a'), environment('b'))]);
    await service.owner('POST', '/environments', { name: 'own' });
    const page = (await service.owner('GET', '/policies/revisions?limit=2')).body;
    expect(wire.policyRevisionPage.strict().parse(page).revisions).toMatchObject([
      {
        revision: revision + 1,
        source: 'dashboard',
        by: 'owner@example.com',
        summary: { create: 1, update: 0, remove: 0, none: 0 },
      },
      { revision, source: 'code', auditLogId, summary: { create: 2, update: 0, remove: 0, none: 0 } },
    ]);
    const next = (await service.owner('GET', `/policies/revisions?limit=2&cursor=${page.nextCursor}`)).body;
    expect(next.revisions[0].revision).toBe(revision - 1);
    const own = await idOf('own');
    await service.owner('PATCH', `/environments/${own}`, { description: 'changed' });
    await service.owner('DELETE', `/environments/${own}`);
    const changed = (await service.owner('GET', '/policies/revisions?limit=2')).body;
    expect(changed.revisions).toMatchObject([
      { revision: revision + 3, summary: { create: 0, update: 0, remove: 1, none: 0 } },
      { revision: revision + 2, summary: { create: 0, update: 1, remove: 0, none: 0 } },
    ]);
    expect((await service.owner('GET', '/policies/revisions?cursor=x')).status).toBe(400);
  });

  test('an organization lists the drift of its projects', async () => {
    await applied(service, [policyFile('a.yaml', environment('managed'), environment('taken'))]);
    await service.owner('POST', '/environments', { name: 'own' });
    await service.owner('POST', `/policies/${await idOf('taken')}/detach`);
    const { status, body } = await service.app.get(`/v1/organizations/${service.app.organizationId}/policies`);
    expect(status).toBe(200);
    const { projects } = wire.organizationPolicies.strict().parse(body);
    const project = projects.find(({ projectId }) => projectId === service.app.projectId);
    expect(project).toMatchObject({
      revision: await service.revision(),
      counts: { environments: 3, guardrails: 0 },
      drift: [{ kind: 'Environment', name: 'taken', reason: 'detached' }],
      unmanaged: [{ kind: 'Environment', name: 'own' }],
      lastApply: { by: 'owner@example.com', at: new Date(nowMs).toISOString() },
    });
    for (const other of projects)
      if (other !== project) expect(other).toMatchObject({ drift: [], unmanaged: [], lastApply: null });
    const taken = await idOf('taken');
    await service.owner('PATCH', `/environments/${taken}`, { description: 'changed' });
    await service.owner('POST', `/policies/${taken}/attach`, { force: true });
    const read = async () =>
      wire.organizationPolicies.parse((await service.app.get(`/v1/organizations/${service.app.organizationId}/policies`)).body);
    const differing = await read();
    const now = differing.projects.find(({ projectId }) => projectId === service.app.projectId);
    expect(now?.drift).toEqual([{ kind: 'Environment', name: 'taken', reason: 'differs' }]);
    await applied(service, [policyFile('a.yaml', environment('managed'), environment('taken'))]);
    const later = await read();
    expect(later.projects.find(({ projectId }) => projectId === service.app.projectId)?.drift).toEqual([]);
    expect((await service.app.get('/v1/organizations/nobody/policies')).status).toBe(403);
  });

  test('an organization with more than 1,000 projects lists the oldest and says so', async () => {
    const { organizationId } = service.app;
    const read = async () =>
      wire.organizationPolicies.strict().parse((await service.app.get(`/v1/organizations/${organizationId}/policies`)).body);
    const { projects, truncated } = await read();
    expect(truncated).toBeUndefined();
    const later = new Date(nowMs + 3_600_000);
    await sql`INSERT INTO projects (id, organization_id, name, slug, created_at)
      SELECT gen_random_uuid(), ${organizationId}::uuid, 'many', 'many-' || number, ${later}
      FROM generate_series(1, ${1_001 - projects.length}::integer) AS number`.execute(service.policies);
    const most = await read();
    expect([most.projects.length, most.truncated]).toEqual([1_000, true]);
    expect(most.projects).toEqual(expect.arrayContaining(projects));
    await sql`DELETE FROM projects WHERE slug LIKE 'many-%'`.execute(service.policies);
  });
});
