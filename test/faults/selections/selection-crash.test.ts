import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Job } from '../../../src/contract/jobs.ts';
import { jobFailpoints } from '../../../src/platform/failpoint/failpoint.ts';
import { startService, temporaryDataDirectory } from '../../support/service.ts';
import type { Service } from '../../support/service.ts';
import { copyStores } from '../../support/store-templates.ts';
import { openSession } from '../session.ts';
import type { Session } from '../session.ts';

// Kills the service at every step of a selection of each action; the next process must do each record once.

/** More than one page of every action. */
const traces = 620;
const actions = ['delete', 'addToDataset', 'addTags', 'export'] as const;
type ActionName = (typeof actions)[number];
type Json = ReturnType<typeof JSON.parse>;

const everywhere = jobFailpoints.filter((point) => point !== 'tags-written');
const ofPages = new Set<string>(['job-page-read', 'job-page-done', 'job-page-recorded']);
/** Each step of each action, those of a page in the second one. */
const steps: Array<[ActionName, string]> = [
  ...actions.flatMap((action) =>
    everywhere.map((point): [ActionName, string] => [action, `${point}:${ofPages.has(point) ? 2 : 1}`]),
  ),
  ['addTags', 'tags-written:2'],
  // Between the inserts of a deletion, and after its last one.
  ['delete', 'deletion-derived:2'],
  ['delete', 'deletion-written:1'],
  ['delete', 'deletion-marked:2'],
];
/** `SELECTION_STEPS=delete npm run test:faults -- test/faults/selections` takes those of one action or point. */
const chosen = steps.filter((step) => step.join(' ').includes(process.env['SELECTION_STEPS'] ?? ''));

let directory: Awaited<ReturnType<typeof temporaryDataDirectory>>;
let running: Service | undefined;
beforeAll(async () => {
  directory = await temporaryDataDirectory();
  copyStores(directory.path);
});
afterAll(async () => {
  await running?.stop('SIGKILL');
  await directory.remove();
});

async function start(env: Record<string, string> = {}): Promise<Service> {
  running = await startService({ dataDirectory: directory.path, env: { SPANWISE_INGEST_RATE: '100000', ...env } });
  return running;
}

/** Sends traces of one session. */
async function sendTraces({ url, apiKey }: Service, sessionId: string): Promise<string[]> {
  const startTime = new Date(Date.now() - 60_000).toISOString();
  const ids = Array.from({ length: traces }, (_, index) => `${sessionId}-${index}`);
  for (let sent = 0; sent < traces; sent += 100) {
    const events = ids.slice(sent, sent + 100).map((traceId) => ({
      type: 'span',
      traceId,
      spanId: 's',
      name: 'n',
      sessionId,
      startTime,
      input: traceId,
      output: traceId,
    }));
    const answer = await fetch(`${url}/v1/ingest`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/x-ndjson' },
      body: events.map((event) => JSON.stringify(event)).join('\n'),
    });
    expect(answer.status).toBe(202);
  }
  return ids;
}

const filterOf = (sessionId: string) => `session:${sessionId}`;
const count = async ({ project }: Session, filter: string): Promise<number> => {
  const { buckets } = (await project('GET', `/trace-counts?filter=${encodeURIComponent(filter)}`))?.body ?? {};
  return buckets.reduce((sum: number, bucket: { traces: number }) => sum + bucket.traces, 0);
};

async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + 90_000; performance.now() < deadline;) {
    if (await isTrue()) return;
    await delay(50);
  }
  throw new Error(`in vain: ${what}`);
}

async function newDataset({ url, apiKey }: Service, name: string): Promise<string> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const answer = await fetch(`${url}/v1/datasets`, { method: 'POST', headers, body: JSON.stringify({ name }) });
  return ((await answer.json()) as { id: string }).id;
}

async function itemTraces({ url, apiKey }: Service, datasetId: string): Promise<string[]> {
  const headers = { 'x-api-key': apiKey };
  const found: string[] = [];
  for (let after = ''; ;) {
    const answer = await fetch(`${url}/v1/datasets/${datasetId}/items?limit=1000${after}`, { headers });
    const { items, nextAfter } = (await answer.json()) as Json;
    found.push(...items.map(({ source }: { source: { traceId: string } }) => source.traceId));
    if (items.length < 1000 || nextAfter === null) return found;
    after = `&after=${nextAfter}`;
  }
}

/** Whether the action was done to each of the traces, once. */
async function check(service: Service, session: Session, job: Job, action: Json, ids: readonly string[], sessionId: string) {
  if (action.type === 'delete') {
    expect(await count(session, filterOf(sessionId))).toBe(0);
    const { entries } = await session.organization('/audit-log?kind=traces.deleted&limit=200');
    const deleted = entries.filter(({ subject }: Json) => subject === job.id).flatMap(({ detail }: Json) => detail.traceIds);
    expect(deleted.toSorted()).toEqual(ids.toSorted());
  } else if (action.type === 'addToDataset') {
    expect((await itemTraces(service, action.datasetId)).toSorted()).toEqual(ids.toSorted());
  } else if (action.type === 'addTags') {
    expect(await count(session, `${filterOf(sessionId)} tag:${action.tags[0]}`)).toBe(ids.length);
  } else {
    const url = `${service.url}${job.result?.url}`;
    const lines = (await (await fetch(url, { headers: { 'x-api-key': service.apiKey } })).text()).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).traceId).toSorted()).toEqual(ids.toSorted());
  }
}

test(
  'a selection that is killed at any step continues, and does each record once',
  { timeout: 60_000 + chosen.length * 120_000 },
  async () => {
    expect(chosen.length).toBeGreaterThan(0);
    let service = await start();
    for (const [round, [name, failpoint]] of chosen.entries()) {
      const sessionId = `round-${round}`;
      const what = `${name} at ${failpoint}`;
      const ids = await sendTraces(service, sessionId);
      const before = await openSession(service);
      await until(`the traces of ${what} are readable`, async () => (await count(before, filterOf(sessionId))) === traces);
      const datasetId = name === 'addToDataset' ? await newDataset(service, sessionId) : '';
      const action = {
        delete: {},
        addToDataset: { datasetId },
        addTags: { tags: [`tag-${round}`] },
        export: { format: 'jsonl', payloads: true },
      };
      expect(await service.stop()).toBe(0);

      const killed = await start({ SPANWISE_FAILPOINT: failpoint });
      const ended = new Promise<void>((resolve) => killed.child.once('exit', () => resolve()));
      const session = await openSession(killed);
      const selected = { type: name, ...action[name] };
      // The answer may be lost with the process.
      await session.project('POST', '/selections', { on: 'traces', filter: filterOf(sessionId), action: selected });
      await ended;
      expect(killed.child.signalCode, what).toBe('SIGKILL');

      service = await start();
      const after = await openSession(service);
      let job: Job | undefined;
      await until(`${what} is completed`, async () => {
        const { jobs } = (await after.project('GET', '/jobs?limit=1'))?.body ?? {};
        job = jobs?.[0];
        return job?.status === 'completed' || job?.status === 'failed';
      });
      expect(job, what).toMatchObject({ type: name, status: 'completed', matched: traces, done: traces, failed: 0, errors: [] });
      if (job) await check(service, after, job, selected, ids, sessionId);
    }
    expect(await service.stop()).toBe(0);
  },
);
