import { setTimeout as wait } from 'node:timers/promises';
import { systemActor } from '../../contract/actor.ts';
import { scenarioBody } from '../../contract/simulations.ts';
import { addItems, createDataset } from '../../features/datasets/index.ts';
import type { DatasetsFeature } from '../../features/datasets/index.ts';
import { createScenario, executeQueued, startBatchRun } from '../../features/simulations/index.ts';
import type { SimulationsFeature } from '../../features/simulations/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { Random } from './random.ts';

export interface SimulationsTarget {
  datasets: Pick<DatasetsFeature, 'context'>;
  simulations: Pick<SimulationsFeature, 'context'>;
}

const topics = ['refund', 'invoice', 'password', 'delivery', 'upgrade', 'cancellation'] as const;
const questions = ['How do I get my', 'Where is my', 'Who can change the', 'Why was there no'] as const;
/** A name that never resolves: nothing is requested. */
const origin = 'https://support.example';

/** The batch runs: of the scenario at this place, with a label and the share of right answers. */
const runs = [
  { scenario: 0, label: 'main', right: 0.92 },
  { scenario: 0, label: 'shorter-prompt', right: 0.7 },
  { scenario: 1, label: 'main', right: 0.85 },
];

/** Creates a dataset, two scenarios and three batch runs with made-up answers. @returns how many */
export async function seedSimulations(
  { datasets, simulations }: SimulationsTarget,
  tenant: Tenant,
): Promise<{ scenarios: number; runs: number }> {
  const { organizationId, projectId } = tenant;
  const acting = { organizationId, projectId, actor: systemActor };
  const dataset = await createDataset(datasets.context, projectId, {
    name: 'Support questions',
    description: 'With the topic that the answer must have',
  });
  const items = questions.flatMap((question) =>
    topics.map((topic) => ({ input: `${question} ${topic}?`, expectedOutput: topic })),
  );
  const payloads = items.map(({ input, expectedOutput }) => ({
    input: JSON.stringify(input),
    expectedOutput: JSON.stringify(expectedOutput),
  }));
  await addItems(
    datasets.context,
    { tenant, actor: systemActor },
    dataset.id,
    { items: items.map(() => ({ input: null })) },
    payloads,
  );
  const scenarioIds: string[] = [];
  for (const [name, mode] of [
    ['Topic of a question', 'exact'],
    ['Topic in own words', 'fuzzy'],
  ] as const) {
    const target = { type: 'http', url: `${origin}/${mode}`, outputPath: '/topic' };
    const body = scenarioBody.parse({
      name,
      description: 'A demonstration',
      target,
      datasetId: dataset.id,
      referenceMatch: { mode },
    });
    scenarioIds.push((await createScenario(simulations.context, acting, body)).id);
  }
  const random = new Random(1);
  for (const { scenario, label, right } of runs) {
    const run = { scenarioId: scenarioIds[scenario] ?? '', concurrency: 8, label, repetitions: 1 };
    await startBatchRun(simulations.context, acting, run);
    await executeQueued(simulations.context, async ({ url, body }) => {
      await wait(random.whole(5, 60));
      const topic = random.chance(right) ? topicOf(String(body)) : 'something else';
      return { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ topic })), url };
    });
  }
  return { scenarios: scenarioIds.length, runs: runs.length };
}

function topicOf(question: string): string {
  return topics.find((topic) => question.includes(topic)) ?? '';
}
