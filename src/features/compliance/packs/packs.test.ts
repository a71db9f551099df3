import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestProject } from '../../../../test/support/test-projects.ts';
import { evidencePack } from '../../../contract/evidence-packs.ts';
import { maxPackBytes } from '../../../contract/limits.ts';
import { SecretBox } from '../../../platform/crypto/secret-box.ts';
import { dayMs, lastMonth, nowMs, openComplianceService } from '../compliance-service.fixture.ts';
import type { ComplianceService } from '../compliance-service.fixture.ts';

let service: ComplianceService;
let own: TestProject;
let free: TestProject;
const unknown = '0197a000-0000-7000-8000-00000000ffff';

beforeAll(async () => {
  service = await openComplianceService();
  own = await service.project('pro');
  free = await service.project('free');
});
afterAll(() => service.close());

const at = (daysAgo: number) => new Date(nowMs - daysAgo * dayMs).toISOString();

test('a generated pack has exactly the published fields, and is returned, listed and downloaded as stored', async () => {
  const created = await service.as('admin', own, 'POST', '', lastMonth);
  expect(created.status).toBe(201);
  expect(created.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const pack = evidencePack.strict().parse(created.body);
  expect(pack).toMatchObject({ projectId: own.projectId, framework: 'soc2', from: lastMonth.from, to: lastMonth.to });
  const one = await service.as('member', own, 'GET', `/${pack.id}`);
  expect(one.text).toBe(created.text);
  const { body: list } = await service.as('member', own, 'GET', '?limit=1');
  const controls = pack.controls.map(({ controlId, title, status }) => ({ controlId, title, status }));
  expect(list.evidencePacks).toEqual([{ ...pack, controls }]);
  const file = await service.as('member', own, 'GET', `/${pack.id.toUpperCase()}/download`);
  expect([file.status, file.text]).toEqual([200, created.text]);
  expect(file.headers.get('content-disposition')).toBe(`attachment; filename="spanwise-evidence-soc2-${pack.id}.json"`);
  const explicit = await service.as('member', own, 'GET', `/${pack.id}/download?format=json`);
  expect(explicit.text).toBe(created.text);
  const verified = await service.as('member', own, 'POST', '/verify', created.text);
  expect(verified.body).toMatchObject({ valid: true });
});

test('packs are listed newest first, a page at a time', async () => {
  const project = await service.project();
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) {
    service.clock.advance(1);
    ids.unshift((await service.pack(project)).id);
  }
  const first = await service.as('member', project, 'GET', '?limit=2');
  const second = await service.as('member', project, 'GET', `?limit=2&cursor=${first.body.nextCursor}`);
  const listed = [...first.body.evidencePacks, ...second.body.evidencePacks].map(({ id }: { id: string }) => id);
  expect(listed).toEqual(ids);
  expect(second.body.nextCursor).toBeNull();
});

test('a generated pack is recorded', async () => {
  const project = await service.project();
  const pack = await service.pack(project);
  const { rows } = await sql<{ kind: string; subject: string; detail: string }>`SELECT kind, subject, detail FROM audit_entries
    WHERE organization_id = ${project.organizationId}::uuid`.execute(service.postgres.db);
  const { framework, from, to, sha256 } = pack;
  expect(rows.map(({ detail, ...row }) => ({ ...row, detail: JSON.parse(detail) as unknown }))).toEqual([
    { kind: 'evidence_pack.generated', subject: pack.id, detail: { framework, from, to, sha256 } },
  ]);
});

const paths = [
  ['POST', '', 'compliance:generate'],
  ['GET', '', 'compliance:read'],
  ['GET', `/${unknown}`, 'compliance:read'],
  ['GET', `/${unknown}/download`, 'compliance:read'],
  ['GET', `/${unknown}/verify`, 'compliance:read'],
  ['POST', '/verify', 'compliance:read'],
] as const;

test.each(paths)(
  '%s %s: 403 forbidden without session and permission, then plan_required, then the rest',
  async (method, path, permission) => {
    const answer = async (by: Parameters<typeof service.as>[0], project: TestProject) => {
      const { status, body } = await service.as(by, project, method, path, method === 'POST' ? 'no json' : undefined);
      return [status, body.code];
    };
    for (const by of ['nobody', 'key', 'viewer'] as const) expect(await answer(by, free)).toEqual([403, 'forbidden']);
    expect(await answer('member', free)).toEqual([403, permission === 'compliance:read' ? 'plan_required' : 'forbidden']);
    expect(await answer('owner', free)).toEqual([403, 'plan_required']);
    const served = method === 'POST' ? [400, 'invalid_request'] : path === '' ? [200, undefined] : [404, 'not_found'];
    expect(await answer('owner', own)).toEqual(served);
  },
);

test('404 comes before 400, and packs of other projects are not found', async () => {
  const pack = await service.pack(own);
  const other = await service.project();
  for (const path of [`/${unknown}/download?format=pdf`, '/no-id/download?format=pdf', `/${unknown}/verify`])
    expect((await service.as('owner', own, 'GET', path)).status, path).toBe(404);
  for (const rest of ['', '/download', '/verify'])
    expect((await service.as('owner', other, 'GET', `/${pack.id}${rest}`)).status, rest).toBe(404);
  expect((await service.as('owner', own, 'GET', `/${pack.id}/download?format=pdf`)).status).toBe(400);
});

test.each([
  ['no body', undefined],
  ['no range', { framework: 'soc2' }],
  ['another framework', { ...lastMonth, framework: 'iso27001' }],
  ['an unknown field', { ...lastMonth, title: 'x' }],
  ['a day instead of a time', { ...lastMonth, from: '2026-11-01' }],
  ['a number', { ...lastMonth, to: nowMs }],
  ['a NUL character', { ...lastMonth, from: '2026-11-01T00:00:00Z\0' }],
  ['to in the future', { ...lastMonth, to: new Date(nowMs + dayMs).toISOString() }],
  ['from after to', { ...lastMonth, from: at(1), to: at(2) }],
  ['from equal to to', { ...lastMonth, from: at(1), to: at(1) }],
  ['366 days and a millisecond', { ...lastMonth, from: new Date(nowMs - 366 * dayMs - 1).toISOString() }],
  ['a time before 1970', { ...lastMonth, from: '1969-12-31T23:59:59Z', to: '1970-01-02T00:00:00Z' }],
  ['the year 0', { ...lastMonth, from: '0000-01-01T00:00:00Z', to: '0000-01-02T00:00:00Z' }],
])('%s: 400', async (_what, body) => {
  const { status, body: answer } = await service.as('owner', own, 'POST', '', body);
  expect([status, answer.code]).toEqual([400, 'invalid_request']);
});

test('366 days until this millisecond, in any offset', async () => {
  const pack = await service.pack(own, { ...lastMonth, from: at(366), to: '2026-11-22T12:00:00.000+02:00' });
  expect([pack.from, pack.to]).toEqual([at(366), at(0)]);
});

test.each([
  ['nothing', undefined],
  ['an empty text', ''],
  ['no JSON', '{"sha256":'],
  ['a list', '[]'],
  ['null', 'null'],
  ['an object of something else', '{"id":"a","controls":[]}'],
  ['deep nesting', `{"sha256":${'['.repeat(100)}${']'.repeat(100)}}`],
  ['very deep nesting', `{"sha256":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['many values', `{"sha256":[${'1,'.repeat(600_000)}1]}`],
  ['a byte order mark', '\ufeff{"sha256":""}'],
])('%s is no pack: 400', async (_what, body) => {
  const { status, body: answer } = await service.as('owner', own, 'POST', '/verify', body);
  expect([status, answer.code]).toEqual([400, 'invalid_request']);
  expect(answer.error).toMatch(/[;.]/);
});

test('bytes that are not UTF-8 are no pack', async () => {
  const response = await fetch(`${service.url}/v1/projects/${own.projectId}/evidence-packs/verify`, {
    method: 'POST',
    headers: { ...service.credentials('owner', own), 'content-type': 'application/json' },
    body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  });
  expect(response.status).toBe(400);
});

test('a body above the limit is refused, and one of a large pack is not', async () => {
  const sized = (bytes: number) => `{"sha256":"${'a'.repeat(bytes - 13)}"}`;
  expect((await service.as('owner', own, 'POST', '/verify', sized(maxPackBytes))).body).toMatchObject({ valid: false });
  expect((await service.as('owner', own, 'POST', '/verify', sized(maxPackBytes + 1))).status).toBe(413);
});

test('another content type: 415', async () => {
  const response = await fetch(`${service.url}/v1/projects/${own.projectId}/evidence-packs/verify`, {
    method: 'POST',
    headers: { ...service.credentials('owner', own), 'content-type': 'text/plain' },
    body: '{}',
  });
  expect(response.status).toBe(415);
});

test('200 packs an hour: 429, and an hour later again', async () => {
  const project = await service.project();
  await sql`INSERT INTO evidence_packs (id, project_id, created_at, content, listed)
    SELECT gen_random_uuid(), ${project.projectId}::uuid, ${new Date(service.clock.now())}, '', '{}' FROM generate_series(1, 200)`.execute(
    service.postgres.db,
  );
  const refused = await service.as('owner', project, 'POST', '', lastMonth);
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  service.clock.advance(3_600_000);
  expect((await service.as('owner', project, 'POST', '', lastMonth)).status).toBe(201);
});

test('409 while another secret has sealed the key; once the key is deleted there is a new one, and old packs have the other', async () => {
  const project = await service.project();
  const pack = await service.pack(project);
  const { db } = service.postgres;
  const sealed = new SecretBox({ secret: 'another secret of 32 characters or more', purpose: 'evidence-key' });
  await sql`UPDATE evidence_keys SET sealed_private_key = ${sealed.seal('key', 'installation')}`.execute(db);
  const refused = await service.as('owner', project, 'POST', '', lastMonth);
  expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
  expect(refused.body.error).toContain('SPANWISE_SECRET_KEY');
  expect((await service.verify(project, pack)).valid).toBe(true);
  await sql`DELETE FROM evidence_keys`.execute(db);
  expect((await service.verify(project, await service.pack(project))).valid).toBe(true);
  const { checks } = await service.verify(project, pack);
  expect(checks.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(['key']);
});

test('a deleted project takes its packs along', async () => {
  const project = await service.project();
  await service.pack(project);
  await sql`DELETE FROM projects WHERE id = ${project.projectId}::uuid`.execute(service.postgres.db);
  const { rows } = await sql`SELECT id FROM evidence_packs WHERE project_id = ${project.projectId}::uuid`.execute(
    service.postgres.db,
  );
  expect(rows).toEqual([]);
});
