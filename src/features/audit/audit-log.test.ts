import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditPage, auditVerification } from '../../contract/audit.ts';
import type { AuditEntry } from '../../contract/audit.ts';
import { byKey, firstKey, nobody, nowMs, openIdentityService } from '../identity/identity-service.fixture.ts';
import type { By, IdentityService } from '../identity/identity-service.fixture.ts';
import { appendEntries } from './append-entries.ts';
import type { AppendedEntry } from './append-entries.ts';
import { recordRetention } from './record-retention.ts';

let service: IdentityService;
let path: string;
beforeAll(async () => {
  service = await openIdentityService();
  path = `/v1/organizations/${service.organizationId}/audit-log`;
});
afterAll(() => service.close());

const get = (url: string, by: By = service.owner.by) => service.request(by, 'GET', url);
const entries = async (query = ''): Promise<AuditEntry[]> => {
  const { status, body } = await get(`${path}${query}`);
  expect(status).toBe(200);
  return body.entries;
};
const record = async (given: Partial<AppendedEntry>) => {
  const [id] = await service.context.db.transaction().execute((transaction) =>
    appendEntries(transaction, service.clock, [
      {
        organizationId: service.organizationId,
        projectId: null,
        kind: 'environment.created',
        actor: { type: 'system' },
        subject: null,
        detail: {},
        ...given,
      },
    ]),
  );
  return id;
};
const iso = (ms: number) => new Date(ms).toISOString();

describe('GET /v1/organizations/{orgId}/audit-log', () => {
  it('answers every field, newest first, under the id and the slug', async () => {
    const actor = { type: 'api_key', id: '0197c000-0000-7000-8000-000000000007', name: 'CI' } as const;
    const detail = { labels: ['production'], from: 1, to: null };
    const projectId = service.first.projectId;
    const id = await record({ kind: 'prompt.labels_moved', actor, projectId, subject: 'greeting', detail });
    const { status, body } = await get(path);
    expect(status).toBe(200);
    expect(auditPage.strict().safeParse(body).error).toBeUndefined();
    const [newest, before] = body.entries;
    expect(newest).toEqual({
      id,
      seq: before.seq + 1,
      at: iso(nowMs),
      kind: 'prompt.labels_moved',
      actor,
      projectId,
      subject: 'greeting',
      detail,
      previousHash: before.hash,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect((await get('/v1/organizations/default/audit-log')).body).toEqual(body);
    // The hash can be computed from the answer.
    const canonical = [
      'spanwise-audit-1',
      service.organizationId,
      newest.seq,
      id,
      newest.at,
      newest.kind,
      ...Object.values(actor),
      projectId,
      'greeting',
      JSON.stringify(detail),
      newest.previousHash,
    ];
    expect(createHash('sha256').update(JSON.stringify(canonical)).digest('hex')).toBe(newest.hash);
  });

  it('filters by kind, actor, time, and all of them together', async () => {
    const day = Date.UTC(2026, 10, 22);
    const ann = { type: 'user', id: 'ann-id', name: 'ann@example.com' } as const;
    const kinds = ['guardrail.created', 'guardrail.updated', 'guardrail.deleted'] as const;
    for (const [index, kind] of kinds.entries()) {
      service.clock.set(day + index);
      await record({ kind, ...(index === 0 ? {} : { actor: ann }) });
    }
    service.clock.set(nowMs);
    const found = async (query: string) => (await entries(query)).map(({ kind }) => kind);
    expect(await found('?kind=guardrail.created')).toEqual(['guardrail.created']);
    expect(await found('?kind=guardrail')).toEqual([]);
    for (const actor of ['ann-id', 'ann%40example.com'])
      expect(await found(`?actor=${actor}`)).toEqual(['guardrail.deleted', 'guardrail.updated']);
    expect(await found(`?actor=system&from=${iso(day)}`)).toEqual(['guardrail.created']);
    expect(await found(`?from=${iso(day)}&to=${iso(day)}`)).toEqual(['guardrail.created']);
    expect(await found(`?from=${iso(day + 1)}`)).toEqual(['guardrail.deleted', 'guardrail.updated']);
    expect(await found(`?from=2026-11-22T01:00:00.002%2B01:00`)).toEqual(['guardrail.deleted']);
    expect(await found(`?actor=user&kind=guardrail.updated&from=${iso(day)}&to=${iso(day + 1)}`)).toEqual(['guardrail.updated']);
    expect(await found(`?actor=user&kind=guardrail.updated&to=${iso(day)}`)).toEqual([]);
  });

  it('pages form the whole list, also while entries are written', async () => {
    const all = await entries('?limit=200');
    const paged: AuditEntry[] = [];
    let cursor: string | null = null;
    do {
      const { body }: { body: { entries: AuditEntry[]; nextCursor: string | null } } = await get(
        `${path}?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`,
      );
      expect(body.entries.length).toBeLessThanOrEqual(2);
      paged.push(...body.entries);
      cursor = body.nextCursor;
      await record({});
    } while (cursor !== null);
    expect(paged).toEqual(all);
    expect(all.length).toBeGreaterThan(4);
  });

  it.each([
    ['limit=0', '/limit'],
    ['limit=201', '/limit'],
    ['cursor=nonsense', '/cursor'],
    [`cursor=${Buffer.from('[1,2]').toString('base64url')}`, '/cursor'],
    [`cursor=${Buffer.from('[0.5]').toString('base64url')}`, '/cursor'],
    ['kind=', '/kind'],
    ['actor=a%00b', '/actor'],
    ['from=yesterday', '/from'],
    ['to=2026-02-30T00:00:00Z', '/to'],
    ['from=0000-12-31T23:59:59Z', '/from'],
    ['from=0001-01-01T00:00:00%2B00:01', '/from'],
    ['to=9999-12-31T23:59:59-00:01', '/to'],
    [`from=${iso(nowMs)}&to=${iso(nowMs - 1)}`, '/from'],
  ])('is 400 for %s', async (query, where) => {
    const { status, body } = await get(`${path}?${query}`);
    expect([status, body.code, body.details[0].path]).toEqual([400, 'invalid_request', where]);
  });
});

describe('GET /v1/organizations/{orgId}/audit-log/verify', () => {
  it('reports a valid log, and the first invalid entry', async () => {
    const { status, body } = await get(`${path}/verify`);
    expect(status).toBe(200);
    expect(auditVerification.strict().safeParse(body).error).toBeUndefined();
    const [newest] = await entries('?limit=1');
    expect(body).toEqual({ valid: true, entries: newest?.seq, brokenAt: null });

    const other = await service.stranger();
    const otherPath = `/v1/organizations/${other.organizationId}/audit-log`;
    // Its owner was added and its project created.
    expect((await get(`${otherPath}/verify`, other.by)).body).toEqual({ valid: true, entries: 2, brokenAt: null });
    await service.context.db.transaction().execute(async (transaction) => {
      await sql`ALTER TABLE audit_entries DISABLE TRIGGER USER`.execute(transaction);
      await sql`UPDATE audit_entries SET detail = '{}' WHERE organization_id = ${other.organizationId}`.execute(transaction);
      await sql`ALTER TABLE audit_entries ENABLE ALWAYS TRIGGER audit_entries_append_only`.execute(transaction);
    });
    expect((await get(`${otherPath}/verify`, other.by)).body).toEqual({ valid: false, entries: 2, brokenAt: 1 });
    expect((await get(`${path}/verify`)).body).toMatchObject({ valid: true });
  });
});

it('both are 403 for an API key, without credentials, for a stranger, and for a role without audit:read; before the query is validated', async () => {
  const stranger = await service.stranger();
  const refused = [
    byKey(firstKey),
    nobody,
    stranger.by,
    (await service.person('viewer')).by,
    (await service.person('member')).by,
  ];
  const admin = await service.person('admin');
  for (const url of [path, `${path}/verify`]) {
    for (const by of refused) {
      const { status, body } = await get(`${url}?limit=0`, by);
      expect([status, body.code]).toEqual([403, 'forbidden']);
    }
    expect((await get(url, admin.by)).status).toBe(200);
  }
  expect((await get('/v1/organizations/no-such/audit-log')).status).toBe(403);
});

it('records in each organization what retention deletes of its projects', async () => {
  const other = await service.stranger();
  const audit = { db: service.context.db, clock: service.clock };
  const tables = ['spans', 'scores'];
  await recordRetention(audit, [
    { organizationId: service.organizationId, projectId: service.first.projectId, beforeMs: Date.UTC(2026, 0, 1), tables },
    { organizationId: other.organizationId, projectId: other.projectId, beforeMs: Date.UTC(2026, 10, 1), tables: ['spans'] },
  ]);
  expect(await entries('?kind=retention.deleted')).toEqual([
    expect.objectContaining({
      actor: { type: 'system', id: null, name: null },
      projectId: service.first.projectId,
      subject: service.first.projectId,
      detail: { before: '2026-01-01T00:00:00.000Z', tables },
    }),
  ]);
  const theirs = (await get(`/v1/organizations/${other.organizationId}/audit-log?kind=retention.deleted`, other.by)).body;
  expect(theirs.entries).toMatchObject([
    { projectId: other.projectId, detail: { before: '2026-11-01T00:00:00.000Z', tables: ['spans'] } },
  ]);
});
