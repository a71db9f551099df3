import { sql } from 'kysely';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestProject } from '../../../../test/support/test-projects.ts';
import type { EvidencePack, PackCheckName } from '../../../contract/evidence-packs.ts';
import { dayMs, failed, lastMonth, nowMs, openComplianceService } from '../compliance-service.fixture.ts';
import type { ComplianceService } from '../compliance-service.fixture.ts';
import { canonicalJson } from '../../../platform/json/index.ts';
import { packHash } from '../format/pack-hash.ts';

let service: ComplianceService;
let project: TestProject;
let pack: EvidencePack;

/** Entries 40, 32, 24, 16 and 8 days ago, two of each: the last month has 5 to 10. */
const member = { kind: 'member.added', detail: { email: 'ü"<b>@example.com', role: 'viewer' } } as const;

beforeAll(async () => {
  service = await openComplianceService();
  project = await service.project();
  for (let day = 40; day > 0; day -= 8) await service.audit(project, nowMs - day * dayMs, member, member);
  pack = await service.pack(project);
});
afterAll(() => service.close());

type Path = Array<string | number>;

/** The paths of every member and element. */
function pathsIn(value: unknown, above: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const steps = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return steps.flatMap((step) => {
    const path = [...above, step];
    return [path, ...pathsIn((value as Record<string | number, unknown>)[step], path)];
  });
}

type Container = Record<string | number, unknown>;
type Change = (container: Container, step: string | number) => void;

const changes: Record<string, Change> = {
  changed: (container, step) => {
    const value = container[step];
    if (typeof value === 'string')
      container[step] = value === '' ? 'a' : `${value.slice(0, -1)}${value.endsWith('a') ? 'b' : 'a'}`;
    else if (typeof value === 'number') container[step] = value + 1;
    else container[step] = value === null ? 0 : null;
  },
  'made another type': (container, step) => {
    container[step] = [container[step]];
  },
  removed: (container, step) => {
    if (Array.isArray(container)) container.splice(Number(step), 1);
    else delete container[step];
  },
  'given a neighbour': (container, step) => {
    if (Array.isArray(container)) container.splice(Number(step), 0, container[step]);
    else container[`${step} `] = container[step];
  },
};

/** The checks that must fail, by what was changed. */
function expectedFailures([first]: Path, change: string): PackCheckName[] | 'content_hash at least' {
  if (change !== 'given a neighbour') {
    if (first === 'signature') return ['signature'];
    if (first === 'publicKey') return ['signature', 'key'];
    if (first === 'sha256') return ['content_hash', 'signature'];
    if (first === 'projectId') return ['content_hash', 'audit_chain'];
  }
  return first === 'audit' ? 'content_hash at least' : ['content_hash'];
}

test('any change of any value, member or element is found by the check that it concerns', async () => {
  const paths = pathsIn(pack);
  expect(paths.length).toBeGreaterThan(300);
  // Heads and ends of the pack as often as its many records.
  const anyPath = fc.oneof(fc.constantFrom(...paths.filter(({ length }) => length <= 3)), fc.constantFrom(...paths));
  await fc.assert(
    fc.asyncProperty(anyPath, fc.constantFrom(...Object.keys(changes)), async (path, change) => {
      const copy = structuredClone(pack) as unknown as Container;
      const container = path.slice(0, -1).reduce((value, step) => value[step] as Container, copy);
      changes[change]?.(container, path.at(-1) ?? '');
      const verification = await service.verify(project, copy);
      expect(verification.valid).toBe(false);
      const expected = expectedFailures(path, change);
      if (expected === 'content_hash at least') expect(failed(verification)).toContain('content_hash');
      else expect(failed(verification), `${path.join('/')} ${change}`).toEqual(expected);
    }),
    { numRuns: 150 },
  );
});

test('the order of members and white space are no values', async () => {
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .toReversed()
        .map(([name, member]) => [name, shuffled(member)]),
    );
  };
  for (const text of [
    JSON.stringify(pack, null, 2),
    JSON.stringify(shuffled(pack)),
    canonicalJson(pack),
    ` ${JSON.stringify(pack)}\n`,
  ])
    expect((await service.verify(project, text)).valid).toBe(true);
});

test('the same value in another spelling is the same, and a number that is not exact is another', async () => {
  const text = JSON.stringify(pack);
  const entries = `"entries":${pack.audit.entries}`;
  expect((await service.verify(project, text.replace(entries, `${entries}.0`))).valid).toBe(true);
  expect((await service.verify(project, text.replace('"id"', '"\\u0069d"'))).valid).toBe(true);
  for (const digits of [`${entries}.0000000000000000001`, '"entries":1e400']) {
    const verification = await service.verify(project, text.replace(entries, digits));
    expect(failed(verification)).toEqual(['content_hash']);
    expect(verification.checks[0]?.detail).toMatch(/is not exact/);
  }
});

test('a member that is given twice is a change, whichever value comes last', async () => {
  const text = JSON.stringify(pack);
  for (const twice of [text.replace('{', '{"framework":"iso27001",'), text.replace('"seq":', '"seq":0,"seq":')]) {
    const verification = await service.verify(project, twice);
    expect(failed(verification)).toContain('content_hash');
    expect(verification.checks[0]?.detail).toMatch(/is given twice/);
  }
  // A member that JavaScript objects have anyway.
  expect(failed(await service.verify(project, text.replace('{', '{"__proto__":{"a":1},')))).toEqual(['content_hash']);
});

test.each([['\ud800'], ['\0'], ['\u2028']])('a character is a value: %j', async (character) => {
  const verification = await service.verify(project, { ...pack, createdBy: `${pack.createdBy}${character}` });
  expect(failed(verification)).toEqual(['content_hash']);
});

test('a pack that another key signed is refused by the key alone', async () => {
  const elsewhere = await openComplianceService();
  try {
    const theirs = await elsewhere.pack(await elsewhere.project());
    const verification = await service.verify(project, { ...theirs, audit: pack.audit, projectId: project.projectId });
    expect(failed(verification)).toEqual(['content_hash', 'key']);
    expect(verification.checks.map(({ name }) => name)).toEqual(['content_hash', 'signature', 'key', 'audit_chain']);
  } finally {
    await elsewhere.close();
  }
});

test('a content that was changed and hashed again is refused by the signature', async () => {
  const changed = { ...pack, createdBy: 'somebody@example.com' };
  expect(failed(await service.verify(project, { ...changed, sha256: packHash(changed) }))).toEqual(['signature']);
});

test('the pack of another project is whole, and its audit log is not looked up here', async () => {
  const other = await service.project();
  const verification = await service.verify(other, pack);
  expect(failed(verification)).toEqual(['audit_chain']);
  expect(verification.checks[3]?.detail).toMatch(/another project/);
});

test('a pack in its DSSE envelope is verified too, with the signature of the envelope', async () => {
  const own = await service.pack(project);
  const { text } = await service.as('member', project, 'GET', `/${own.id}/download?format=dsse`);
  expect((await service.verify(project, text)).valid).toBe(true);
  const envelope = JSON.parse(text) as { payload: string; signatures: object[] };
  expect(failed(await service.verify(project, { ...envelope, signatures: [] }))).toEqual(['signature']);
  const statement = Buffer.from(envelope.payload, 'base64').toString();
  const payload = Buffer.from(statement.replace(own.createdAt, own.from)).toString('base64');
  expect(failed(await service.verify(project, { ...envelope, payload }))).toEqual(['content_hash', 'signature']);
});

test('a stored pack is verified from its bytes', async () => {
  const own = await service.pack(project);
  const stored = () => service.as('member', project, 'GET', `/${own.id}/verify`).then(({ body }) => body);
  expect(await stored()).toMatchObject({ valid: true });
  await sql`UPDATE evidence_packs SET content = convert_to(replace(convert_from(content, 'UTF8'), 'member.added', 'member.adder'), 'UTF8')
    WHERE id = ${own.id}::uuid`.execute(service.postgres.db);
  expect(failed(await stored())).toEqual(['content_hash']);
});

test('replicas that make the key at the same time agree on one', async () => {
  await sql`DELETE FROM evidence_keys`.execute(service.postgres.db);
  const replicas = [service.another(), service.another(), service.another()];
  const pairs = await Promise.all(replicas.map(({ context }) => context.key.pair()));
  expect(new Set(pairs.map(({ publicKey }) => publicKey)).size).toBe(1);
  const { rows } = await sql<Record<string, string>>`SELECT * FROM evidence_keys`.execute(service.postgres.db);
  expect(rows).toHaveLength(1);
  // The row holds the private key encrypted only.
  const der = pairs[0]?.privateKey.export({ format: 'der', type: 'pkcs8' }) ?? Buffer.alloc(0);
  const seed = der.subarray(-32);
  for (const form of ['base64', 'base64url', 'hex'] as const) expect(JSON.stringify(rows)).not.toContain(seed.toString(form));
  // With the key, an earlier pack is no longer of this installation.
  expect(failed(await service.verify(project, pack))).toEqual(['key']);
});

test('without a key there is nothing to compare with', async () => {
  await sql`DELETE FROM evidence_keys`.execute(service.postgres.db);
  expect(failed(await service.verify(project, pack))).toEqual(['key']);
});

test.each([
  [
    'an entry between both ends is changed',
    (seq: number) => sql`UPDATE audit_entries SET kind = 'member.removed' WHERE seq = ${seq}`,
    7,
    'entry 7',
  ],
  ['an entry between both ends is removed', (seq: number) => sql`DELETE FROM audit_entries WHERE seq = ${seq}`, 7, 'entry 7'],
  ['the first end is removed', (seq: number) => sql`DELETE FROM audit_entries WHERE seq = ${seq}`, 5, 'entry 5'],
  [
    'an end is hashed again',
    (seq: number) => sql`UPDATE audit_entries SET hash = repeat('0', 64) WHERE seq = ${seq}`,
    10,
    'Entry 10',
  ],
  [
    'an entry before the range is changed',
    (seq: number) => sql`UPDATE audit_entries SET detail = '{}' WHERE seq = ${seq}`,
    1,
    'entry 1',
  ],
  ['the last entry is removed', () => sql`DELETE FROM audit_entries WHERE seq = 11`, 11, 'entry 11'],
] as const)('when %s, the audit log is not whole', async (_what, change, seq, named) => {
  const own = await service.project();
  for (let day = 40; day > 0; day -= 8) await service.audit(own, nowMs - day * dayMs, member, member);
  const made = await service.pack(own);
  expect(made.audit).toMatchObject({ from: { seq: 5 }, to: { seq: 10 }, entries: 6 });
  expect((await service.verify(own, made)).valid).toBe(true);
  await service.tamper(sql`${change(seq)} AND organization_id = ${own.organizationId}::uuid`);
  const verification = await service.verify(own, made);
  expect(failed(verification)).toEqual(['audit_chain']);
  expect(verification.checks[3]?.detail).toContain(named);
});

test('a range without entries stands at the last entry before it', async () => {
  const own = await service.project();
  const range = { from: new Date(nowMs - 300 * dayMs).toISOString(), to: new Date(nowMs - 200 * dayMs).toISOString() };
  const before = await service.pack(own, { ...lastMonth, ...range });
  const none = { seq: 0, hash: '0'.repeat(64) };
  expect(before.audit).toEqual({ from: none, to: none, entries: 0 });
  expect((await service.verify(own, before)).valid).toBe(true);
  await service.audit(own, nowMs - 350 * dayMs, member);
  const { audit, ...after } = await service.pack(own, { ...lastMonth, ...range });
  expect(audit.from).toEqual(audit.to);
  expect([audit.entries, audit.from.seq]).toEqual([0, 2]);
  expect((await service.verify(own, { ...after, audit })).valid).toBe(true);
});
