import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answersJson, echoes } from '../../../test/support/simulation-target.ts';
import type { BatchRun } from '../../contract/simulations.ts';
import { removeUnpreparedRuns } from './batch-runs/preparing-runs.ts';
import { openSimulationsApp, startMs } from './simulations-app.fixture.ts';
import type { SimulationsApp } from './simulations-app.fixture.ts';

let own: SimulationsApp;
beforeAll(async () => {
  own = await openSimulationsApp();
});
afterAll(() => own.close());
beforeEach(() => own.target.answers(echoes));

describe('a batch run', () => {
  test('sends every item and tells the figures', async () => {
    const { id: datasetId, itemIds } = await own.dataset([
      { input: 'a', expectedOutput: 'a' },
      { input: 'b', expectedOutput: 'c' },
      { input: 'd' },
    ]);
    const scenarioId = await own.scenario({ datasetId, referenceMatch: { mode: 'exact' } });
    const queued = await own.start(scenarioId, { label: 'main', concurrency: 2 });
    expect(queued).toMatchObject({
      scenarioId,
      label: 'main',
      status: 'queued',
      concurrency: 2,
      repetitions: 1,
      startedAt: null,
      completedAt: null,
      counts: { total: 3, pending: 3, passed: 0, failed: 0, error: 0, cancelled: 0 },
      passRate: null,
      errorRate: null,
      latencyP50Ms: null,
      costUsd: 0,
    });
    expect(await own.runPending()).toBe(1);
    const run = await own.run(queued.id);
    expect(run).toMatchObject({
      status: 'completed',
      counts: { total: 3, pending: 0, passed: 2, failed: 1, error: 0, cancelled: 0 },
      passRate: 2 / 3,
      errorRate: 0,
      error: null,
    });
    expect(run.latencyP95Ms).toBeGreaterThan(0);
    const items = await own.items(run.id);
    expect(
      items.map(({ datasetItemId, status, output, referenceMatch }) => [datasetItemId, status, output, referenceMatch]),
    ).toEqual([
      [itemIds[0], 'passed', 'a', true],
      [itemIds[1], 'failed', 'b', false],
      [itemIds[2], 'passed', 'd', null],
    ]);
    expect(items[0]).toMatchObject({ repetition: 1, error: null, errorKind: null, costUsd: null, scores: [] });
    expect((await own.items(run.id, '&status=failed')).map((item) => item.datasetItemId)).toEqual([itemIds[1]]);
    const listed = await own.simulations('GET', `/batch-runs?scenarioId=${scenarioId}&status=completed`);
    expect(listed.body.batchRuns).toEqual([run]);
    const found = async (query: string) =>
      (await own.simulations('GET', `/batch-runs?${query}`)).body.batchRuns.map(({ id }: BatchRun) => id);
    expect(await found(`datasetId=${datasetId}`)).toEqual([run.id]);
    expect(await found(`datasetId=${datasetId}&q=MAI`)).toEqual([run.id]);
    expect(await found(`q=${encodeURIComponent(run.scenarioName)}&datasetId=${datasetId}`)).toEqual([run.id]);
    expect(await found(`datasetId=${datasetId}&q=%25`)).toEqual([]);
    expect(await found('datasetId=none')).toEqual([]);
  });

  test('is prepared and cancelled in slices between which the database serves others, and is shown when it is whole', async () => {
    const { id: datasetId } = await own.dataset(Array.from({ length: 1_000 }, (_, input) => ({ input })));
    const scenarioId = await own.scenario({ datasetId });
    const { db } = own.app.features.simulations.context;
    const stored = async (status: string) => {
      const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM simulation_items AS item
        JOIN simulation_batch_runs AS run ON run.id = item.batch_run_id
        WHERE run.scenario_id = ${scenarioId}::uuid AND item.status = ${status}`.execute(db);
      return rows[0]?.count ?? 0;
    };
    const during = async <T>(
      work: Promise<T>,
      status: string,
    ): Promise<{ counts: Set<number>; shown: Set<string>; answer: T }> => {
      let ended = false;
      const counts = new Set<number>();
      const shown = new Set<string>();
      void work.finally(() => (ended = true)).catch(() => undefined);
      while (!ended) {
        counts.add(await stored(status));
        const { body } = await own.simulations('GET', `/batch-runs?scenarioId=${scenarioId}`);
        for (const { counts: of } of body.batchRuns as BatchRun[]) shown.add(`${of.total} ${of.pending + of.cancelled}`);
      }
      return { counts, shown, answer: await work };
    };
    const started = await during(own.start(scenarioId, { repetitions: 6 }), 'pending');
    expect([...started.counts].some((count) => count > 0 && count < 6_000)).toBe(true);
    for (const seen of started.shown) expect(seen).toBe('6000 6000');
    expect(started.answer.counts).toMatchObject({ total: 6_000, pending: 6_000 });
    const cancelled = await during(own.simulations('POST', `/batch-runs/${started.answer.id}/cancel`), 'cancelled');
    expect([...cancelled.counts].some((count) => count > 0 && count < 6_000)).toBe(true);
    expect(await own.run(started.answer.id)).toMatchObject({ status: 'cancelled', counts: { pending: 0, cancelled: 6_000 } });
    expect(await own.runPending()).toBe(0);
  });

  test('of which a process left a part is not shown, and is deleted', async () => {
    const { id: datasetId } = await own.dataset([{ input: 1 }]);
    const { id } = await own.start(await own.scenario({ datasetId }));
    const { db } = own.app.features.simulations.context;
    const leaseUntil = new Date(startMs + 60_000);
    await sql`UPDATE simulation_batch_runs SET run_at = 'infinity', lease_until = ${leaseUntil} WHERE id = ${id}::uuid`.execute(
      db,
    );
    expect((await own.simulations('GET', `/batch-runs/${id}`)).status).toBe(404);
    expect(await own.runPending()).toBe(0);
    expect(await removeUnpreparedRuns(db, startMs)).toBe(0);
    expect(await removeUnpreparedRuns(db, leaseUntil.getTime() + 1)).toBe(1);
    const { rows } = await sql`SELECT 1 FROM simulation_items WHERE batch_run_id = ${id}::uuid`.execute(db);
    expect(rows).toEqual([]);
  });

  test('is refused for an unknown scenario, for too many items and beyond 100 in the queue', async () => {
    const unknown = await own.simulations('POST', '/batch-runs', { scenarioId: 'none' });
    expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const { id: datasetId } = await own.dataset([{ input: 1 }]);
    const scenarioId = await own.scenario({ datasetId });
    for (const body of [{ concurrency: 33 }, { concurrency: 0 }, { repetitions: 11 }, { label: 'a\u0000' }, { more: 1 }])
      expect(await own.simulations('POST', '/batch-runs', { scenarioId, ...body }), JSON.stringify(body)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request' },
      });
    const many = await own.dataset(Array.from({ length: 10_001 }, (_, input) => ({ input })));
    const large = await own.scenario({ datasetId: many.id });
    expect(await own.simulations('POST', '/batch-runs', { scenarioId: large, repetitions: 10 })).toMatchObject({
      status: 400,
      body: { details: [{ path: '/repetitions' }] },
    });
    const queued: string[] = [];
    for (let count = 0; count < 100; count += 1) queued.push((await own.start(scenarioId)).id);
    expect(await own.simulations('POST', '/batch-runs', { scenarioId })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    });
    for (const id of queued) expect((await own.simulations('POST', `/batch-runs/${id}/cancel`)).status).toBe(202);
    await own.completed(scenarioId);
  }, 60_000);

  test('waits while ten of the project are executed', async () => {
    const { id: datasetId } = await own.dataset([{ input: 1 }]);
    const scenarioId = await own.scenario({ datasetId });
    const full = Promise.withResolvers<void>();
    const waiting: Array<() => void> = [];
    own.target.answers((response, request) => {
      waiting.push(() => echoes(response, request));
      if (waiting.length === 10) full.resolve();
    });
    for (let count = 0; count < 12; count += 1) await own.start(scenarioId);
    const running = own.runPending();
    await full.promise;
    const listed = await own.simulations('GET', `/batch-runs?scenarioId=${scenarioId}`);
    const statuses = listed.body.batchRuns.map(({ status }: BatchRun) => status);
    expect(statuses.toSorted()).toEqual([...Array(2).fill('queued'), ...Array(10).fill('running')]);
    own.target.answers(echoes);
    for (const answer of waiting) answer();
    await running;
    await own.runPending();
    expect((await own.simulations('GET', `/batch-runs?scenarioId=${scenarioId}&status=completed`)).body.batchRuns).toHaveLength(
      12,
    );
    expect(own.target.mostAtOnce()).toBeLessThanOrEqual(10);
  });

  test('repeats items, and shows the first repetition in the dataset run', async () => {
    const { id: datasetId, itemIds } = await own.dataset([{ input: 'a', expectedOutput: 1 }]);
    const scenarioId = await own.scenario({ datasetId, referenceMatch: { mode: 'exact' } });
    let sent = 0;
    own.target.answers(answersJson(() => ({ output: (sent += 1) })));
    const run = await own.completed(scenarioId, { repetitions: 3, concurrency: 1 });
    expect(run.counts).toMatchObject({ total: 3, passed: 1, failed: 2 });
    expect((await own.items(run.id)).map(({ repetition, output }) => [repetition, output])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
    const shown = await own.request('GET', `/datasets/${datasetId}/runs/${run.datasetRunId}`);
    expect(shown.body.items).toMatchObject([{ datasetItemId: itemIds[0], output: 1, error: null }]);
  });

  test('has the items as they were when it was started', async () => {
    const { id: datasetId, itemIds } = await own.dataset([{ input: 'before' }, { input: 'deleted' }]);
    const scenarioId = await own.scenario({ datasetId });
    const { id } = await own.start(scenarioId);
    await own.request('PATCH', `/datasets/${datasetId}/items/${itemIds[0]}`, { input: 'after' });
    await own.request('DELETE', `/datasets/${datasetId}/items/${itemIds[1]}`);
    await own.request('POST', `/datasets/${datasetId}/items`, { input: 'added' });
    await own.simulations('PATCH', `/scenarios/${scenarioId}`, { target: { type: 'http', url: `${own.url}/other` } });
    await own.runPending();
    expect((await own.items(id)).map(({ output, inputPreview }) => [output, inputPreview])).toEqual([
      ['before', '"after"'],
      ['deleted', null],
    ]);
    expect(own.target.requests.map(({ path }) => path)).toEqual(['/', '/']);
    const run = await own.run(id);
    const shown = await own.request('GET', `/datasets/${datasetId}/runs/${run.datasetRunId}`);
    expect(shown.body.items.map(({ output }: { output: unknown }) => output)).toEqual(['before']);
  });

  test('shows the first 200 characters of an item’s input', async () => {
    const input = { text: '𝒳'.repeat(300) };
    const { id: datasetId } = await own.dataset([{ input }]);
    const { id } = await own.completed(await own.scenario({ datasetId }));
    const [item] = await own.items(id);
    expect(item?.inputPreview).toBe([...JSON.stringify(input)].slice(0, 200).join(''));
  });

  test('outlives its scenario and its dataset', async () => {
    const { id: datasetId } = await own.dataset([{ input: 1 }]);
    const scenarioId = await own.scenario({ datasetId });
    const { id } = await own.start(scenarioId);
    expect((await own.simulations('DELETE', `/scenarios/${scenarioId}`)).status).toBe(204);
    expect((await own.request('DELETE', `/datasets/${datasetId}`)).status).toBe(204);
    await own.runPending();
    expect(await own.run(id)).toMatchObject({ status: 'completed', datasetRunId: null, counts: { passed: 1 } });
    expect((await own.items(id)).map(({ output }) => output)).toEqual([1]);
  });

  test('without items is completed at once', async () => {
    const { id: datasetId } = await own.dataset([]);
    expect(await own.completed(await own.scenario({ datasetId }))).toMatchObject({
      status: 'completed',
      passRate: null,
      errorRate: null,
    });
  });

  test('sends as many items at a time as it says', async () => {
    const { id: datasetId } = await own.dataset(Array.from({ length: 20 }, (_, input) => ({ input })));
    const scenarioId = await own.scenario({ datasetId });
    const waiting: Array<() => void> = [];
    own.target.answers((response, request) => {
      waiting.push(() => echoes(response, request));
      // Answers once no further request can come.
      if (waiting.length === 5 || own.target.requests.length > 15) for (const answer of waiting.splice(0)) answer();
    });
    expect(await own.completed(scenarioId, { concurrency: 5 })).toMatchObject({ counts: { passed: 20 } });
    expect(own.target.mostAtOnce()).toBe(5);
  });

  test('answers 404 for what is not there', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/items'],
      ['POST', '/cancel'],
    ] as const)
      for (const id of ['none', '0197a000-0000-7000-8000-00000000000f'])
        expect((await own.simulations(method, `/batch-runs/${id}${path}`)).status, `${method} ${path}`).toBe(404);
    expect((await own.simulations('POST', '/batch-runs/none/cancel', '{')).status).toBe(404);
    expect((await own.simulations('GET', '/batch-runs?scenarioId=none')).body).toEqual({ batchRuns: [], nextCursor: null });
    expect((await own.simulations('GET', '/batch-runs?status=none')).status).toBe(400);
    expect((await own.simulations('GET', '/batch-runs', undefined, {})).status).toBe(401);
  });
});

describe('cancelling', () => {
  test('a run that waits ends it, and is refused once it has ended', async () => {
    const { id: datasetId } = await own.dataset([{ input: 1 }, { input: 2 }]);
    const { id } = await own.start(await own.scenario({ datasetId }));
    const cancelled = await own.simulations('POST', `/batch-runs/${id}/cancel`);
    expect(cancelled).toMatchObject({
      status: 202,
      body: { batchRun: { status: 'cancelled', counts: { cancelled: 2, pending: 0 }, passRate: null } },
    });
    expect(await own.simulations('POST', `/batch-runs/${id}/cancel`)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(await own.runPending()).toBe(0);
    expect(own.target.requests).toEqual([]);
  });

  test('a run in progress sends no more, and keeps the answers to what was sent', async () => {
    const { id: datasetId } = await own.dataset(Array.from({ length: 50 }, (_, input) => ({ input })));
    const { id } = await own.start(await own.scenario({ datasetId }), { concurrency: 2 });
    const arrived = Promise.withResolvers<void>();
    const waiting: Array<() => void> = [];
    own.target.answers((response, request) => {
      waiting.push(() => echoes(response, request));
      if (waiting.length === 2) arrived.resolve();
    });
    const running = own.runPending();
    await arrived.promise;
    expect(await own.run(id)).toMatchObject({ status: 'running', counts: { pending: 50 } });
    expect((await own.simulations('POST', `/batch-runs/${id}/cancel`)).status).toBe(202);
    for (const answer of waiting.splice(0)) answer();
    await running;
    expect(await own.run(id)).toMatchObject({ status: 'cancelled', counts: { passed: 2, cancelled: 48, pending: 0 } });
    expect(own.target.requests).toHaveLength(2);
    expect((await own.items(id, '&status=cancelled')).length).toBe(48);
  });
});
