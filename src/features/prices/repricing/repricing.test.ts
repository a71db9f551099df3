import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../../contract/errors.ts';
import { repricing as repricingSchema } from '../../../contract/prices.ts';
import type { Repricing } from '../../../contract/prices.ts';
import { FakeRepricing, nowMs, openPricesService, ownProject, path, pathOf } from '../prices-service.fixture.ts';
import type { PricesService } from '../prices-service.fixture.ts';

let service: PricesService;
beforeAll(async () => {
  service = await openPricesService();
});
afterAll(() => service.close());
beforeEach(async () => {
  Object.assign(service.repricing, new FakeRepricing());
  await service.feature.runPending();
});

const range = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-21T12:00:00.000Z' };
const start = (body: object = {}, role = 'admin') => service.request(role, 'POST', `${path}/reprice`, { ...range, ...body });
const get = async (id: string): Promise<Repricing> =>
  (await service.request('viewer', 'GET', `${path}/reprice/${id}`)).body as Repricing;
const whole = { status: 'completed', spans: 3, changed: 3, costBefore: 3, costAfter: 9 };

/** Runs attempts until nothing is due within the longest wait of a retry. */
async function run(): Promise<void> {
  for (let idle = 0; idle < 2;) {
    idle = (await service.feature.runPending()) > 0 ? 0 : idle + 1;
    service.clock.advance(120_000);
  }
}

it('is queued, run page by page, and can be read', async () => {
  await service.request('admin', 'PUT', pathOf('ours'), { inputPerMillion: 1, outputPerMillion: 2 });
  const { status, body } = await start({ models: ['ours', 'b', 'ours'] });
  expect([status, body]).toEqual([202, { id: expect.any(String) as string, status: 'queued' }]);
  expect(await get(body.id)).toMatchObject({ status: 'queued', spans: 0, changed: 0, costBefore: 0, costAfter: 0 });
  await service.feature.runPending();
  const ended = await get(body.id);
  expect(repricingSchema.strict().safeParse(ended).error).toBeUndefined();
  expect(ended).toMatchObject({ id: body.id, ...whole, ...range, models: ['ours', 'b'], dryRun: false, error: null });
  expect(service.repricing.applied).toEqual(['s1', 's2', 's3']);
  const [first] = service.repricing.ranges;
  expect(first).toMatchObject({ projectId: ownProject, fromMs: Date.parse(range.from), beforeMs: Date.parse(range.to) + 1 });
  expect(first?.ownPrices.get('ours')).toMatchObject({ outputPerMillion: 2 });
  expect((await service.audited()).slice(-2)).toEqual([
    { kind: 'repricing.started', subject: body.id, actor: 'admin@example.com', detail: { ...range, models: ['ours', 'b'] } },
    { kind: 'repricing.ended', subject: body.id, actor: null, detail: { ...range, models: ['ours', 'b'], ...whole } },
  ]);
});

it('applies nothing in a dry run, and leaves no entry in the audit log', async () => {
  const before = (await service.audited()).length;
  const { body } = await start({ dryRun: true });
  await service.feature.runPending();
  expect(await get(body.id)).toMatchObject({ ...whole, dryRun: true, models: null });
  expect(service.repricing.applied).toEqual([]);
  expect(await service.audited()).toHaveLength(before);
});

it('takes dates, each as a whole day', async () => {
  const { body } = await start({ from: '2026-11-01', to: '2026-11-02' });
  expect(await get(body.id)).toMatchObject({ from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T23:59:59.999Z' });
});

it('begins at the retention edge', async () => {
  const { body } = await start({ from: '2020-01-01' });
  expect((await get(body.id)).from > '2025-11-01').toBe(true);
});

describe('refused', () => {
  it.each([
    [{ from: '2026-11-21T12:00:00.001Z' }],
    [{ from: '2020-01-01', to: '2020-02-01' }],
    [{ from: undefined }],
    [{ to: 'now' }],
    [{ models: [] }],
    [{ models: Array.from({ length: 101 }, (_, index) => `m${index}`) }],
    [{ dryRun: 'yes' }],
    [{ range: '7d' }],
  ])('400 for %j', async (body) => {
    const answer = await start(body);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
  });

  it('409 while another one of the project is in progress', async () => {
    expect((await start({ dryRun: true })).status).toBe(202);
    const second = await start();
    expect([second.status, second.body.code]).toEqual([409, 'conflict']);
    await service.feature.runPending();
    expect((await start()).status).toBe(202);
  });

  it('404 for one that there is not', async () => {
    for (const id of ['0197a000-0000-7000-8000-00000000dead', 'x'])
      expect((await service.request('viewer', 'GET', `${path}/reprice/${id}`)).status).toBe(404);
  });
});

describe('an interrupted repricing', () => {
  const crash = new Error('the process was killed');

  it.each([1, 2, 3])('continues with page %i, and counts it once', async (failing) => {
    const { apply } = service.repricing;
    let calls = 0;
    service.repricing.apply = function (...given) {
      return ++calls === failing ? apply.apply(this, given).then(() => Promise.reject(crash)) : apply.apply(this, given);
    };
    const { body } = await start();
    await run();
    expect(await get(body.id)).toMatchObject(whole);
    const pages = ['s1', 's2', 's3'];
    // The page is applied again, since it is not known how much of it was stored.
    expect(service.repricing.applied).toEqual(pages.toSpliced(failing, 0, `s${failing}`));
    expect(service.repricing.markedSince).toEqual([expect.any(Number)]);
    service.repricing.apply = apply;
  });

  it('waits for a store that does not answer, for longer than it would retry', async () => {
    const away = new ServiceError('unavailable', 'The database does not answer.');
    service.repricing.failures = Array.from({ length: 8 }, () => ({ of: 'drain' as const, error: away }));
    const { body } = await start();
    await run();
    expect(await get(body.id)).toMatchObject(whole);
  });

  it('fails after its attempts, which the audit log has too', async () => {
    service.repricing.failures = Array.from({ length: 5 }, () => ({ of: 'plan' as const, error: crash }));
    const { body } = await start();
    await run();
    expect(await get(body.id)).toMatchObject({ status: 'failed', spans: 0, error: expect.any(String) as string });
    for (const job of service.feature.jobs ?? []) for (const _ of ['once', 'again']) await job.run(new AbortController().signal);
    const ends = (await service.audited()).filter(({ subject, kind }) => subject === body.id && kind === 'repricing.ended');
    expect(ends).toMatchObject([{ detail: { status: 'failed', spans: 0, changed: 0 } }]);
  });
});

it('is deleted 90 days after its end', async () => {
  const { body } = await start();
  await run();
  service.clock.set(nowMs + 91 * 86_400_000);
  for (const job of service.feature.jobs ?? []) await job.run(new AbortController().signal);
  expect(await get(body.id)).toMatchObject({ code: 'not_found' });
  service.clock.set(nowMs);
});
