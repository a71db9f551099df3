import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { job as jobSchema, jobLimits, jobPage } from '../../contract/jobs.ts';
import { ServiceError } from '../../contract/errors.ts';
import { JobFailed } from './job-type.ts';
import { acting, nowMs, openJobsProcess, openJobsService } from './jobs-service.fixture.ts';
import type { JobsService } from './jobs-service.fixture.ts';

let service: JobsService;
beforeAll(async () => {
  service = await openJobsService();
});
afterAll(() => service.close());

const plain = { run: async () => ({ failed: [] }), finish: async () => null, abandon: async () => undefined };
beforeEach(async () => {
  Object.assign(service.type, plain);
  await service.db.deleteFrom('jobs').execute();
  service.clock.set(nowMs);
});

const ids = (count: number) => Array.from({ length: count }, (_, index) => `id-${index}`);
const input = { name: 'a job' };

test('runs the pages of a set in order, and shows progress, errors and the result', async () => {
  const project = await service.project();
  const seen: string[][] = [];
  service.type.run = async ({ items, job, page, isLast }) => {
    seen.push([...items, String(page), String(isLast), job.input.name]);
    const failed = items.filter((id) => id === 'id-1').map((id) => ({ id, error: 'No such thing.' }));
    return { failed, state: { pages: (job.state?.pages ?? 0) + 1 } };
  };
  service.type.finish = async ({ state }) => ({ url: `/pages/${state?.pages}` });
  // The parts of a set are of any size.
  const made = await service.maker.create(acting(project), input, [ids(7).slice(0, 2), ids(7).slice(2)]);
  const queued = { status: 'queued', matched: 7, done: 0, failed: 0, errors: [], completedAt: null, result: null };
  expect(made).toMatchObject({ ...queued, type: 'test', createdBy: 'ada@example.com', createdAt: new Date(nowMs).toISOString() });
  service.clock.set(nowMs + 5_000);
  await service.feature.runPending();
  expect(seen).toEqual([
    ['id-0', 'id-1', 'id-2', '0', 'false', 'a job'],
    ['id-3', 'id-4', 'id-5', '1', 'false', 'a job'],
    ['id-6', '2', 'true', 'a job'],
  ]);
  const { status, body } = await service.request(project, 'GET', `/jobs/${made.id}`);
  expect(status).toBe(200);
  expect(body).toEqual({
    ...made,
    status: 'completed',
    done: 6,
    failed: 1,
    errors: [{ id: 'id-1', error: 'No such thing.' }],
    completedAt: new Date(nowMs + 5_000).toISOString(),
    result: { url: '/pages/3' },
  });
  expect(jobSchema.strict().safeParse(body).error).toBeUndefined();
  expect(await service.db.selectFrom('job_pages').selectAll().execute()).toEqual([]);
});

test('lists jobs newest first, by status and in pages, and hides those of other projects', async () => {
  const [project, other] = [await service.project(), await service.project()];
  const made: string[] = [];
  for (let at = 0; at < 3; at++) {
    service.clock.set(nowMs + at);
    made.unshift((await service.maker.create(acting(project), input, [ids(1)])).id);
  }
  const list = async (query = '') => (await service.request(project, 'GET', `/jobs${query}`)).body;
  const all = await list();
  expect(jobPage.strict().safeParse(all).error).toBeUndefined();
  expect(all.jobs.map(({ id }: { id: string }) => id)).toEqual(made);
  const first = await list('?limit=2');
  expect((await list(`?limit=2&cursor=${first.nextCursor}`)).jobs.map(({ id }: { id: string }) => id)).toEqual(made.slice(2));
  await service.request(project, 'POST', `/jobs/${made[0]}/cancel`, 'member');
  expect((await list('?status=cancelled')).jobs.map(({ id }: { id: string }) => id)).toEqual(made.slice(0, 1));
  expect((await list('?status=queued')).jobs).toHaveLength(2);
  expect((await service.request(project, 'GET', '/jobs?status=waiting')).status).toBe(400);
  expect((await service.request(project, 'GET', '/jobs', 'nobody')).status).toBe(401);
  expect((await service.request(other, 'GET', `/jobs/${made[0]}`)).body).toMatchObject({ code: 'not_found' });
  for (const id of ['nothing', '0197a000-0000-7000-8000-00000000ffff'])
    expect((await service.request(project, 'GET', `/jobs/${id}`)).status).toBe(404);
  expect((await service.request(project, 'GET', `/jobs/${made[0]}/download`)).status).toBe(404);
});

test('a queued job is cancelled at once, and what is over cannot be', async () => {
  const project = await service.project();
  const abandoned: string[] = [];
  service.type.abandon = async ({ id }) => void abandoned.push(id);
  const { id } = await service.maker.create(acting(project), input, [ids(2)]);
  expect((await service.request(project, 'POST', `/jobs/${id}/cancel`)).status).toBe(403);
  expect((await service.request(project, 'POST', `/jobs/${id}/cancel`, 'viewer')).status).toBe(403);
  const { status, body } = await service.request(project, 'POST', `/jobs/${id}/cancel`, 'member');
  expect([status, body]).toMatchObject([200, { status: 'cancelled', done: 0, completedAt: new Date(nowMs).toISOString() }]);
  const again = await service.request(project, 'POST', `/jobs/${id}/cancel`, 'member');
  expect([again.status, again.body.code]).toEqual([409, 'conflict']);
  await service.feature.runPending();
  expect(abandoned).toEqual([id]);
  expect(await service.db.selectFrom('job_pages').selectAll().execute()).toEqual([]);
  expect((await service.request(project, 'GET', `/jobs/${id}`)).body.status).toBe('cancelled');
  expect((await service.request(project, 'POST', '/jobs/nothing/cancel', 'member')).status).toBe(404);
});

test('a running job ends after the page that it is at, which counts', async () => {
  const project = await service.project();
  const pages: number[] = [];
  const { id } = await service.maker.create(acting(project), input, [ids(9)]);
  service.type.run = async ({ page }) => {
    pages.push(page);
    if (page === 1) {
      const cancelled = await service.request(project, 'POST', `/jobs/${id}/cancel`, 'admin');
      expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled']);
    }
    return { failed: [] };
  };
  await service.feature.runPending();
  expect(pages).toEqual([0, 1]);
  expect((await service.request(project, 'GET', `/jobs/${id}`)).body).toMatchObject({
    status: 'cancelled',
    matched: 9,
    done: 6,
  });
});

test('a page that throws is tried again, and finds what was noted; without progress the job fails', async () => {
  const project = await service.project();
  const { id } = await service.maker.create(acting(project), input, [ids(5)]);
  const noted: string[][] = [];
  service.type.run = async ({ page, items, noted: before, note }) => {
    if (page === 0) return { failed: [] };
    noted.push([...before]);
    if (before.size === 0) {
      await service.db.transaction().execute((transaction) => note(transaction, items.slice(0, 1)));
      throw new Error('broken');
    }
    return { failed: items.filter((one) => !before.has(one)).map((one) => ({ id: one, error: 'Gone.' })) };
  };
  await service.feature.runPending();
  expect((await service.request(project, 'GET', `/jobs/${id}`)).body).toMatchObject({ status: 'queued', done: 3 });
  service.clock.advance(60_000);
  await service.feature.runPending();
  expect(noted).toEqual([[], ['id-3']]);
  expect((await service.request(project, 'GET', `/jobs/${id}`)).body).toMatchObject({
    status: 'completed',
    done: 4,
    failed: 1,
  });

  service.type.run = () => Promise.reject(new Error('broken'));
  const broken = await service.maker.create(acting(project), input, [ids(5)]);
  for (let attempt = 0; attempt < 6; attempt++) {
    await service.feature.runPending();
    service.clock.advance(60_000);
  }
  const { body: job } = await service.request(project, 'GET', `/jobs/${broken.id}`);
  expect(job).toMatchObject({ status: 'failed', matched: 5, done: 0, failed: 5, errors: [{ id: broken.id }] });
  expect(job.errors[0].error).not.toContain('broken');
});

test('a job that cannot be completed fails with its reason, and cleans up', async () => {
  const project = await service.project();
  const abandoned: string[] = [];
  service.type.abandon = async ({ id }) => void abandoned.push(id);
  service.type.run = ({ page }) =>
    page === 0 ? Promise.resolve({ failed: [] }) : Promise.reject(new JobFailed('The dataset was deleted.'));
  const { id } = await service.maker.create(acting(project), input, [ids(5)]);
  await service.feature.runPending();
  expect((await service.request(project, 'GET', `/jobs/${id}`)).body).toMatchObject({
    status: 'failed',
    done: 3,
    failed: 2,
    errors: [{ id, error: 'The dataset was deleted.' }],
  });
  expect(abandoned).toEqual([id]);
});

test('waits while a store does not answer, without counting attempts', async () => {
  const project = await service.project();
  let calls = 0;
  service.type.run = () => {
    calls += 1;
    if (calls <= 10)
      return Promise.reject(new ServiceError('unavailable', 'ClickHouse does not answer.', { retryAfterSeconds: 1 }));
    return Promise.resolve({ failed: [] });
  };
  const { id } = await service.maker.create(acting(project), input, [ids(1)]);
  for (let attempt = 0; attempt < 11; attempt++) {
    await service.feature.runPending();
    service.clock.advance(10_000);
  }
  expect((await service.request(project, 'GET', `/jobs/${id}`)).body).toMatchObject({ status: 'completed', done: 1 });
});

test('another process goes on with a job whose lease is over, and the first one records nothing more', async () => {
  const project = await service.project();
  const { id } = await service.maker.create(acting(project), input, [ids(6)]);
  const second = openJobsProcess(service);
  let isFirst = true;
  const done: number[] = [];
  service.type.run = async ({ page }) => {
    done.push(page);
    if (page === 1 && isFirst) {
      isFirst = false;
      // The first process stands still for longer than its lease.
      service.clock.advance(10 * 60_000);
      await second.feature.runPending();
    }
    return { failed: [] };
  };
  await service.feature.runPending();
  expect(done).toEqual([0, 1, 1]);
  expect((await service.request(project, 'GET', `/jobs/${id}`)).body).toMatchObject({
    status: 'completed',
    done: 6,
    failed: 0,
  });
  await second.feature.close?.();
});

test('five jobs of a project are under way, in all processes, and those of others are not delayed', async () => {
  const [busy, other] = [await service.project(), await service.project()];
  for (let at = 0; at < 8; at++) await service.maker.create(acting(busy), input, [ids(1)]);
  const processes = [service, openJobsProcess(service)];
  let open = Promise.withResolvers<void>();
  const running: string[] = [];
  let most = 0;
  service.type.run = async ({ job }) => {
    running.push(job.projectId);
    most = Math.max(most, running.filter((id) => id === busy.projectId).length);
    await open.promise;
    running.splice(running.indexOf(job.projectId), 1);
    return { failed: [] };
  };
  await service.maker.create(acting(other), input, [ids(1)]);
  const runs = processes.map(({ feature }) => feature.runPending());
  await expect.poll(() => running.length, { timeout: 20_000 }).toBe(jobLimits.running + 1);
  expect(running).toContain(other.projectId);
  open.resolve();
  await Promise.all(runs);
  expect(most).toBe(jobLimits.running);
  open = Promise.withResolvers();
  open.resolve();
  service.clock.advance(2_000);
  await service.feature.runPending();
  expect((await service.request(busy, 'GET', '/jobs?status=completed')).body.jobs).toHaveLength(8);
  await processes[1]?.feature.close?.();
});

test('a project has at most 100 queued jobs, and none is made of a set that fails or is too large', async () => {
  const project = await service.project();
  async function* failing() {
    yield ids(4);
    throw new ServiceError('invalid_request', 'No.');
  }
  await expect(service.maker.create(acting(project), input, failing())).rejects.toThrow('No.');
  // One array again and again: only the pages are stored.
  const part = ids(50_000);
  function* tooMany() {
    for (let at = 0; at < 21; at++) yield at < 20 ? [] : Array.from({ length: jobLimits.matched + 1 }, () => part[0] ?? '');
  }
  await expect(service.maker.create(acting(project), input, tooMany())).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await service.db.selectFrom('jobs').selectAll().execute()).toEqual([]);
  for (let at = 0; at < jobLimits.queued; at++) await service.maker.create(acting(project), input, [ids(1)]);
  await expect(service.maker.create(acting(project), input, [ids(1)])).rejects.toMatchObject({ code: 'conflict' });
  const [{ id }] = (await service.request(project, 'GET', '/jobs?limit=1')).body.jobs;
  await service.request(project, 'POST', `/jobs/${id}/cancel`, 'owner');
  await service.maker.create(acting(project), input, [ids(1)]);
});

test('a job that was being made when its process ended is removed, and so are old records', async () => {
  const project = await service.project();
  const { id } = await service.maker.create(acting(project), input, [ids(1)]);
  await service.feature.runPending();
  const unfinished = await service.maker.create(acting(project), input, [ids(1)]);
  await service.db
    .updateTable('jobs')
    .set({ status: 'preparing', lease_until: new Date(nowMs + 60_000) })
    .where('id', '=', unfinished.id)
    .execute();
  expect((await service.request(project, 'GET', '/jobs')).body.jobs.map((job: { id: string }) => job.id)).toEqual([id]);
  const cleanUp = () => service.feature.jobs?.[0]?.run(new AbortController().signal);
  const stored = async () => (await service.db.selectFrom('jobs').select('id').execute()).map((row) => row.id);
  await cleanUp();
  expect(await stored()).toHaveLength(2);
  service.clock.advance(11 * 60_000);
  await cleanUp();
  expect(await stored()).toEqual([id]);
  service.clock.advance(91 * 86_400_000);
  await cleanUp();
  expect(await stored()).toEqual([]);
});
