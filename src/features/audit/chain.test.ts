import fc from 'fast-check';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditDetails } from '../../contract/audit.ts';
import { backends } from '../../platform/postgres/postgres-backends.fixture.ts';
import { appendEntries } from './append-entries.ts';
import type { AppendedEntry } from './append-entries.ts';
import { openAuditDatabase } from './audit-database.fixture.ts';
import type { AuditDatabase } from './audit-database.fixture.ts';
import { entryHash } from './entry-hash.ts';
import { entryColumns, hashedEntry } from './entry-row.ts';
import type { EntryRow } from './entry-row.ts';
import { listEntries } from './list-entries.ts';
import { verifyChain } from './verify-chain.ts';

const zeros = '0'.repeat(64);

describe.each(backends)('the chain of audit entries, $mode', (backend) => {
  let database: AuditDatabase;
  beforeAll(async () => {
    database = await openAuditDatabase(backend);
  });
  afterAll(() => database.close());

  const verify = (organizationId: string) => verifyChain(database.context, organizationId);
  const rowsOf = async (organizationId: string) =>
    (
      await sql<EntryRow>`SELECT ${entryColumns} FROM audit_entries WHERE organization_id = ${organizationId} ORDER BY seq`.execute(
        database.context.db,
      )
    ).rows;
  /** An organization with `count` entries, a second apart. */
  const filled = async (entries: number) => {
    const organizationId = await database.organization();
    for (let number = 1; number <= entries; number++) {
      database.clock.advance(1000);
      await database.record(organizationId, { subject: `subject ${number}` });
    }
    return organizationId;
  };
  const at = (organizationId: string, seq: number) => sql`WHERE organization_id = ${organizationId} AND seq = ${seq}::bigint`;

  test('entries are numbered by organization, and each has the hash of the one before', async () => {
    const [first, second] = [await filled(3), await filled(1)];
    const rows = await rowsOf(first);
    expect(rows.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(rows.map((row) => row.previous_hash)).toEqual([zeros, rows[0]?.hash, rows[1]?.hash]);
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(3);
    expect(rows.every(({ hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true);
    expect((await rowsOf(second))[0]).toMatchObject({ seq: 1, previous_hash: zeros });
    expect(await verify(first)).toEqual({ valid: true, entries: 3, brokenAt: null });
    expect(await verify(second)).toEqual({ valid: true, entries: 1, brokenAt: null });
    expect(await verify(await database.organization())).toEqual({ valid: true, entries: 0, brokenAt: null });
  });

  test('an entry is committed with its transaction or not at all', async () => {
    const organizationId = await filled(1);
    const { db } = database.context;
    const entry: AppendedEntry = {
      organizationId,
      projectId: null,
      kind: 'member.added',
      actor: { type: 'system' },
      subject: null,
      detail: {},
    };
    const undone = db.transaction().execute(async (transaction) => {
      await appendEntries(transaction, database.clock, [entry]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await verify(organizationId)).toEqual({ valid: true, entries: 1, brokenAt: null });
    // Several at once, of several organizations, in the order given.
    const other = (await database.organization()).toUpperCase();
    const kinds = ['member.added', 'member.role_changed', 'member.removed'] as const;
    const ids = await db.transaction().execute((transaction) =>
      appendEntries(
        transaction,
        database.clock,
        kinds.flatMap((kind) => [
          { ...entry, kind },
          { ...entry, kind, organizationId: other },
        ]),
      ),
    );
    expect((await rowsOf(organizationId)).slice(1).map(({ id, kind }) => [id, kind])).toEqual(
      kinds.map((kind, index) => [ids[2 * index], kind]),
    );
    expect(await verify(organizationId)).toEqual({ valid: true, entries: 4, brokenAt: null });
    expect(await verify(other.toLowerCase())).toEqual({ valid: true, entries: 3, brokenAt: null });
  });

  test('is append-only', async () => {
    const organizationId = await filled(2);
    for (const statement of [
      sql`UPDATE audit_entries SET subject = 'nothing' ${at(organizationId, 1)}`,
      sql`UPDATE audit_entries SET subject = subject WHERE false`,
      sql`DELETE FROM audit_entries ${at(organizationId, 2)}`,
      sql`TRUNCATE audit_entries`,
      sql`DELETE FROM audit_heads WHERE organization_id = ${organizationId}`,
      sql`TRUNCATE audit_heads`,
      sql`UPDATE audit_heads SET seq = 1 WHERE organization_id = ${organizationId}`,
      sql`UPDATE audit_heads SET hash = 'x' WHERE organization_id = ${organizationId}`,
    ]) {
      await expect(statement.execute(database.context.db)).rejects.toThrow(/append-only/);
      // A session in which ordinary triggers do not fire.
      const asReplica = database.context.db.transaction().execute(async (transaction) => {
        await sql`SET LOCAL session_replication_role = replica`.execute(transaction);
        await statement.execute(transaction);
      });
      await expect(asReplica).rejects.toThrow(/append-only/);
    }
    expect(await verify(organizationId)).toEqual({ valid: true, entries: 2, brokenAt: null });
  });

  /** A changed subject of entry 3 with consistently recomputed hashes from there on. */
  const forged = async (organizationId: string) => {
    const row = (await rowsOf(organizationId))[2];
    if (!row) throw new Error('there is no third entry');
    return entryHash({ ...hashedEntry(organizationId, row), subject: 'forged' });
  };
  const copy = (organizationId: string, seq: number, subject: string) =>
    sql`INSERT INTO audit_entries SELECT organization_id, ${seq}::bigint, gen_random_uuid(), at, kind, actor_type, actor_id, actor_name, project_id,
      ${subject}::text, detail, previous_hash, hash FROM audit_entries ${at(organizationId, 3)}`;
  const set = (change: RawBuilder<unknown>) => (organizationId: string) =>
    sql`UPDATE audit_entries SET ${change} ${at(organizationId, 3)}`;
  type Tampering = [name: string, entries: number, brokenAt: number, (id: string) => RawBuilder<unknown>[] | RawBuilder<unknown>];
  const columns: Array<[string, RawBuilder<unknown>]> = [
    ['id', sql`id = gen_random_uuid()`],
    ['at', sql`at = at + interval '1 millisecond'`],
    ['kind', sql`kind = 'guardrail.deleted'`],
    ['actor type', sql`actor_type = 'api_key'`],
    ['actor id', sql`actor_id = NULL`],
    ['actor name', sql`actor_name = 'bob@example.com'`],
    ['project', sql`project_id = NULL`],
    ['subject', sql`subject = ''`],
    ['detail', sql`detail = '{"enabled": true}'`],
    ['previous hash', sql`previous_hash = ${zeros}`],
    ['hash', sql`hash = ${zeros}`],
  ];
  const tamperings: Tampering[] = [
    ...columns.map(([name, change]): Tampering => [`a changed ${name}`, 6, 3, set(change)]),
    ['the first removed', 5, 1, (id) => sql`DELETE FROM audit_entries ${at(id, 1)}`],
    ['one removed', 5, 4, (id) => sql`DELETE FROM audit_entries ${at(id, 4)}`],
    [
      'one removed and the rest renumbered',
      5,
      4,
      (id) => [
        sql`DELETE FROM audit_entries ${at(id, 4)}`,
        sql`UPDATE audit_entries SET seq = 4 ${at(id, 5)}`,
        sql`UPDATE audit_entries SET seq = 5 ${at(id, 6)}`,
        sql`UPDATE audit_heads SET seq = 5 WHERE organization_id = ${id}`,
      ],
    ],
    [
      'two that changed places',
      6,
      2,
      (id) => [
        sql`UPDATE audit_entries SET seq = 99 ${at(id, 2)}`,
        sql`UPDATE audit_entries SET seq = 2 ${at(id, 5)}`,
        sql`UPDATE audit_entries SET seq = 5 ${at(id, 99)}`,
      ],
    ],
    [
      'one inserted in between',
      7,
      4,
      (id) => [
        sql`UPDATE audit_entries SET seq = 7 ${at(id, 6)}`,
        sql`UPDATE audit_entries SET seq = 6 ${at(id, 5)}`,
        sql`UPDATE audit_entries SET seq = 5 ${at(id, 4)}`,
        copy(id, 4, 'inserted'),
        sql`UPDATE audit_heads SET seq = 7 WHERE organization_id = ${id}`,
      ],
    ],
    ['one inserted at the end', 7, 7, (id) => copy(id, 7, 'inserted')],
    ['the last ones cut off', 4, 5, (id) => sql`DELETE FROM audit_entries WHERE organization_id = ${id} AND seq > 4`],
    ['all of them cut off', 0, 1, (id) => sql`DELETE FROM audit_entries WHERE organization_id = ${id}`],
    [
      'all entries and the head removed',
      0,
      1,
      (id) => [
        sql`DELETE FROM audit_entries WHERE organization_id = ${id}`,
        sql`DELETE FROM audit_heads WHERE organization_id = ${id}`,
      ],
    ],
    ['a number far away', 6, 6, (id) => sql`UPDATE audit_entries SET seq = 9007199254740991 ${at(id, 6)}`],
  ];

  test.each(tamperings)('verification finds %s', async (_name, entries, brokenAt, tampering) => {
    const organizationId = await filled(6);
    for (const statement of [tampering(organizationId)].flat()) await database.tamper(statement);
    expect(await verify(organizationId)).toEqual({ valid: false, entries, brokenAt });
    expect((await listEntries(database.context, organizationId, { limit: 5 })).entries).toHaveLength(Math.min(entries, 5));
    // Reading and writing go on; the chain stays invalid.
    await expect(database.record(organizationId)).resolves.toEqual(expect.any(String));
    const again = await verify(organizationId);
    expect([again.valid, again.brokenAt]).toEqual([false, brokenAt]);
  });

  test('verification finds a forged entry with a hash that fits it, in between and at the end', async () => {
    const organizationId = await filled(3);
    const hash = await forged(organizationId);
    await database.tamper(sql`UPDATE audit_entries SET subject = 'forged', hash = ${hash} ${at(organizationId, 3)}`);
    expect(await verify(organizationId)).toEqual({ valid: false, entries: 3, brokenAt: 3 });
    await database.record(organizationId);
    expect(await verify(organizationId)).toEqual({ valid: false, entries: 4, brokenAt: 4 });
  });

  test('verification ignores other organizations', async () => {
    const [broken, whole] = [await filled(2), await filled(2)];
    await database.tamper(sql`UPDATE audit_entries SET organization_id = ${broken}, seq = 3 ${at(whole, 2)}`);
    expect(await verify(broken)).toEqual({ valid: false, entries: 3, brokenAt: 3 });
    expect(await verify(whole)).toEqual({ valid: false, entries: 1, brokenAt: 2 });
  });

  test('verifies chains longer than a page, and stops when it is aborted', async () => {
    const organizationId = await database.organization();
    const entry: AppendedEntry = {
      organizationId,
      projectId: null,
      kind: 'auth.login',
      actor: { type: 'system' },
      subject: null,
      detail: {},
    };
    const write = (count: number) =>
      database.context.db.transaction().execute((transaction) =>
        appendEntries(
          transaction,
          database.clock,
          Array.from({ length: count }, () => entry),
        ),
      );
    await write(1000);
    expect(await verify(organizationId)).toEqual({ valid: true, entries: 1000, brokenAt: null });
    await write(1);
    expect(await verify(organizationId)).toEqual({ valid: true, entries: 1001, brokenAt: null });
    await database.tamper(sql`DELETE FROM audit_entries ${at(organizationId, 501)}`);
    expect(await verify(organizationId)).toEqual({ valid: false, entries: 1000, brokenAt: 501 });
    expect(await verifyChain(database.context, organizationId, AbortSignal.abort())).toMatchObject({ valid: false });
  });

  test('arbitrary entries are kept and verify; any change of one does not', { timeout: 120_000 }, async () => {
    const text = fc.string({ unit: 'binary', maxLength: 20 });
    const record = fc.record({
      kind: fc.constantFrom(...Object.keys(auditDetails)),
      projectId: fc.option(fc.uuid()),
      actor: fc.oneof(
        fc.constant({ type: 'system' as const }),
        fc.record({ type: fc.constantFrom('user' as const, 'api_key' as const), id: text, name: text }),
      ),
      subject: fc.option(fc.oneof(text, fc.constant('a\0b'), fc.constant('\ud800'))),
      detail: fc.dictionary(text, fc.jsonValue({ maxDepth: 2 })),
      waitMs: fc.integer({ min: -5, max: 5000 }),
    });
    const shown = (given: string | null) => given?.toWellFormed().replaceAll('\0', '\uFFFD') ?? null;
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { minLength: 1, maxLength: 12 }),
        fc.nat(),
        fc.constantFrom('subject', 'detail', 'actor_name', 'hash'),
        async (records, place, column) => {
          const organizationId = await database.organization();
          for (const { waitMs, ...given } of records) {
            database.clock.advance(waitMs);
            await database.record(organizationId, given);
          }
          expect(await verify(organizationId)).toEqual({ valid: true, entries: records.length, brokenAt: null });
          const { entries } = await listEntries(database.context, organizationId, { limit: 200 });
          expect(entries.toReversed().map(({ kind, subject, detail }) => ({ kind, subject, detail }))).toEqual(
            records.map(({ kind, subject, detail }) => ({
              kind,
              subject: shown(subject),
              detail: JSON.parse(JSON.stringify(detail)) as unknown,
            })),
          );
          const seq = (place % records.length) + 1;
          await database.tamper(
            sql`UPDATE audit_entries SET ${sql.ref(column)} = coalesce(${sql.ref(column)}, '') || ' ' ${at(organizationId, seq)}`,
          );
          expect(await verify(organizationId)).toEqual({ valid: false, entries: records.length, brokenAt: seq });
        },
      ),
      { numRuns: 15 },
    );
  });

  test('concurrent writers to several organizations, in any order, leave valid chains', async () => {
    const [first, second] = [await database.organization(), await database.organization()];
    const entry = { projectId: null, kind: 'auth.login', actor: { type: 'system' }, subject: null, detail: {} } as const;
    const orders = [[first], [second], [first, second], [second, first]];
    const { db } = database.context;
    const writers = Array.from({ length: 40 }, (_, number) =>
      db.transaction().execute(async (transaction) => {
        const organizations = orders[number % 4] ?? [];
        await appendEntries(
          transaction,
          database.clock,
          organizations.map((organizationId) => ({ ...entry, organizationId })),
        );
        if (number % 10 === 9) throw new Error('undone');
      }),
    );
    const verifications = Array.from({ length: 3 }, () => verify(first));
    const outcomes = await Promise.allSettled(writers);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual(
      Array.from({ length: 4 }, () => ({ status: 'rejected', reason: new Error('undone') })),
    );
    for (const verification of await Promise.all(verifications)) expect(verification).toMatchObject({ valid: true });
    const counts = [first, second].map(
      (organizationId) =>
        Array.from({ length: 40 }, (_, number) => number).filter(
          (number) => number % 10 !== 9 && orders[number % 4]?.includes(organizationId),
        ).length,
    );
    expect(await verify(first)).toEqual({ valid: true, entries: counts[0], brokenAt: null });
    expect(await verify(second)).toEqual({ valid: true, entries: counts[1], brokenAt: null });
    expect((await rowsOf(first)).map(({ seq }) => seq)).toEqual(Array.from({ length: counts[0] ?? 0 }, (_, index) => index + 1));
  });
});
