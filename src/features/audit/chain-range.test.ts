import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backends } from '../../platform/postgres/postgres-backends.fixture.ts';
import { openAuditDatabase } from './audit-database.fixture.ts';
import type { AuditDatabase } from './audit-database.fixture.ts';
import { chainRange, entriesOf, hashAt } from './chain-range.ts';

const startMs = Date.UTC(2026, 10, 20, 10);
const zeros = '0'.repeat(64);

describe.each(backends)('a part of the audit log, $mode', (backend) => {
  let database: AuditDatabase;
  beforeAll(async () => {
    database = await openAuditDatabase(backend);
  });
  afterAll(() => database.close());

  /** An organization with entries at these seconds. */
  const withEntries = async (...seconds: number[]) => {
    const organizationId = await database.organization();
    for (const second of seconds) {
      database.clock.set(startMs + second * 1000);
      await database.record(organizationId, { subject: `at ${second}`, projectId: null });
    }
    return organizationId;
  };
  const between = (from: number, to: number) => ({ fromMs: startMs + from * 1000, toMs: startMs + to * 1000 });
  const subjects = async (...given: Parameters<typeof entriesOf>) => {
    const found: Array<string | null> = [];
    for await (const page of entriesOf(...given)) found.push(...page.map(({ subject }) => subject));
    return found;
  };

  test('has its first and last entry, both ends inclusive', async () => {
    const { db } = database.context;
    const organizationId = await withEntries(10, 20, 30, 40);
    const place = async (seq: number) => ({ seq, hash: await hashAt(db, organizationId, seq) });
    expect(await chainRange(db, organizationId, between(20, 30))).toEqual({
      from: await place(2),
      to: await place(3),
      entries: 2,
    });
    expect(await chainRange(db, organizationId, between(0, 100))).toEqual({
      from: await place(1),
      to: await place(4),
      entries: 4,
    });
    expect(await chainRange(db, organizationId, between(21, 29))).toEqual({
      from: await place(2),
      to: await place(2),
      entries: 0,
    });
    const none = { seq: 0, hash: zeros };
    expect(await chainRange(db, organizationId, between(0, 9))).toEqual({ from: none, to: none, entries: 0 });
    expect(await hashAt(db, organizationId, 5)).toBeNull();
  });

  test('stays as it was found while entries are added', async () => {
    const { db } = database.context;
    const organizationId = await withEntries(10, 20);
    const times = between(0, 100);
    const range = await chainRange(db, organizationId, times);
    database.clock.set(startMs + 30_000);
    await database.record(organizationId, { subject: 'later', projectId: null });
    expect(await subjects(db, organizationId, uuidv7(), { ...range, ...times })).toEqual(['at 10', 'at 20']);
  });

  test('leaves out other projects, and entries that a clock dated outside of it', async () => {
    const { db } = database.context;
    const organizationId = await withEntries(10, 50, 20);
    const [own, other] = [uuidv7(), uuidv7()];
    for (const projectId of [own, other]) await database.record(organizationId, { subject: 'of a project', projectId });
    const times = between(10, 30);
    const range = await chainRange(db, organizationId, times);
    expect(range).toMatchObject({ from: { seq: 1 }, to: { seq: 5 }, entries: 4 });
    expect(await subjects(db, organizationId, own, { ...range, ...times })).toEqual(['at 10', 'at 20', 'of a project']);
  });
});
