import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestProject } from '../../../../test/support/test-projects.ts';
import type { Evidence, EvidencePack } from '../../../contract/evidence-packs.ts';
import { dayMs, lastMonth, nowMs, openComplianceService } from '../compliance-service.fixture.ts';
import type { ComplianceService } from '../compliance-service.fixture.ts';
import { controlStatus } from '../control-status.ts';
import { soc2Controls } from '../soc2-controls.ts';
import { Population } from './population.ts';

let service: ComplianceService;
beforeAll(async () => {
  service = await openComplianceService();
});
afterAll(() => service.close());

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
/** The RFC 8785 form of flat records of texts, whole numbers and null. */
const flat = (record: Readonly<Record<string, unknown>>) => JSON.stringify(record, Object.keys(record).sort());
const digestOf = (records: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
  sha256(records.map((record) => `${flat(record)}\n`).join(''));

/** Evidence by type; of several controls, the first. */
function evidenceOf({ controls }: EvidencePack, type: string): Evidence | undefined {
  return controls.flatMap(({ evidence }) => evidence).find((one) => one.type === type);
}

const daysAgo = (days: number) => new Date(nowMs - days * dayMs);

async function addChange({ projectId }: TestProject, at: Date): Promise<void> {
  await sql`INSERT INTO changes (id, project_id, at, kind, service, metadata, created_at)
    VALUES (${uuidv7()}::uuid, ${projectId}::uuid, ${at}, 'deploy', 'api', '{}', ${at})`.execute(service.postgres.db);
}

async function addIncident(
  { projectId }: TestProject,
  opened: Date,
  acknowledged: Date | null,
  resolved: Date | null,
): Promise<void> {
  await sql`INSERT INTO incidents (id, project_id, rule_id, rule_name, type, scope, status, opened_at, acknowledged_at, resolved_at, value, peak_value,
      threshold, summary, sample_trace_ids, changes, notified_at)
    VALUES (${uuidv7()}::uuid, ${projectId}::uuid, ${uuidv7()}::uuid, 'rule', 'error-rate', '', ${resolved ? 'resolved' : 'open'}, ${opened},
      ${acknowledged}, ${resolved}, 0.5, 'Infinity', 0.1, 'too many errors', '{}', '[]', ${opened})`.execute(service.postgres.db);
}

test('a project without records has evidence of nothing, and no control is filled in', async () => {
  const { controls } = await service.pack(await service.project());
  expect(controls.map(({ controlId, title }) => ({ controlId, title }))).toEqual(
    soc2Controls.map(({ controlId, title }) => ({ controlId, title })),
  );
  for (const { status, evidence } of controls) expect([status, evidence]).toEqual(['none', []]);
});

test('controls that no such service can evidence have no sources', () => {
  const listed = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../../../test/fixtures/evidence/soc2-common-criteria.json'), 'utf8'),
  ) as Array<{ id: string; product: string }>;
  const lacking = new Set(['CC6.2', 'CC6.3', 'CC6.5', 'CC7.1', 'CC7.4', 'CC8.1', 'CC9.2']);
  const reach = { no: 'nothing', pa: 'part', ye: 'whole' } as const;
  const common = soc2Controls.filter(({ controlId }) => controlId.startsWith('CC'));
  expect(common.map(({ controlId }) => controlId)).toEqual(listed.map(({ id }) => id));
  expect(common.map((control) => [control.controlId, control.reach])).toEqual(
    // Titles of these name a part that no record shows.
    listed.map(({ id, product }) => [id, lacking.has(id) ? 'part' : reach[product.slice(0, 2) as keyof typeof reach]]),
  );
  for (const { sources, reach: how } of soc2Controls) expect(sources.length > 0).toBe(how !== 'nothing');
});

test('a control is evidenced only where all its sources have records and records can show it', () => {
  const control = { controlId: 'X', title: 'x', sources: ['incidents', 'backups'] as const };
  const statuses = (reach: 'whole' | 'part') => [0, 1, 2].map((found) => controlStatus({ ...control, reach }, found));
  expect(statuses('whole')).toEqual(['none', 'partial', 'evidenced']);
  expect(statuses('part')).toEqual(['none', 'partial', 'partial']);
});

test('up to 20 records are all listed, with a digest over them', async () => {
  const project = await service.project();
  for (let n = 0; n < 20; n++) await addChange(project, daysAgo(n));
  const { id, ...pack } = await service.pack(project);
  const changes = evidenceOf({ id, ...pack }, 'reported_changes');
  expect(changes).toMatchObject({ count: 20, from: lastMonth.from, to: lastMonth.to });
  expect(changes?.sample.map(({ at }) => at)).toEqual(Array.from({ length: 20 }, (_, n) => daysAgo(19 - n).toISOString()));
  expect(changes?.sha256).toBe(digestOf(changes?.sample ?? []));
  expect(changes?.description).not.toContain(id);
});

test('of more records 25 are drawn by the seed, with count and digest of all', async () => {
  const project = await service.project();
  const details = Array.from({ length: 700 }, (_, n) => ({ email: `user-${n}@example.com`, role: 'viewer' as const }));
  await service.audit(project, nowMs - dayMs, ...details.map((detail) => ({ kind: 'member.added' as const, detail })));
  const pack = await service.pack(project);
  const { rows } = await sql<
    Record<string, unknown>
  >`SELECT seq, id, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at, kind,
      actor_type AS "actorType", actor_id AS "actorId", actor_name AS "actorName", project_id AS "projectId", subject, detail,
      previous_hash AS "previousHash", hash
    FROM audit_entries WHERE organization_id = ${project.organizationId}::uuid AND kind = 'member.added' ORDER BY seq`.execute(
    service.postgres.db,
  );
  expect(rows).toHaveLength(700);
  const added = evidenceOf(pack, 'access_changes');
  expect(added).toMatchObject({ count: 700, sha256: digestOf(rows) });
  expect(added?.description).toContain(`25 of the 700 records are listed, drawn with the seed ${pack.id}.`);
  const ranks = rows.map((row) => sha256(`${pack.id}\n${flat(row)}`)).sort();
  const drawn = rows.filter((row) => sha256(`${pack.id}\n${flat(row)}`) <= (ranks[24] ?? ''));
  expect(added?.sample).toEqual(drawn);
  // The entry's hash covers the fields of the record.
  const [entry = {}] = added?.sample ?? [];
  const fields = [
    'seq',
    'id',
    'at',
    'kind',
    'actorType',
    'actorId',
    'actorName',
    'projectId',
    'subject',
    'detail',
    'previousHash',
  ];
  const hashed = JSON.stringify(['spanwise-audit-1', project.organizationId, ...fields.map((field) => entry[field])]);
  expect(entry['hash']).toBe(sha256(hashed));
});

test('a population counts, hashes and draws the same whatever its size', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ a: fc.string(), b: fc.integer() }), { maxLength: 60 }), fc.string(), (records, seed) => {
      const population = new Population(seed);
      for (const record of records) population.add(record);
      const { count, sha256: digest, sample } = population.summary();
      expect([count, digest]).toEqual([records.length, digestOf(records)]);
      if (count <= 25) expect(sample).toEqual(records);
      else expect(sample).toHaveLength(25);
      const rank = (record: object) => sha256(`${seed}\n${flat(record as Record<string, unknown>)}`);
      const last = sample.map(rank).sort().at(-1) ?? '';
      for (const record of records) if (!sample.includes(record)) expect(rank(record) >= last).toBe(true);
    }),
  );
});

test('only records of the range, the project and its organization count', async () => {
  const [project, other] = [await service.project(), await service.project()];
  const range = { ...lastMonth, from: daysAgo(20).toISOString(), to: daysAgo(10).toISOString() };
  const ends = [daysAgo(20).getTime() - 1, daysAgo(20).getTime(), daysAgo(10).getTime(), daysAgo(10).getTime() + 1];
  for (const at of ends) await addChange(project, new Date(at));
  await addChange(other, daysAgo(15));
  const key = { name: 'k', prefix: 'spw_' };
  await service.audit(project, daysAgo(15).getTime(), { kind: 'api_key.created', detail: key, subject: 'own' });
  await service.audit(project, daysAgo(15).getTime(), {
    kind: 'api_key.created',
    detail: key,
    subject: 'neighbour',
    projectId: uuidv7(),
  });
  await service.audit(project, daysAgo(15).getTime(), { kind: 'api_key.created', detail: key, subject: 'all', projectId: null });
  await service.audit(other, daysAgo(15).getTime(), { kind: 'api_key.created', detail: key, subject: 'foreign' });
  const pack = await service.pack(project, range);
  expect(evidenceOf(pack, 'reported_changes')?.sample.map(({ at }) => at)).toEqual([range.from, range.to]);
  expect(evidenceOf(pack, 'credential_changes')?.sample.map(({ subject }) => subject)).toEqual(['own', 'all']);
  // The chain is that of the organization.
  expect(pack.audit.entries).toBe(3);
});

test('API keys in force have neither been revoked nor expired by then, and their changes are changes of credentials', async () => {
  const project = await service.project();
  const add = (name: string, expires: Date | null, revoked: Date | null) =>
    sql`INSERT INTO api_keys (id, project_id, name, prefix, secret_sha256, created_at, expires_at, revoked_at)
      VALUES (${uuidv7()}::uuid, ${project.projectId}::uuid, ${name}, 'spw_', ${Buffer.from(sha256(project.projectId + name), 'hex')},
        ${daysAgo(100)}, ${expires}, ${revoked})`.execute(service.postgres.db);
  const end = new Date(lastMonth.to);
  await add('forever', null, null);
  await add('later', new Date(end.getTime() + 1), null);
  await add('expired', end, null);
  await add('revoked', null, daysAgo(90));
  const detail = { name: 'later', prefix: 'spw_', scopes: null, expiresAt: null, changed: ['scopes'] };
  await service.audit(project, nowMs - 5 * dayMs, { kind: 'api_key.updated', detail });
  const pack = await service.pack(project);
  const names = evidenceOf(pack, 'api_keys')?.sample.map(({ name }) => name);
  expect(names?.toSorted()).toEqual(['forever', 'later']);
  expect(evidenceOf(pack, 'credential_changes')?.sample.map(({ kind }) => kind)).toEqual(['api_key.updated']);
});

test('incidents have the seconds until they were acknowledged and resolved', async () => {
  const project = await service.project();
  const opened = daysAgo(3);
  const after = (seconds: number) => new Date(opened.getTime() + seconds * 1000);
  await addIncident(project, opened, after(90.5), after(3600));
  await addIncident(project, daysAgo(2), null, null);
  const pack = await service.pack(project);
  const [first, second] = evidenceOf(pack, 'incidents')?.sample ?? [];
  expect(first).toMatchObject({ status: 'resolved', secondsToAcknowledge: 90.5, secondsToResolve: 3600, peakValue: null });
  expect(second).toMatchObject({ status: 'open', secondsToAcknowledge: null, secondsToResolve: null });
  const status = (id: string) => pack.controls.find(({ controlId }) => controlId === id)?.status;
  expect([status('CC7.3'), status('CC7.5')]).toEqual(['partial', 'partial']);
  expect(await service.verify(project, pack)).toMatchObject({ valid: true });
});

test('the members at the end of the range are those of then', async () => {
  const project = await service.project();
  const user = async (email: string, role: string | null) => {
    const id = uuidv7();
    await sql`INSERT INTO users (id, email, name, password_hash, created_at) VALUES (${id}::uuid, ${email}, 'x', '', ${daysAgo(300)})`.execute(
      service.postgres.db,
    );
    if (role !== null) {
      await sql`INSERT INTO memberships (organization_id, user_id, role, created_at)
        VALUES (${project.organizationId}::uuid, ${id}::uuid, ${role}, ${daysAgo(300)})`.execute(service.postgres.db);
    }
    return id;
  };
  await user('always@example.com', 'owner');
  const promoted = await user('promoted@example.com', 'admin');
  const gone = await user('gone@example.com', null);
  const later = await user('later@example.com', 'viewer');
  const twice = await user('twice@example.com', 'member');
  const record = (kind: 'member.added' | 'member.removed', subject: string, email: string, role: 'viewer' | 'member') =>
    ({ kind, subject, detail: { email, role } }) as const;
  await service.audit(
    project,
    nowMs - 5 * dayMs,
    { kind: 'member.role_changed', subject: promoted, detail: { email: 'promoted@example.com', from: 'member', to: 'admin' } },
    record('member.removed', gone, 'gone@example.com', 'member'),
    record('member.added', later, 'later@example.com', 'viewer'),
    record('member.removed', twice, 'twice@example.com', 'viewer'),
    record('member.added', twice, 'twice@example.com', 'member'),
  );
  const rolesAt = async (to: Date) => {
    const pack = await service.pack(project, { ...lastMonth, to: to.toISOString() });
    const members = evidenceOf(pack, 'members');
    expect([members?.from, members?.to]).toEqual([to.toISOString(), to.toISOString()]);
    return members?.sample.map(({ email, role }) => `${String(email).split('@')[0]} ${role}`);
  };
  expect(await rolesAt(daysAgo(6))).toEqual(['always owner', 'gone member', 'promoted member', 'twice viewer']);
  expect(await rolesAt(daysAgo(0))).toEqual(['always owner', 'later viewer', 'promoted admin', 'twice member']);
});

test('a detail that is long is left to the hash of its entry', async () => {
  const project = await service.project();
  const files = Array.from({ length: 50 }, (_, n) => ({ path: `guardrails/file-${n}.yaml`, sha256: 'a'.repeat(64) }));
  const summary = { create: 0, update: 0, remove: 0, none: 0 };
  const detail = { planId: uuidv7(), files, summary, revision: 1 };
  await service.audit(
    project,
    nowMs - dayMs,
    { kind: 'policy.applied', detail },
    { kind: 'policy.applied', detail: { ...detail, files: [] } },
  );
  const applied = evidenceOf(await service.pack(project), 'policy_changes');
  expect(applied?.sample.map((record) => typeof record['detail'])).toEqual(['object', 'string']);
  expect(applied?.sample[0]?.['detail']).toBeNull();
});

test('a log with a gap is read to its end', async () => {
  const project = await service.project();
  const added = { kind: 'member.added', detail: { email: 'a@example.com', role: 'viewer' } } as const;
  await service.audit(project, nowMs - dayMs, ...Array.from({ length: 1_300 }, () => added));
  await service.tamper(
    sql`DELETE FROM audit_entries WHERE organization_id = ${project.organizationId}::uuid AND seq BETWEEN 101 AND 1200`,
  );
  const pack = await service.pack(project);
  expect(evidenceOf(pack, 'access_changes')?.count).toBe(200);
  expect(pack.audit).toMatchObject({ from: { seq: 1 }, to: { seq: 1_300 }, entries: 200 });
});
