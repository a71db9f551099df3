import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Job } from '../../../src/contract/jobs.ts';
import { jobFailpoints } from '../../../src/platform/failpoint/failpoint.ts';
import { isNightly } from '../../support/runs.ts';
import { startService, temporaryDataDirectory } from '../../support/service.ts';
import type { Service } from '../../support/service.ts';
import { copyStores } from '../../support/store-templates.ts';
import { until } from '../../support/until.ts';
import { isKilled, startUntilKilled } from '../killed-service.ts';
import { openSession } from '../session.ts';
import type { Session } from '../session.ts';

// Kills the service at the steps of a selection of each action; the processes after it must do each record once.

/** More than one page of every action. */
const traces = 620;
const actions = ['addToDataset', 'addTags', 'export', 'delete'] as const;
type ActionName = (typeof actions)[number];
type Json = ReturnType<typeof JSON.parse>;

/** One selection, and the failpoints at which the processes that work on it are killed, one after the other. */
type Round = readonly [action: ActionName, points: readonly string[]];

/** Each point, those of a page in its second one or a later one, and those of the runner for the action that destroys. Each round begins with `job-made`. */
const inTurn: Round[] = [
  ['addToDataset', ['job-made:1', 'job-page-done:2', 'job-finished:1']],
  ['addTags', ['job-made:1', 'job-page-done:2', 'tags-written:1']],
  ['export', ['job-made:1', 'job-page-done:2', 'job-finished:1', 'job-completed:1']],
  [
    'delete',
    [
      'job-made:1',
      'job-page-read:2',
      'job-page-done:1',
      'job-page-recorded:1',
      // Between the inserts of a deletion, and after its last one.
      'deletion-derived:2',
      'deletion-written:1',
      'deletion-marked:2',
      'job-finished:1',
      'job-completed:1',
    ],
  ],
];

const ofPages = new Set<string>(['job-page-read', 'job-page-done', 'job-page-recorded']);
const ofRunner = jobFailpoints.filter((point) => point !== 'tags-written' && point !== 'job-made');
const steps: Array<[ActionName, string]> = [
  ...actions.flatMap((action) =>
    ofRunner.map((point): [ActionName, string] => [action, `${point}:${ofPages.has(point) ? 2 : 1}`]),
  ),
  ['addTags', 'tags-written:2'],
  ['delete', 'deletion-derived:2'],
  ['delete', 'deletion-written:1'],
  ['delete', 'deletion-marked:2'],
];
/** Each step of each action in a selection of its own. */
const alone = steps.map(([action, point]): Round => [action, ['job-made:1', point]]);

/** `SELECTION_STEPS=delete npm run test:faults -- test/faults/selections` takes the steps of one action or point, each in a selection of its own. */
const wanted = process.env['SELECTION_STEPS'] ?? (isNightly ? '' : null);
const rounds = wanted === null ? inTurn : alone.filter((round) => round.flat().join(' ').includes(wanted));

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

const options = () => ({ dataDirectory: directory.path, env: { SPANWISE_INGEST_RATE: '100000' } });

async function start(failpoint?: string): Promise<Service> {
  const { dataDirectory, env } = options();
  running = await startService({ dataDirectory, env: { ...env, ...(failpoint && { SPANWISE_FAILPOINT: failpoint }) } });
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
  { timeout: 60_000 + rounds.flatMap(([, points]) => points).length * 120_000 },
  async () => {
    expect(rounds.length).toBeGreaterThan(0);
    const killedAt = inTurn.flatMap(([, points]) => points.map((point) => point.split(':')[0]));
    expect(killedAt).toEqual(expect.arrayContaining([...jobFailpoints]));
    let service = await start(rounds[0]?.[1][0]);
    for (const [round, [name, points]] of rounds.entries()) {
      const sessionId = `round-${round}`;
      const ids = await sendTraces(service, sessionId);
      const before = await openSession(service);
      // A batch writes traces before spans: a process that is killed in between leaves traces that have no spans until the next one has read the log.
      await until(
        `${sessionId} is written`,
        async () => {
          const { pendingEvents } = (await before.project('GET', '/ingest-health'))?.body ?? {};
          return pendingEvents === 0 && (await count(before, filterOf(sessionId))) === traces;
        },
        90_000,
      );
      const datasetId = name === 'addToDataset' ? await newDataset(service, sessionId) : '';
      const action = {
        delete: {},
        addToDataset: { datasetId },
        addTags: { tags: [`tag-${round}`] },
        export: { format: 'jsonl', payloads: true },
      };
      const selected = { type: name, ...action[name] };
      // The answer is lost with the process.
      await before.project('POST', '/selections', { on: 'traces', filter: filterOf(sessionId), action: selected });
      const [made = '', ...others] = points;
      await isKilled(service.child, made);
      for (const point of others) await startUntilKilled(options(), point);

      // The failpoint of the next selection, `job-made`, is not one of the rest of this one.
      service = await start(rounds[round + 1]?.[1][0]);
      const what = `${name} after ${points.join(', ')}`;
      const after = await openSession(service);
      let job: Job | undefined;
      await until(
        `${what} is completed`,
        async () => {
          const { jobs } = (await after.project('GET', '/jobs?limit=1'))?.body ?? {};
          job = jobs?.[0];
          return job?.status === 'completed' || job?.status === 'failed';
        },
        90_000,
      );
      expect(job, what).toMatchObject({ type: name, status: 'completed', matched: traces, done: traces, failed: 0, errors: [] });
      if (job) await check(service, after, job, selected, ids, sessionId);
    }
    expect(await service.stop()).toBe(0);
  },
);
