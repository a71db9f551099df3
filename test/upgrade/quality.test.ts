import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ModelDetail, ModelList, Overview } from '../../src/contract/models.ts';
import type { PromptMetrics } from '../../src/contract/prompts.ts';
import { sealHours } from '../../src/features/figures/index.ts';
import { firstRelease, startUpgraded } from './first-release.ts';
import type { Upgraded } from './first-release.ts';

/** A data directory in which evaluators on several scales gave scores; make-judges.ts made it. */
const recorded = JSON.parse(readFileSync(join(firstRelease, 'judges.json'), 'utf8')) as {
  recordedMs: number;
  projectId: string;
  given: Array<{ evaluator: string; traceId: string; score: number | null }>;
  reads: Array<{ path: string; answer: unknown }>;
};

/** The scales of make-judges.ts by slug; null: no quality, or a scale that is not known any more. */
const scales: Readonly<Record<string, readonly [number, number] | null>> = {
  'of-five': [1, 5],
  'of-ten': [0, 10],
  'around-zero': [-1, 1],
  'of-one': [0, 1],
  'to-be-renamed': [1, 5],
  renamed: [1, 5],
  'says-quality': [0, 1],
  deleted: null,
  fast: null,
  cheap: null,
};
const shares = [0, 0.25, 0.5, 0.75, 1, 0.1, 0.9];
const numberOf = (traceId: string) => Number(/\d+$/.exec(traceId)?.[0]);
const traces = [...Array.from({ length: 14 }, (_, index) => `stored-${index}`), 'left-over-0', 'left-over-1', 'left-over-2'];

/** The quality scores of the traces of a model: of evaluators, moved to their scale, and three of the application. */
function qualityOf(parity: number): number[] {
  const wanted = traces.filter((traceId) => numberOf(traceId) % 2 === parity);
  return wanted.flatMap((traceId) => {
    const ofApplication = 1 - (shares[numberOf(traceId) % shares.length] ?? 0);
    const ofEvaluators = recorded.given.flatMap(({ traceId: of, evaluator, score }) => {
      const scale = scales[evaluator];
      if (scale === undefined) throw new Error(evaluator);
      return of === traceId && scale !== null && score !== null ? (score - scale[0]) / (scale[1] - scale[0]) : [];
    });
    return [...ofEvaluators, ofApplication, ofApplication, ofApplication];
  });
}
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

let upgraded: Upgraded;
beforeAll(async () => {
  upgraded = await startUpgraded('judges.tar.zst', recorded.recordedMs);
});
afterAll(() => upgraded.close());

const read = <T>(path: string) => upgraded.get<T>(`/v1/projects/${recorded.projectId}${path}`);

async function sealAll(): Promise<void> {
  const { clock, app } = upgraded;
  clock.advance(120_000);
  const { clickhouse } = app.stores;
  while ((await sealHours({ clickhouse, hourStates: app.features.figures.hourStates, clock })) > 0);
}

test('the first release counted scores as they were given', () => {
  const before = recorded.reads.find(({ path }) => path.startsWith('/models/'))?.answer as ModelDetail;
  expect(before.quality.overall?.avg_score).toBeGreaterThan(1);
});

describe.each(['unsealed', 'sealed'])('with hours that are %s after the upgrade', (state) => {
  beforeAll(async () => {
    if (state === 'sealed') await sealAll();
  });

  test('models, frontier and overview have the quality of stored scores and of those left in the log', async () => {
    const [a, b] = [qualityOf(0), qualityOf(1)];
    const detail = await read<ModelDetail>('/models/model-a?range=7d');
    expect(detail.quality.overall).toMatchObject({ eval_count: a.length, avg_score: expect.closeTo(meanOf(a), 9) });
    const inTrend = detail.quality.trend.reduce((sum, { eval_count: count }) => sum + count, 0);
    expect(inTrend).toBe(a.length);
    expect(detail.frontier.thisModel).toMatchObject({ evalCount: a.length, avgEvalScore: expect.closeTo(meanOf(a), 9) });
    expect(detail.frontier.points).toMatchObject([{ evalCount: b.length, avgEvalScore: expect.closeTo(meanOf(b), 9) }]);
    const { models } = await read<ModelList>('/models?range=7d');
    const means = Object.fromEntries(models.map(({ model, avg_eval_score: mean }) => [model, mean]));
    expect(means).toEqual({ 'model-a': expect.closeTo(meanOf(a), 9), 'model-b': expect.closeTo(meanOf(b), 9) });
    const { totals } = await read<Overview>('/overview?range=7d');
    expect(totals).toMatchObject({ eval_count: a.length + b.length, avg_eval_score: expect.closeTo(meanOf([...a, ...b]), 9) });
  });

  test('prompt metrics do', async () => {
    const { versions } = await read<PromptMetrics>('/prompts/greeting/metrics?range=7d');
    expect(versions).toMatchObject(
      [qualityOf(1), qualityOf(0)].map((scores) => ({
        evalCount: scores.length,
        avgScore: expect.closeTo(meanOf(scores), 9),
      })),
    );
  });

  test('scores by evaluator are as they were given', async () => {
    const { byEvaluator } = (await read<ModelDetail>('/models/model-a?range=7d')).quality;
    const ofTen = recorded.given.filter(({ evaluator, traceId }) => evaluator === 'of-ten' && numberOf(traceId) % 2 === 0);
    expect(byEvaluator.find(({ evaluator_slug: slug }) => slug === 'of-ten')).toMatchObject({
      eval_count: ofTen.length,
      avg_score: expect.closeTo(meanOf(ofTen.map(({ score }) => score ?? 0)), 9),
    });
    expect(byEvaluator.map(({ evaluator_slug: slug }) => slug)).toEqual(expect.arrayContaining(['deleted', 'fast', 'cheap']));
  });
});
