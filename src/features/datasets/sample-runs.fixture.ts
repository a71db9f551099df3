import { expect } from 'vitest';
import type { Answer } from '../../platform/http/http-service.fixture.ts';
import { nowMs } from './datasets-service.fixture.ts';
import type { TestProject } from '../../../test/support/test-projects.ts';
import type { DatasetsService } from './datasets-service.fixture.ts';
import { saveRunScores } from './run-scores.ts';

export interface SampleItem {
  id: string;
  datasetItemId: string;
}

/** Creates datasets and runs of one project over HTTP. The project has three traces: `trace-1` took 1 s and cost 0.1 dollars, and so on. */
export async function sampleRuns(service: DatasetsService, project: TestProject) {
  await service.ingest(project, tracedEvents());
  let names = 0;
  /** Creates a dataset of this many items; their inputs count from 0. */
  const dataset = async (items = 3): Promise<{ path: string; ids: string[] }> => {
    const { body } = await service.request(project, 'POST', '/v1/datasets', { body: { name: `dataset ${++names}` } });
    const path = `/v1/datasets/${body.id}`;
    const ids: string[] = [];
    for (let start = 0; start < items; start += 1000) {
      const part = Array.from({ length: Math.min(1000, items - start) }, (_, n) => ({
        input: start + n,
        expectedOutput: n % 2 ? n : undefined,
      }));
      const answer = await service.request(project, 'POST', `${path}/items`, { body: { items: part } });
      ids.push(...answer.body.items.map(({ id }: SampleItem) => id));
    }
    return { path, ids };
  };
  const get = (path: string) => service.request(project, 'GET', path);
  const add = (runPath: string, items: unknown) => service.request(project, 'POST', `${runPath}/items`, { body: { items } });
  const run = async (
    path: string,
    items: readonly object[] = [],
    name = 'run',
  ): Promise<{ path: string; id: string; items: SampleItem[] }> => {
    const { body, status } = await service.request(project, 'POST', `${path}/runs`, { body: { name } });
    expect(status).toBe(201);
    const runPath = `${path}/runs/${body.id}`;
    if (items.length === 0) return { path: runPath, id: body.id, items: [] };
    const answer = await add(runPath, items);
    expect(answer.status, answer.text).toBe(201);
    return { path: runPath, id: body.id, items: answer.body.items };
  };
  const score = (runItemId: string, evaluator: string, value: number, passed: boolean | null = null) =>
    saveRunScores(service.db, service.clock, [{ runItemId, evaluator, score: value, passed, comment: null }]);
  return { dataset, get, add, run, score };
}

export type SampleRuns = Awaited<ReturnType<typeof sampleRuns>>;

export function expectRefused(answer: Answer, status: number, code: string): void {
  expect(answer, answer.text).toMatchObject({ status, body: { code, error: expect.any(String) } });
}

function tracedEvents(): object[] {
  const startMs = nowMs - 60_000;
  const traces = [1, 2, 3].flatMap((n) => [
    {
      type: 'span',
      traceId: `trace-${n}`,
      spanId: 'root',
      name: 'answer',
      kind: 'llm',
      model: 'm',
      startTime: new Date(startMs).toISOString(),
      endTime: new Date(startMs + n * 1000).toISOString(),
      output: `traced ${n}`,
      costUsd: n / 10,
    },
    { type: 'score', traceId: `trace-${n}`, scoreId: `a${n}`, evaluator: 'helpful', score: n / 4, passed: n > 1 },
    { type: 'score', traceId: `trace-${n}`, spanId: 'root', scoreId: `b${n}`, evaluator: 'of-a-span', score: 1 },
  ]);
  const timestamp = new Date(nowMs + 1).toISOString();
  return [...traces, { type: 'score', traceId: 'trace-1', scoreId: 'later', evaluator: 'helpful', score: 1, timestamp }];
}
