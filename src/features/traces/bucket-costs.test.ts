import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestProject } from '../../../test/support/test-projects.ts';
import { nowNs, openTracesService } from './traces-service.fixture.ts';
import type { TracesService } from './traces-service.fixture.ts';

// The costs in the counts over time, against those of the listed records.

let service: TracesService;
let project: TestProject;
const hourNs = 3_600_000_000_000n;

beforeAll(async () => {
  service = await openTracesService();
  project = service.project();
  await service.store(project, {
    spans: Array.from({ length: 60 }, (_, index) => ({
      traceId: `t${index >> 1}`,
      spanId: `s${index}`,
      name: index % 3 === 0 ? 'dear' : 'cheap',
      kind: index % 4 === 3 ? ('tool' as const) : ('llm' as const),
      model: index % 4 === 3 ? '' : 'm',
      startNs: nowNs - BigInt(index) * 5n * hourNs,
      // A tool may have a cost too, which is no call's.
      costUsd: index % 5 === 0 ? null : (index + 1) / 1000,
      costStatus: index % 5 === 0 ? ('unpriced' as const) : ('provided' as const),
    })),
  });
});
afterAll(() => service.close());

interface Priced {
  startTime: string;
  costUsd: number | null;
  isCall?: boolean;
}

test.each([
  ['spans', 'span-counts', ''],
  ['spans', 'span-counts', '&filter=name:dear'],
  ['traces', 'trace-counts', ''],
  ['traces', 'trace-counts', '&filter=any(name:dear)'],
  ['traces', 'trace-counts', '&filter=cost:>0.02'],
])('%s: %s%s', async (on, counts, filter) => {
  const ask = async (path: string) => (await service.request(project, `/${path}range=30d${filter}`)).body;
  const records = (await ask(`${on}?limit=200&`))[on] as Priced[];
  const priced = records.filter(({ isCall = true }) => isCall);
  const { bucketMs, buckets } = await ask(`${counts}?`);
  const costs = (buckets as Array<{ start: string; costUsd: number }>).filter(({ costUsd }) => costUsd > 0);
  expect(costs.length).toBeGreaterThan(5);
  for (const { start, costUsd } of buckets as Array<{ start: string; costUsd: number }>) {
    const [from, end] = [Date.parse(start), Date.parse(start) + bucketMs];
    const within = priced.filter(({ startTime }) => Date.parse(startTime) >= from && Date.parse(startTime) < end);
    expect(costUsd, start).toBeCloseTo(
      within.reduce((sum, one) => sum + (one.costUsd ?? 0), 0),
      12,
    );
  }
});
