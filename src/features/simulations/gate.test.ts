import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answersJson, echoes } from '../../../test/support/simulation-target.ts';
import type { Received } from '../../../test/support/simulation-target.ts';
import type { BatchRun } from '../../contract/simulations.ts';
import { GateStatistics } from './gate/gate-statistics.ts';
import { comparePages } from './gate/compare-pages.ts';
import { readRun } from './gate/read-run.ts';
import { openSimulationsApp } from './simulations-app.fixture.ts';
import type { SimulationsApp } from './simulations-app.fixture.ts';

let own: SimulationsApp;
let datasetId: string;
let itemIds: string[];
let scenarioId: string;
let baseline: BatchRun;
beforeAll(async () => {
  own = await openSimulationsApp();
  ({ id: datasetId, itemIds } = await own.dataset(Array.from({ length: 10 }, (_, input) => ({ input, expectedOutput: input }))));
  scenarioId = await own.scenario({ datasetId, referenceMatch: { mode: 'exact' } });
  baseline = await own.completed(scenarioId);
});
afterAll(() => own.close());
beforeEach(() => own.target.answers(echoes));

const gate = (candidateId: string, body: object = {}, headers?: Record<string, string>) =>
  own.simulations('POST', `/batch-runs/${candidateId}/gate`, { baselineBatchRunId: baseline.id, ...body }, headers);

/** A candidate whose answers to these inputs are wrong. */
async function wrongAt(...inputs: number[]): Promise<BatchRun> {
  own.target.answers(answersJson(({ body }: Received) => ({ output: inputs.includes(body.input) ? 'wrong' : body.input })));
  return own.completed(scenarioId);
}

const audited = async (runId: string) => {
  const { db } = own.app.features.simulations.context;
  const { rows } = await sql<{ detail: string }>`SELECT detail FROM audit_entries
    WHERE kind = 'simulation.gate' AND subject = ${runId} ORDER BY seq`.execute(db);
  return rows.map(({ detail }) => JSON.parse(detail) as unknown);
};

describe('the gate', () => {
  test('passes an unchanged candidate, with and without /v1 and confidence', async () => {
    const candidate = await own.completed(scenarioId);
    const expected = {
      pending: false,
      passed: true,
      verdict: 'pass',
      checks: [
        {
          name: 'pass_rate_drop',
          baseline: 1,
          candidate: 1,
          delta: 0,
          limit: 0,
          passed: true,
          verdict: 'pass',
          ciLow: null,
          ciHigh: null,
        },
      ],
      regressions: [],
      compared: 10,
      onlyInOne: 0,
    };
    expect(await gate(candidate.id)).toMatchObject({ status: 200, body: expected });
    const path = `${own.app.url}/projects/${own.app.projectId}/simulations/batch-runs/${candidate.id}/gate`;
    const unprefixed = await fetch(path, {
      method: 'POST',
      headers: { 'x-api-key': own.app.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ baselineBatchRunId: baseline.id }),
    });
    expect([unprefixed.status, await unprefixed.json()]).toEqual([200, expected]);
    const sure = await gate(candidate.id, { confidence: 0.95 });
    expect(sure.body.checks).toMatchObject([{ verdict: 'pass', ciLow: 0, ciHigh: 0 }]);
    expect(await audited(candidate.id)).toHaveLength(3);
  });

  test('refuses a candidate that lost items, and names them', async () => {
    const candidate = await wrongAt(3, 7);
    const { body } = await gate(candidate.id);
    expect(body).toMatchObject({ passed: false, verdict: 'fail', checks: [{ delta: 0.2, limit: 0, verdict: 'fail' }] });
    expect(body.regressions).toEqual([
      { datasetItemId: itemIds[3], baseline: { status: 'passed', output: 3 }, candidate: { status: 'failed', output: 'wrong' } },
      { datasetItemId: itemIds[7], baseline: { status: 'passed', output: 7 }, candidate: { status: 'failed', output: 'wrong' } },
    ]);
    expect(await gate(candidate.id, { thresholds: { maxPassRateDrop: 0.2 } })).toMatchObject({ body: { passed: true } });
    expect(await audited(candidate.id)).toMatchObject([
      { passed: false, verdict: 'fail', failed: ['pass_rate_drop'], baselineBatchRunId: baseline.id },
      { passed: true, failed: [] },
    ]);
  });

  test('makes every check that is asked for, in their order', async () => {
    const candidate = await wrongAt(0);
    const thresholds = {
      maxCostIncrease: 0,
      maxP95LatencyIncrease: 1_000_000,
      maxErrorRate: 0,
      minPassRate: 0.95,
      maxPassRateDrop: 0.5,
    };
    const { body } = await gate(candidate.id, { thresholds });
    expect(body.checks).toMatchObject([
      { name: 'pass_rate_drop', verdict: 'pass' },
      { name: 'min_pass_rate', baseline: 1, candidate: 0.9, delta: 0.9, limit: 0.95, verdict: 'fail' },
      { name: 'max_error_rate', baseline: 0, candidate: 0, delta: 0, verdict: 'pass' },
      { name: 'p95_latency_increase', verdict: 'pass' },
      { name: 'cost_increase', baseline: 0, candidate: 0, delta: 0, verdict: 'pass' },
    ]);
  });

  test('is inconclusive where the limit is within the interval', async () => {
    const candidate = await wrongAt(3);
    const asked = { confidence: 0.95, thresholds: { maxPassRateDrop: 0.05 } };
    const lenient = await gate(candidate.id, asked);
    expect(lenient.body).toMatchObject({
      passed: true,
      verdict: 'inconclusive',
      checks: [{ passed: true, verdict: 'inconclusive', ciLow: 0 }],
    });
    expect(lenient.body.checks[0].itemsNeeded).toBeGreaterThan(10);
    const strict = await gate(candidate.id, { ...asked, onInconclusive: 'fail' });
    expect(strict.body).toMatchObject({ passed: false, verdict: 'inconclusive', checks: [{ passed: false }] });
    const point = await gate(candidate.id, { ...asked, onInconclusive: 'point' });
    expect(point.body).toMatchObject({ passed: false, verdict: 'inconclusive', checks: [{ delta: 0.1, passed: false }] });
    const within = { ...asked, onInconclusive: 'point', thresholds: { maxPassRateDrop: 0.15, minPassRate: 0.85 } };
    expect((await gate(candidate.id, within)).body).toMatchObject({
      passed: true,
      verdict: 'inconclusive',
      checks: [
        { verdict: 'inconclusive', passed: true },
        { verdict: 'inconclusive', passed: true },
      ],
    });
    // The same runs give the same answer, also in another process.
    expect((await gate(candidate.id, asked)).text).toBe(lenient.text);
  });

  test('compares the items that both runs have', async () => {
    const candidate = await own.completed(scenarioId);
    const { id, itemIds: others } = await own.dataset([{ input: 'x' }]);
    await own.request('POST', `/datasets/${datasetId}/items`, { input: 10, expectedOutput: 10 });
    const larger = await own.completed(scenarioId);
    expect((await gate(larger.id)).body).toMatchObject({ compared: 10, onlyInOne: 1 });
    await own.simulations('PATCH', `/scenarios/${scenarioId}`, { datasetId: id });
    const other = await own.completed(scenarioId);
    await own.simulations('PATCH', `/scenarios/${scenarioId}`, { datasetId });
    expect(others).toHaveLength(1);
    expect(await gate(other.id)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((await gate(candidate.id)).status).toBe(200);
  });

  test('leaves out items that are errors in both runs; where none is left every check is inconclusive', async () => {
    const { id, itemIds: ids } = await own.dataset([1, 2, 3, 4].map((input) => ({ input, expectedOutput: input })));
    const scenario = await own.scenario({ datasetId: id, referenceMatch: { mode: 'exact' } });
    const runWith = (outputOf: (input: number) => unknown) => {
      own.target.answers(answersJson(({ body }: Received) => outputOf(body.input as number)));
      return own.completed(scenario);
    };
    const errorsAt = (...inputs: number[]) => runWith((input) => (inputs.includes(input) ? { none: 1 } : { output: input }));
    const [then, now] = [await errorsAt(1, 2), await errorsAt(1, 2, 3)];
    const compare = async (candidate: { id: string }, baseline: { id: string }, more: object = {}) =>
      (await own.simulations('POST', `/batch-runs/${candidate.id}/gate`, { baselineBatchRunId: baseline.id, ...more })).body;
    expect(await compare(now, then, { thresholds: { maxErrorRate: 0.5 } })).toMatchObject({
      compared: 4,
      onlyInOne: 0,
      checks: [
        { name: 'pass_rate_drop', baseline: 1, candidate: 0.5, delta: 0.5, verdict: 'fail' },
        { name: 'max_error_rate', baseline: 0, candidate: 0.5, verdict: 'pass' },
      ],
      regressions: [{ datasetItemId: ids[2] }],
    });
    const [nothing, neither] = [await errorsAt(1, 2, 3, 4), await errorsAt(1, 2, 3, 4)];
    for (const confidence of [undefined, 0.95]) {
      const asked = { confidence, thresholds: { minPassRate: 0 } };
      const check = { baseline: null, candidate: null, delta: null, ciLow: null, verdict: 'inconclusive', itemsNeeded: null };
      expect(await compare(neither, nothing, { ...asked, onInconclusive: 'point' })).toMatchObject({
        passed: false,
        verdict: 'inconclusive',
        compared: 4,
        checks: [
          { ...check, name: 'pass_rate_drop', passed: false },
          { ...check, name: 'min_pass_rate', passed: false },
        ],
      });
      expect(await compare(neither, nothing, asked)).toMatchObject({ passed: true, verdict: 'inconclusive' });
    }
  });

  test('counts repetitions as shares', async () => {
    const { id } = await own.dataset([
      { input: 1, expectedOutput: 1 },
      { input: 2, expectedOutput: 2 },
    ]);
    const flaky = await own.scenario({ datasetId: id, referenceMatch: { mode: 'exact' } });
    const then = await own.completed(flaky, { repetitions: 2 });
    let sent = 0;
    own.target.answers(answersJson(({ body }: Received) => ({ output: body.input === 2 && (sent += 1) === 1 ? 0 : body.input })));
    const now = await own.completed(flaky, { repetitions: 2, concurrency: 1 });
    const { body } = await own.simulations('POST', `/batch-runs/${now.id}/gate`, { baselineBatchRunId: then.id });
    expect(body).toMatchObject({
      compared: 2,
      checks: [{ baseline: 1, candidate: 0.75, delta: 0.25 }],
      regressions: [{ candidate: { status: 'failed', output: 0 } }],
    });
  });

  test('waits for a candidate that has not ended, and refuses one that did not complete', async () => {
    const candidate = await own.start(scenarioId);
    expect(await gate(candidate.id)).toMatchObject({
      status: 202,
      body: { pending: true, batchRun: { id: candidate.id, status: 'queued' } },
    });
    expect(await audited(candidate.id)).toEqual([]);
    await own.simulations('POST', `/batch-runs/${candidate.id}/cancel`);
    expect((await gate(candidate.id, { onInconclusive: 'pass', confidence: 0.9 })).body).toEqual({
      pending: false,
      passed: false,
      verdict: 'fail',
      checks: [
        {
          name: 'completed',
          baseline: null,
          candidate: null,
          delta: null,
          limit: null,
          ciLow: null,
          ciHigh: null,
          passed: false,
          verdict: 'fail',
        },
      ],
      regressions: [],
      compared: 0,
      onlyInOne: 0,
    });
    // As the baseline.
    const answer = await own.simulations('POST', `/batch-runs/${baseline.id}/gate`, { baselineBatchRunId: candidate.id });
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });

  test('refuses what cannot be compared', async () => {
    const candidate = await own.completed(scenarioId);
    const unknown = '0197a000-0000-7000-8000-00000000000f';
    for (const id of [unknown, 'none']) expect((await gate(id)).status).toBe(404);
    for (const id of [unknown, 'none']) expect((await gate(candidate.id, { baselineBatchRunId: id })).status).toBe(404);
    expect(await gate(baseline.id)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const other = await own.completed(await own.scenario({ datasetId }));
    expect(await gate(other.id)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    for (const body of [
      { confidence: 0.79 },
      { confidence: 1 },
      { thresholds: { minPassRate: 2 } },
      { thresholds: { more: 1 } },
      { onInconclusive: 'ask' },
    ])
      expect((await gate(candidate.id, body)).status, JSON.stringify(body)).toBe(400);
    expect((await gate(candidate.id, {}, {})).status).toBe(401);
    // 404 comes before 400.
    expect((await gate(unknown, { confidence: 2 })).status).toBe(404);
  });

  test('shows at most 100 regressions', async () => {
    const { id } = await own.dataset(Array.from({ length: 120 }, (_, input) => ({ input, expectedOutput: input })));
    const large = await own.scenario({ datasetId: id, referenceMatch: { mode: 'exact' } });
    const then = await own.completed(large);
    own.target.answers(answersJson({ output: 'wrong' }));
    const now = await own.completed(large);
    const { body } = await own.simulations('POST', `/batch-runs/${now.id}/gate`, {
      baselineBatchRunId: then.id,
      confidence: 0.95,
    });
    expect(body).toMatchObject({ passed: false, verdict: 'fail', compared: 120, checks: [{ delta: 1, ciLow: 1, ciHigh: 1 }] });
    expect(body.regressions).toHaveLength(100);
  });

  test('answers the same in a thread and in another process', async () => {
    const { id } = await own.dataset(Array.from({ length: 80 }, (_, input) => ({ input, expectedOutput: input })));
    const large = await own.scenario({ datasetId: id, referenceMatch: { mode: 'exact' } });
    const then = await own.completed(large);
    own.target.answers(answersJson(({ body }: Received) => ({ output: body.input % 7 === 0 ? 'wrong' : body.input })));
    const now = await own.completed(large);
    const { db } = own.app.features.simulations.context;
    const pages = { baseline: await readRun(db, then.id), candidate: await readRun(db, now.id) };
    const options = {
      thresholds: { maxPassRateDrop: 0.1, maxP95LatencyIncrease: 0.5, maxCostIncrease: 0 },
      confidence: 0.95,
      seed: `${then.id} ${now.id}`,
    };
    const [one, other] = [new GateStatistics(), new GateStatistics()];
    const answers = [await one.compare(pages, options), await other.compare(pages, options), comparePages(pages, options)];
    await Promise.all([one.close(), other.close()]);
    for (const answer of answers.slice(1)) expect(answer).toEqual(answers[0]);
    const asked = { baselineBatchRunId: then.id, confidence: 0.95, thresholds: options.thresholds };
    const { body } = await own.simulations('POST', `/batch-runs/${now.id}/gate`, asked);
    expect(body.checks).toMatchObject(JSON.parse(JSON.stringify(answers[0]?.checks)));
  });
});
