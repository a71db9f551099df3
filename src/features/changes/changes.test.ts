import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestClickHouse } from '../../../test/support/analytics.ts';
import { insertProject } from '../../../test/support/insert-project.ts';
import { openTestPipeline } from '../../../test/support/test-pipeline.ts';
import { openTestPostgres } from '../../../test/support/test-postgres.ts';
import { TestProjects } from '../../../test/support/test-projects.ts';
import type { By, TestProject } from '../../../test/support/test-projects.ts';
import { change, changePage, impact } from '../../contract/changes.ts';
import type { ChangeRecord, Impact } from '../../contract/changes.ts';
import { ManualClock } from '../../platform/clock/clock.ts';
import { openHttpService } from '../../platform/http/http-service.fixture.ts';
import type { HttpService } from '../../platform/http/http-service.fixture.ts';
import { recordAudit } from '../audit/index.ts';
import { emptyScore, emptySpan } from '../records/records.fixture.ts';
import { open } from './index.ts';
import { hourMs } from '../../contract/durations.ts';

const nowMs = Date.UTC(2026, 10, 20, 10, 30);
const clock = new ManualClock(nowMs);
const projects = new TestProjects();
const analytics = await openTestClickHouse();
const { postgres, close: closePostgres } = await openTestPostgres();
const pipeline = await openTestPipeline(analytics.clickhouse, clock);
let http: HttpService;

beforeAll(async () => {
  const feature = open({ postgres, clickhouse: analytics.clickhouse, clock });
  http = await openHttpService((app) => feature.routes?.(app), { authenticator: projects.authenticator });
});
afterAll(async () => {
  await http.close();
  await pipeline.close();
  await closePostgres();
  await analytics.close();
});

async function newProject(): Promise<TestProject> {
  const project = projects.create();
  await insertProject(postgres.db, project, { atMs: nowMs });
  return project;
}

const request = (project: TestProject, method: string, path = '', body?: object | string, by: By = 'key') =>
  http.request(`/v1/projects/${project.projectId}/changes${path}`, {
    method,
    headers: projects.credentials(by, project),
    ...(body === undefined ? {} : { body }),
  });

describe('reporting a change', () => {
  it('stores and returns every field', async () => {
    const project = await newProject();
    const body = {
      kind: 'deploy',
      service: 'checkout',
      version: '1.2.3',
      commitSha: 'abc',
      environment: 'production',
      actor: 'ci',
      url: 'https://example.com/deploys/1',
      at: '2026-11-20T12:00:00.000+02:00',
      description: 'Two\nlines',
      idempotencyKey: 'release 1.2.3',
      metadata: { pipeline: { id: 7 } },
    };
    const { status, body: answer } = await request(project, 'POST', '', body);
    expect(status).toBe(201);
    expect(change.strict().safeParse(answer).error).toBeUndefined();
    expect(answer).toMatchObject({ ...body, at: '2026-11-20T10:00:00.000Z', source: 'api', projectId: project.projectId });
    const { body: page } = await request(project, 'GET');
    expect(changePage.strict().safeParse(page).error).toBeUndefined();
    expect(page).toEqual({ changes: [answer], nextCursor: null });
    expect((await request(project, 'GET', `/${answer.id}`)).body).toEqual(answer);
  });

  it('is found by its id in its own project only', async () => {
    const project = await newProject();
    const { body: made } = await request(project, 'POST', '', { kind: 'deploy' });
    const stranger = await newProject();
    expect((await request(project, 'GET', `/${made.id}`)).status).toBe(200);
    expect((await request(stranger, 'GET', `/${made.id}`)).status).toBe(404);
    expect((await request(project, 'GET', '/not-a-change')).status).toBe(404);
  });

  it('returns the first record of an idempotency key, also for simultaneous requests', async () => {
    const project = await newProject();
    const send = (description: string) => request(project, 'POST', '', { kind: 'config', idempotencyKey: 'k', description });
    const answers = await Promise.all(['a', 'b', 'c'].map(send));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect((await send('d')).body).toEqual(answers[0]?.body);
    const other = await newProject();
    expect((await request(other, 'POST', '', { kind: 'config', idempotencyKey: 'k' })).status).toBe(201);
  });

  it.each([
    [{}],
    [{ kind: 'other' }],
    [{ kind: 'deploy', at: 'now' }],
    [{ kind: 'deploy', at: new Date(nowMs + 24 * hourMs + 1).toISOString() }],
    [{ kind: 'deploy', url: 'javascript:alert(1)' }],
    [{ kind: 'deploy', environment: 'a b' }],
    [{ kind: 'deploy', service: '' }],
    [{ kind: 'deploy', metadata: { text: 'x'.repeat(20_000) } }],
    [{ kind: 'deploy', unknown: 1 }],
  ])('refuses %j', async (body) => {
    expect((await request(await newProject(), 'POST', '', body)).status).toBe(400);
  });

  it.each([64, 5_000])('refuses metadata with %i levels', async (levels) => {
    const body = `{"kind": "deploy", "metadata": ${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;
    expect((await request(await newProject(), 'POST', '', body)).status).toBe(400);
  });

  it('takes a time up to 24 hours ahead', async () => {
    const project = await newProject();
    const at = new Date(nowMs + 24 * hourMs).toISOString();
    expect((await request(project, 'POST', '', { kind: 'deploy', at })).body).toMatchObject({ at });
  });

  it('is for keys and members; viewers read', async () => {
    const project = await newProject();
    expect((await request(project, 'POST', '', { kind: 'deploy' }, 'member')).status).toBe(201);
    expect((await request(project, 'POST', '', { kind: 'deploy' }, 'viewer')).status).toBe(403);
    expect((await request(project, 'POST', '', { kind: 'deploy' }, 'nobody')).status).toBe(401);
    expect((await request(project, 'GET', '', undefined, 'viewer')).body.changes.length).toBe(1);
    expect((await request(project, 'GET', '', undefined, 'nobody')).status).toBe(401);
  });
});

describe('listing changes', () => {
  it('is newest first, in pages, and filters', async () => {
    const project = await newProject();
    const times = [3, 1, 2].map((hours) => new Date(nowMs - hours * hourMs).toISOString());
    for (const [index, at] of times.entries()) {
      await request(project, 'POST', '', {
        kind: index === 0 ? 'model' : 'deploy',
        at,
        service: `s${index}`,
        environment: `e${index}`,
      });
    }
    const list = async (query: string) =>
      (await request(project, 'GET', query)).body.changes.map(({ service }: ChangeRecord) => service);
    expect(await list('')).toEqual(['s1', 's2', 's0']);
    expect(await list('?kind=deploy')).toEqual(['s1', 's2']);
    expect(await list('?service=s2')).toEqual(['s2']);
    expect(await list('?environment=e0')).toEqual(['s0']);
    expect(await list(`?from=${times[2]}`)).toEqual(['s1', 's2']);
    expect(await list(`?to=${times[2]}`)).toEqual(['s2', 's0']);
    const first = (await request(project, 'GET', '?limit=2')).body;
    expect(await list(`?limit=2&cursor=${first.nextCursor}`)).toEqual(['s0']);
    expect((await request(project, 'GET', '?range=7d&from=2026-11-20T00:00:00Z')).status).toBe(400);
  });

  it('has pages of changes of before 1970', async () => {
    const project = await newProject();
    const times = ['1969-12-31T23:59:59.999Z', '1899-12-31T00:00:00.000Z', '0001-01-01T00:00:00.000Z'];
    for (const at of times) await request(project, 'POST', '', { kind: 'deploy', at });
    const found: string[] = [];
    let cursor = '';
    for (const _ of times) {
      const { body } = await request(project, 'GET', `?from=0001-01-01T00:00:00Z&limit=1${cursor}`);
      found.push(...(body.changes as ChangeRecord[]).map(({ at }) => at));
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(found).toEqual(times);
    expect((await request(project, 'POST', '', { kind: 'deploy', at: '0000-12-31T23:59:59.999Z' })).status).toBe(400);
  });

  it('has what the service recorded itself', async () => {
    const project = await newProject();
    const { organizationId, projectId } = project;
    const actor = { type: 'user', id: 'u', email: 'ada@example.com', name: 'Ada' } as const;
    const common = { organizationId, projectId, actor, subject: null };
    await postgres.db.transaction().execute(async (transaction) => {
      const labels = [{ label: 'production', from: 1, to: 2 }];
      await recordAudit(transaction, clock, { ...common, kind: 'prompt.labels_moved', detail: { name: 'greet', labels } });
      const evaluator = { slug: 'judge', type: 'exact', target: 'span', enabled: true };
      await recordAudit(transaction, clock, { ...common, kind: 'evaluator.created', detail: evaluator });
      await recordAudit(transaction, clock, { ...common, kind: 'project.created', detail: { name: 'p', slug: 'p' } });
    });
    const { changes } = (await request(project, 'GET')).body;
    expect(changes.map(({ kind, description, source, actor: by }: ChangeRecord) => [kind, description, source, by])).toEqual([
      ['config', 'Evaluator judge created', 'automatic', 'ada@example.com'],
      ['prompt', 'Prompt greet: label production moved to version 2', 'automatic', 'ada@example.com'],
    ]);
    expect(changes[0]).toMatchObject({ idempotencyKey: null });
    expect((await request(project, 'GET', `/${changes[0].id}/impact`)).status).toBe(200);
    expect((await request(await newProject(), 'GET')).body.changes).toEqual([]);
  });
});

describe('the impact of a change', () => {
  const nanoseconds = (ms: number) => BigInt(ms) * 1_000_000n;
  const atMs = nowMs - 5 * hourMs;
  /** Whether a call is one of the service and environment, before or after the change, and its figures. */
  const calls = Array.from({ length: 200 }, (_unused, index) => ({
    after: index % 2 === 1,
    counts: index % 10 !== 0,
    error: index % (index % 2 === 1 ? 4 : 20) === 3,
    durationMs: 64 + 8 * (index % 13) + (index % 2 === 1 ? 512 : 0),
    cost: 0.125 * (1 + (index % 5)),
    score: index % 3 === 0 ? 0.25 * (index % 5) : null,
  }));
  let project: TestProject;
  let id: string;
  const get = async (query = ''): Promise<Impact> => (await request(project, 'GET', `/${id}/impact${query}`)).body;

  beforeAll(async () => {
    project = await newProject();
    const { projectId, organizationId } = project;
    const startMs = ({ after }: { after: boolean }, index: number) => atMs + (after ? index * 1000 : -(index + 1) * 1000);
    const spans = calls.map((call, index) => ({
      ...emptySpan,
      traceId: `t${index}`,
      spanId: 's',
      kind: 'llm' as const,
      model: index % 4 < 2 ? 'a' : 'b',
      startNs: nanoseconds(startMs(call, index)),
      endNs: nanoseconds(startMs(call, index) + call.durationMs),
      status: call.error ? ('error' as const) : ('ok' as const),
      costUsd: call.cost,
      environment: call.counts ? 'production' : 'staging',
      service: index % 20 === 1 ? 'other' : 'checkout',
    }));
    const scores = calls.flatMap((call, index) =>
      call.score === null
        ? []
        : [
            {
              ...emptyScore,
              traceId: `t${index}`,
              spanId: 's',
              scoreId: `${index}`,
              evaluator: 'e',
              score: call.score,
              timestampMs: startMs(call, index),
            },
          ],
    );
    await pipeline.accept({ projectId, organizationId }, { spans, scores }, 0);
    await pipeline.drain();
    const body = { kind: 'deploy', at: new Date(atMs).toISOString(), environment: 'production', service: 'checkout' };
    id = (await request(project, 'POST', '', body)).body.id;
  });

  function expected(after: boolean, counts: (index: number) => boolean) {
    const own = calls.filter((call, index) => call.after === after && call.counts && index % 20 !== 1 && counts(index));
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const sorted = own.map(({ durationMs }) => durationMs).toSorted((left, right) => left - right);
    return {
      calls: own.length,
      errorRate: expect.closeTo(own.filter(({ error }) => error).length / own.length, 12),
      // Durations below 256 ms times 2^k with 8 significant bits are not rounded.
      p95LatencyMs: sorted[Math.floor(0.95 * (own.length - 1))],
      costPerCall: expect.closeTo(mean(own.map(({ cost }) => cost)), 12),
      avgScore: expect.closeTo(mean(own.flatMap(({ score }) => score ?? [])), 12),
    };
  }

  it('equals figures computed from the calls, narrowed by environment and service', async () => {
    const found = await get();
    expect(impact.strict().safeParse(found).error).toBeUndefined();
    expect(found.before).toMatchObject({ ...expected(false, () => true), from: new Date(atMs - 24 * hourMs).toISOString() });
    expect(found.after).toMatchObject({ ...expected(true, () => true), to: new Date(nowMs).toISOString() });
  });

  it('narrows by model', async () => {
    const found = await get('?model=a');
    const ofModel = (index: number) => index % 4 < 2;
    expect(found.before).toMatchObject(expected(false, ofModel));
    expect(found.after).toMatchObject(expected(true, ofModel));
    expect((await get('?agent=nobody')).after).toMatchObject({ calls: 0, errorRate: null, p95LatencyMs: null, avgScore: null });
  });

  it('gives a verdict on each metric', async () => {
    const { checks } = await get();
    const of = (metric: string) => checks.find((check) => check.metric === metric);
    expect(checks.map(({ metric }) => metric)).toEqual(['errorRate', 'p95LatencyMs', 'costPerCall', 'avgScore']);
    expect(of('errorRate')).toMatchObject({ verdict: 'worse' });
    expect(of('p95LatencyMs')).toMatchObject({ verdict: 'worse' });
    expect(of('costPerCall')).toMatchObject({ verdict: 'unchanged' });
    for (const check of checks) expect([check.ciLow, check.ciHigh]).toEqual([expect.any(Number), expect.any(Number)]);
    expect((await get('?hours=1&model=a')).checks.find(({ metric }) => metric === 'avgScore')).toMatchObject({
      verdict: 'inconclusive',
    });
    expect(await get()).toEqual(await get());
  });

  it('takes equal costs and scores for unchanged, also where sums of different numbers of them round differently', async () => {
    const fresh = await newProject();
    const starts = Array.from({ length: 81 }, (_unused, index) => (index < 34 ? atMs - 1000 - index : atMs + 1000 + index));
    await pipeline.accept(
      fresh,
      {
        spans: starts.map((ms, index) => ({
          ...emptySpan,
          traceId: `t${index}`,
          spanId: 's',
          kind: 'llm' as const,
          model: 'm',
          startNs: nanoseconds(ms),
          costUsd: 0.1,
        })),
        scores: starts.map((ms, index) => ({
          ...emptyScore,
          traceId: `t${index}`,
          spanId: 's',
          scoreId: `${index}`,
          evaluator: 'e',
          score: 0.9,
          timestampMs: ms,
        })),
      },
      0,
    );
    await pipeline.drain();
    const { id: changeId } = (await request(fresh, 'POST', '', { kind: 'deploy', at: new Date(atMs).toISOString() })).body;
    const { before, after, checks } = (await request(fresh, 'GET', `/${changeId}/impact`)).body as Impact;
    expect([before.calls, after.calls]).toEqual([34, 47]);
    expect([before, after]).toMatchObject([
      { costPerCall: 0.1, avgScore: 0.9 },
      { costPerCall: 0.1, avgScore: 0.9 },
    ]);
    expect(checks.slice(2)).toMatchObject([
      { metric: 'costPerCall', delta: 0, verdict: 'unchanged' },
      { metric: 'avgScore', delta: 0, verdict: 'unchanged' },
    ]);
  });

  it('ends now for a change that is still to come', async () => {
    const soon = { kind: 'deploy', at: new Date(nowMs + hourMs).toISOString() };
    const { id: soonId } = (await request(project, 'POST', '', soon)).body;
    const { before, after } = (await request(project, 'GET', `/${soonId}/impact`)).body as Impact;
    const now = new Date(nowMs).toISOString();
    expect(before).toMatchObject({ from: new Date(nowMs - 23 * hourMs).toISOString(), to: now, calls: calls.length });
    expect(after).toMatchObject({ from: now, to: now, calls: 0 });
    const later = { kind: 'deploy', at: new Date(nowMs + 20 * hourMs).toISOString() };
    const { id: laterId } = (await request(project, 'POST', '', later)).body;
    const { before: none } = (await request(project, 'GET', `/${laterId}/impact?hours=2`)).body as Impact;
    expect(none).toMatchObject({ from: now, to: now, calls: 0, errorRate: null });
  });

  it.each(['?hours=0', '?hours=169', '?hours=x'])('refuses %s', async (query) => {
    expect((await request(project, 'GET', `/${id}/impact${query}`)).status).toBe(400);
  });

  it('is 404 for an unknown change and one of another project', async () => {
    const other = await newProject();
    expect((await request(other, 'GET', `/${id}/impact`)).status).toBe(404);
    expect((await request(project, 'GET', '/x/impact')).status).toBe(404);
  });
});
