import { expect, test } from 'vitest';
import type { BatchRun } from '../../../contract/simulations.ts';
import type { ProjectClient } from '../service/find-service.ts';
import { regressionLinks } from './regression-links.ts';

test('an item with repetitions links the trace of the one that the gate shows', async () => {
  const datasetItemId = '0197a000-0000-7000-8000-000000000001';
  // The first repetition is an error, which the gate shows; the second failed.
  const items: Record<string, object[]> = {
    error: [{ datasetItemId, repetition: 1, traceId: 'of-error', inputPreview: '"a"' }],
    failed: [
      { datasetItemId, repetition: 2, traceId: 'of-failed', inputPreview: '"a"' },
      { datasetItemId, repetition: 3, traceId: 'of-last', inputPreview: '"a"' },
    ],
  };
  const json = (_method: string, path: string) =>
    Promise.resolve({ items: items[new URLSearchParams(path.split('?')[1]).get('status') ?? ''], nextCursor: null });
  const project = { client: { json }, path: (text: string) => text } as unknown as ProjectClient;
  const candidate = { id: 'run', url: 'http://spanwise.test/o/acme/p/own/datasets/d/runs/r' } as BatchRun;
  const side = (status: 'passed' | 'failed' | 'error') => ({ status, output: null });
  const regressions = [
    { datasetItemId, baseline: side('passed'), candidate: side('error') },
    { datasetItemId: '0197a000-0000-7000-8000-000000000002', baseline: side('passed'), candidate: side('failed') },
  ];
  const linked = await regressionLinks(project, candidate, regressions);
  expect(linked.map(({ url }) => url)).toEqual(['http://spanwise.test/o/acme/p/own/traces/of-error', null]);
});
