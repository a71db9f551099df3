import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Graph } from '../../src/contract/graph.ts';
import { sealHours } from '../../src/features/figures/index.ts';
import { firstRelease, startUpgraded } from './first-release.ts';
import type { Upgraded } from './first-release.ts';

interface Recorded {
  recordedMs: number;
  projectId: string;
}

const { recordedMs, projectId } = JSON.parse(readFileSync(join(firstRelease, 'recorded.json'), 'utf8')) as Recorded;
let upgraded: Upgraded;

beforeAll(async () => {
  upgraded = await startUpgraded('data.tar.zst', recordedMs);
});
afterAll(() => upgraded.close());

async function backfill(): Promise<void> {
  const job = upgraded.app.features.traceStore.jobs?.find(({ name }) => name === 'backfill-graph');
  await job?.run(new AbortController().signal);
}

const graph = () => upgraded.get<Graph>(`/v1/projects/${projectId}/graph?range=90d`);

test('the graph of what the first release stored is complete after the backfill, and as large as the model figures', async () => {
  await backfill();
  const before = await graph();
  const { models } = await upgraded.get<{ models: Array<{ model: string; total_calls: number; error_count: number }> }>(
    `/v1/projects/${projectId}/models?range=90d`,
  );
  expect(models.length).toBeGreaterThan(2);
  const figures = models.map((one) => [`model:${one.model}`, one.total_calls, one.error_count]);
  const nodes = before.nodes.filter(({ type }) => type === 'model').map(({ id, calls, errors }) => [id, calls, errors]);
  expect(nodes.toSorted()).toEqual(figures.toSorted());
  for (const type of ['agent', 'tool', 'provider']) expect(before.nodes.map((node) => node.type)).toContain(type);
  expect(before.edges.length).toBeGreaterThan(5);
  const { clickhouse } = upgraded.app.stores;
  upgraded.clock.advance(10_000);
  while ((await sealHours({ clickhouse, hourStates: upgraded.app.features.figures.hourStates, clock: upgraded.clock })) > 0);
  expect(await graph()).toEqual(before);
});

test('each trace counts in the blast radius of its nodes', async () => {
  const { nodes } = await graph();
  const agent = nodes.find(({ type }) => type === 'agent');
  const path = `/v1/projects/${projectId}/blast-radius?range=90d&node=${encodeURIComponent(agent?.id ?? '')}`;
  const { totals } = await upgraded.get<{ totals: { traces: number } }>(path);
  expect(totals.traces).toBeGreaterThan(0);
});
