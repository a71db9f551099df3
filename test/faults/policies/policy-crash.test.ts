import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { policyFailpoints } from '../../../src/platform/failpoint/failpoint.ts';
import type { PolicyFile } from '../../../src/contract/policies.ts';
import { isNightly } from '../../support/runs.ts';
import { startService, temporaryDataDirectory } from '../../support/service.ts';
import { copyStores } from '../../support/store-templates.ts';
import { openSession } from '../session.ts';
import type { Answer, Session } from '../session.ts';

/** One kill at each failpoint, and two of applies at the same time. `POLICY_ROUNDS=200 npm run test:faults -- test/faults/policies` runs more, and `npm run test:nightly` does. */
const rounds = Number(process.env['POLICY_ROUNDS'] ?? (isNightly ? 50 : policyFailpoints.length + 2));

type Json = ReturnType<typeof JSON.parse>;

let directory: Awaited<ReturnType<typeof temporaryDataDirectory>>;
/** Every set of files that was sent, by the hashes of its files. */
const sent = new Map<string, PolicyFile[]>();
/** Audit entries of answers that arrived. */
const acknowledged = new Set<string>();
let kills = 0;

beforeAll(async () => {
  directory = await temporaryDataDirectory();
  copyStores(directory.path);
});
afterAll(() => directory.remove());

const hashOf = (content: string) => createHash('sha256').update(content).digest('hex');
const keyOf = (files: ReadonlyArray<{ path: string; sha256: string }>) =>
  JSON.stringify(files.map(({ path, sha256 }) => [path, sha256]));

/** Files with another number of policies and other texts every time. */
function filesOf(round: number, variant: string): PolicyFile[] {
  const document = (kind: string, name: string, spec: object) =>
    JSON.stringify({ apiVersion: 'spanwise/v1', kind, metadata: { name }, spec });
  const files = Array.from({ length: 1 + (round % 4) }, (_, index) => ({
    path: `f${index}.yaml`,
    content: [
      `# round ${round} ${variant}`,
      document('Environment', `env-${index}-${round % 3}`, { description: `${variant} ${round}` }),
      '---',
      document('Guardrail', `g-${index}`, { type: 'blocklist', config: { terms: [variant, String(round)] } }),
    ].join('\n'),
  }));
  sent.set(keyOf(files.map(({ path, content }) => ({ path, sha256: hashOf(content) }))), files);
  return files;
}

async function auditEntries({ organization }: Session): Promise<Json[]> {
  const found: Json[] = [];
  let cursor: string | null = null;
  do {
    const page: Json = await organization(`/audit-log?limit=200${cursor === null ? '' : `&cursor=${cursor}`}`);
    found.push(...page.entries.filter(({ kind }: Json) => /^(environment|guardrail|policy)\./.test(kind)));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found.toReversed();
}

async function allRevisions({ project }: Session): Promise<Json[]> {
  const found: Json[] = [];
  let cursor: string | null = null;
  do {
    const page: Json = (await project('GET', `/policies/revisions?limit=200${cursor === null ? '' : `&cursor=${cursor}`}`))?.body;
    found.push(...page.revisions);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found.toReversed();
}

/** Checks that the audit log, the revisions, the applied files and the records tell of the same changes. */
async function verify(session: Session): Promise<void> {
  const entries = await auditEntries(session);
  const revisions = await allRevisions(session);
  // Every change in these rounds counts a revision.
  expect(revisions.map(({ revision, auditLogId }) => [revision, auditLogId])).toEqual(
    entries.map(({ id, detail }, index) => [index + 1, detail.revision === index + 1 ? id : 'another revision']),
  );
  for (const id of acknowledged) expect(entries.map((entry) => entry.id)).toContain(id);
  expect(await session.organization('/audit-log/verify')).toMatchObject({ valid: true });
  const { policies, revision } = (await session.project('GET', '/policies'))?.body ?? {};
  expect(revision).toBe(entries.length);
  const last = entries.findLast(({ kind }) => kind === 'policy.applied');
  if (!last) {
    expect(policies.filter(({ managedBy }: Json) => managedBy === 'code')).toEqual([]);
    return;
  }
  const files = sent.get(keyOf(last.detail.files)) ?? [];
  expect(files.length).toBeGreaterThan(0);
  const plan = (await session.project('POST', '/policies/plan', { files }))?.body;
  expect(plan.changes.filter(({ action }: Json) => action !== 'none')).toEqual([]);
  const pulled: PolicyFile[] = (await session.project('GET', '/policies/pull'))?.body.files;
  for (const file of files) expect(pulled).toContainEqual(file);
}

async function apply({ project }: Session, files: PolicyFile[]): Promise<Answer> {
  const plan = await project('POST', '/policies/plan', { files });
  if (plan === null) return null;
  expect(plan.status).toBe(200);
  const answer = await project('POST', '/policies/apply', { planId: plan.body.planId, files, allowRemoval: true });
  if (answer?.status === 200) acknowledged.add(answer.body.auditLogId);
  return answer;
}

const edits = (round: number) => (session: Session) =>
  session.project('POST', '/environments', { name: `own-${round}-${Math.trunc(Math.random() * 1e9)}` });

test('an apply that is killed anywhere is done whole or not at all', { timeout: 60_000 + rounds * 60_000 }, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const point = policyFailpoints[round % policyFailpoints.length];
    const way = Math.trunc(round / policyFailpoints.length) % 3;
    const hit = way === 0 ? 1 : 1 + Math.trunc(Math.random() * 2);
    const env = { SPANWISE_FAILPOINT: `${point}:${hit}` };
    const service = await startService({ dataDirectory: directory.path, env });
    const ended = new Promise<void>((resolve) => service.child.once('exit', () => resolve()));
    const session = await openSession(service);
    await verify(session);
    // One apply; two of different files at once; one against an edit in the dashboard.
    const answers = await Promise.all([
      apply(session, filesOf(round, 'first')),
      ...(way === 1 ? [apply(session, filesOf(round, 'second'))] : way === 2 ? [edits(round)(session)] : []),
    ]);
    for (const answer of answers) expect([200, 201, 409, undefined]).toContain(answer?.status);
    if (answers.includes(null)) kills += 1;
    else service.child.kill('SIGKILL');
    await ended;
  }
  const service = await startService({ dataDirectory: directory.path });
  await verify(await openSession(service));
  expect(await service.stop('SIGTERM')).toBe(0);
  // Every failpoint of a single apply is reached.
  expect(kills).toBeGreaterThanOrEqual(Math.min(rounds, policyFailpoints.length));
});
