import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../packages/sdk/src/clock.ts';
import { Spanwise } from '../../packages/sdk/src/index.ts';
import { evaluate, gate, GateFailed } from '../../packages/sdk/src/vitest/index.ts';
import { newName, openSimulationsApp, startMs } from '../../src/features/simulations/simulations-app.fixture.ts';
import { answersJson } from '../support/simulation-target.ts';
import type { Received } from '../support/simulation-target.ts';
import type { SimulationsApp } from '../../src/features/simulations/simulations-app.fixture.ts';

let service: SimulationsApp;
let connection: { apiKey: string; baseUrl: string };

beforeAll(async () => {
  service = await openSimulationsApp();
  connection = { apiKey: service.app.apiKey, baseUrl: service.app.url };
});
afterAll(() => service.close());

describe('gate', () => {
  /** Runs the scenario while the target gives wrong answers to the first items. */
  async function runs(wrong: number): Promise<{ baseline: string; candidate: string; scenario: string }> {
    const items = Array.from({ length: 6 }, (_, index) => ({ input: `q${index}`, expectedOutput: `a${index}` }));
    const { id: datasetId } = await service.dataset(items);
    const scenario = await service.scenario({ datasetId, referenceMatch: { mode: 'exact' } });
    let bad = 0;
    service.target.answers(
      answersJson(({ body }: Received) => {
        const index = Number(String((body as { input: string }).input).slice(1));
        return { output: index < bad ? 'wrong\nanswer' : `a${index}` };
      }),
    );
    const baseline = await service.completed(scenario);
    bad = wrong;
    const candidate = await service.completed(scenario);
    return { baseline: baseline.id, candidate: candidate.id, scenario };
  }

  test('passes an equal run, asks with a confidence of 0.95, and waits for the end', async () => {
    const { baseline, scenario } = await runs(0);
    const { id: candidate } = await service.start(scenario);
    const asked: Array<{ status: number; body: unknown }> = [];
    const watching: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      asked.push({ status: response.status, body: init?.body });
      if (response.status === 202) await service.runPending();
      return response;
    };
    const result = await gate({ ...connection, baseline, candidate, pollMs: 1, fetch: watching });
    expect(result).toMatchObject({ passed: true, compared: 6, checks: [{ name: 'pass_rate_drop', verdict: 'pass' }] });
    expect(asked.map(({ status }) => status)).toEqual([200, 202, 200]);
    expect(JSON.parse(String(asked[1]?.body))).toEqual({ baselineBatchRunId: baseline, confidence: 0.95 });
    const { id: never } = await service.start(scenario);
    await expect(gate({ ...connection, baseline, candidate: never, waitMs: 0 })).rejects.toThrow('did not end within 0 ms');
    await service.runPending();
  });

  test('refuses a worse run with a table', async () => {
    const { baseline, candidate } = await runs(5);
    const refused = gate({
      ...connection,
      baseline,
      candidate,
      thresholds: { maxPassRateDrop: 0.1, minPassRate: 0.5 },
      confidence: null,
    });
    await expect(refused).rejects.toThrow(GateFailed);
    const error = await refused.catch((thrown: unknown) => thrown as GateFailed);
    const lines = (error as GateFailed).message.split('\n');
    expect(lines.slice(0, 5)).toEqual([
      'The gate refused the batch run.',
      '',
      'check           baseline  candidate  delta    limit  interval  verdict',
      'pass_rate_drop  100 %     16.67 %    83.33 %  10 %   -         fail',
      'min_pass_rate   100 %     16.67 %    16.67 %  50 %   -         fail',
    ]);
    expect(lines[6]).toBe('6 items compared.');
    expect(lines.slice(8)).toHaveLength(6);
    expect(lines[9]).toMatch(/^ {2}[0-9a-f-]{36}: a0 -> failed wrong answer$/);
    expect((error as GateFailed).result.verdict).toBe('fail');
  });

  test('tells what the service refuses, and what is not set', async () => {
    const { baseline } = await runs(0);
    await expect(gate({ ...connection, baseline, candidate: baseline })).rejects.toThrow(/answered 409\. .+/);
    await expect(gate({ ...connection, apiKey: 'spw_wrong', baseline, candidate: baseline })).rejects.toThrow(
      /answered 401\. .+/,
    );
    await expect(gate({ baseUrl: connection.baseUrl, baseline, candidate: baseline })).rejects.toThrow('Set SPANWISE_API_KEY');
  });
});

describe('evaluate', () => {
  const exact = ({ output, expectedOutput }: { output: unknown; expectedOutput: unknown }) => output === expectedOutput;

  test('stores a run whose items are traces with scores', async () => {
    const name = newName();
    const { body: dataset } = await service.request('POST', '/datasets', { name });
    const items = [
      { input: { a: 1, b: 2 }, expectedOutput: 3 },
      { input: { a: 2, b: 2 }, expectedOutput: 5 },
      { input: null, expectedOutput: 0 },
    ];
    await service.request('POST', `/datasets/${dataset.id}/items`, { items });
    // At the service's time: it rejects scores that are more than a day ahead of its clock.
    const spanwise = new Spanwise(connection, { clock: { now: () => startMs, after: systemClock.after } });
    const run = await evaluate(
      name,
      ({ a, b }: { a: number; b: number }) => spanwise.span({ name: 'add', kind: 'tool' }, () => a + b),
      [
        exact,
        { name: 'size', evaluate: async ({ output }) => ({ score: output / 10, passed: output < 4, comment: `is ${output}` }) },
        function breaks(): number {
          throw new Error('no score');
        },
      ],
      { ...connection, spanwise, name: 'nightly', metadata: { commit: 'abc' }, concurrency: 2 },
    );
    expect(run).toMatchObject({ name: 'nightly', errorRate: 1 / 3 });
    expect(run.items.map(({ output, error }) => [output, error !== null])).toEqual([
      [3, false],
      [4, false],
      [null, true],
    ]);
    expect(run.scores).toEqual({
      exact: { count: 2, mean: 0.5, passRate: 0.5, errors: 0 },
      size: { count: 2, mean: 0.35, passRate: 0.5, errors: 0 },
      breaks: { count: 0, mean: null, passRate: null, errors: 2 },
    });
    await service.app.pipeline.drain();
    const { body: stored } = await service.request('GET', `/datasets/${dataset.id}/runs/${run.runId}`);
    expect(stored).toMatchObject({ name: 'nightly', metadata: { commit: 'abc' } });
    expect(stored.aggregates).toMatchObject({ itemCount: 3, errorRate: 1 / 3 });
    const shown = stored.items as Array<{ output: unknown; traceId: string; error: unknown; scores: unknown[] }>;
    expect(shown.map(({ output }) => output)).toEqual([3, 4, null]);
    expect(shown[2]?.error).toMatch(/Cannot (?:destructure|read)/);
    expect(shown[1]?.scores).toMatchObject([
      { evaluator: 'exact', score: 0, passed: false },
      { evaluator: 'size', score: 0.4, passed: false, comment: 'is 4' },
    ]);
    const { body: trace } = await service.request('GET', `/projects/${service.app.projectId}/traces/${shown[0]?.traceId}`);
    const spans = trace.spans as Array<{ name: string; parentSpanId: string; spanId: string; attributes: unknown }>;
    const [root] = spans.filter((span) => span.name === 'nightly');
    expect(spans.filter((span) => span.name === 'add')).toMatchObject([{ parentSpanId: root?.spanId }]);
    const list = async (filter: string) => {
      const path = `/projects/${service.app.projectId}/spans?filter=tool:add ${filter}`;
      return (await service.request('GET', path)).body.spans.length;
    };
    // The second item's task adds too; all of it is of evaluations.
    expect([await list(''), await list('source:evaluation')]).toEqual([0, 2]);
    expect(spans.map(({ attributes }) => attributes)).toEqual(spans.map(() => ({ 'spanwise.source': 'evaluation' })));
  });

  test('says which dataset or evaluator it does not take', async () => {
    await expect(evaluate('none of this name', () => 1, [], connection)).rejects.toThrow(
      'There is no dataset "none of this name"',
    );
    await expect(evaluate('x', () => 1, [() => 1], connection)).rejects.toThrow('Rename the evaluator "": use letters');
    await expect(evaluate('x', () => 1, [exact, exact], connection)).rejects.toThrow('another one has the name');
  });
});
