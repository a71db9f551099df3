import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sealHours } from '../../src/features/figures/index.ts';
import { startEvaluationApp } from '../support/evaluation.ts';
import type { EvaluationApp } from '../support/evaluation.ts';
import { evaluationOver } from '../support/evaluation-with-measure.ts';

const startMs = Date.UTC(2026, 10, 21, 13);
let app: EvaluationApp;

beforeAll(async () => {
  app = await startEvaluationApp(startMs);
});
afterAll(() => app.close());

async function sealAll(): Promise<void> {
  app.clock.advance(120_000);
  const { clickhouse } = app.stores;
  while ((await sealHours({ clickhouse, hourStates: app.hourStates, clock: app.clock })) > 0);
}

const quality = async (model: string) =>
  (await app.call('GET', `/models/${encodeURIComponent(model)}`)).body as {
    quality: {
      overall: { eval_count: number; avg_score: number } | null;
      byEvaluator: Array<{ evaluator_slug: string; avg_score: number }>;
    };
    frontier: { thisModel: { avgEvalScore: number; evalCount: number } };
  };

/** What each evaluator gives every span, and the quality that it is; null: none. */
const given: Record<string, { score: number; quality: number | null }> = {
  'of-five': { score: 4, quality: 0.75 },
  'of-ten': { score: 2, quality: 0.2 },
  'around-zero': { score: -1, quality: 0 },
  fast: { score: 1, quality: null },
  cheap: { score: 0, quality: null },
  exactly: { score: 1, quality: 1 },
};

describe('figures over several evaluators', () => {
  test('take a score as the share of the scale at its time, without latency and cost, sealed or not', async () => {
    const connection = await app.call('POST', '/model-connections', { name: 'c', baseUrl: 'https://example.com/v1', model: 'm' });
    expect(connection.status).toBe(201);
    const judge = (...scale: [number, number]) => ({
      type: 'llm_judge',
      config: { connectionId: connection.body.id, model: 'm', instructions: 'Judge.', scale },
    });
    const evaluators: Record<string, object> = {
      'of-five': judge(1, 5),
      'of-ten': judge(0, 10),
      'around-zero': judge(-1, 1),
      fast: { type: 'latency', config: { maxMs: 1 } },
      cheap: { type: 'cost', config: { maxUsd: 1 } },
      exactly: { type: 'contains', config: { value: 'x' } },
    };
    for (const [slug, evaluator] of Object.entries(evaluators)) {
      await app.evaluator({ slug, ...evaluator, target: 'span', filter: { tags: ['quality'] } });
    }
    const { evaluation } = evaluationOver(app, (slug) => ({
      status: 'scored',
      score: given[slug]?.score ?? Number.NaN,
      passed: null,
      comment: null,
    }));
    await app.send([app.span({ traceId: 'q', spanId: 's', model: 'm/quality', tags: ['quality'] })]);
    while ((await evaluation.runPending()) > 0);
    // An application may use the slug of an evaluator; its scores count as they are.
    const ofApplication = { type: 'score', traceId: 'q', spanId: 's', timestamp: new Date(startMs).toISOString() };
    await app.send([
      { ...ofApplication, evaluator: 'of-five', score: 0.5 },
      { ...ofApplication, evaluator: 'fast', score: 0.25 },
      { ...ofApplication, evaluator: 'own', score: 1.5 },
    ]);
    await app.pipeline.drain();
    const shares = [...Object.values(given).flatMap(({ quality: share }) => share ?? []), 0.5, 0.25, 1.5];
    const mean = expect.closeTo(shares.reduce((sum, share) => sum + share, 0) / shares.length, 12);
    const check = async () => {
      const { quality: block, frontier } = await quality('m/quality');
      expect(block.overall).toMatchObject({ eval_count: shares.length, avg_score: mean });
      expect(frontier.thisModel).toMatchObject({ avgEvalScore: mean, evalCount: shares.length });
      const own = Object.fromEntries(block.byEvaluator.map(({ evaluator_slug: slug, avg_score: score }) => [slug, score]));
      expect(own).toEqual({ 'of-five': 2.25, 'of-ten': 2, 'around-zero': -1, fast: 0.625, cheap: 0, exactly: 1, own: 1.5 });
    };
    await check();
    await sealAll();
    await check();
    // Another scale, and no evaluator, change no earlier score.
    expect((await app.call('PATCH', '/evaluators/of-five', { config: judge(0, 100).config })).status).toBe(200);
    expect((await app.call('DELETE', '/evaluators/of-ten')).status).toBe(204);
    await app.send([app.span({ traceId: 'q', spanId: 'later', model: 'm/quality' })]);
    await app.pipeline.drain();
    await check();
  });

  test('are null where only latency and cost were measured', async () => {
    await app.evaluator({
      slug: 'quick',
      type: 'latency',
      config: { maxMs: 1_000 },
      target: 'span',
      filter: { tags: ['quick'] },
    });
    await app.sendAndRun([app.span({ traceId: 'quick', spanId: 's', model: 'm/quick', tags: ['quick'] })]);
    for (const sealed of [false, true]) {
      if (sealed) await sealAll();
      const { quality: block, frontier } = await quality('m/quick');
      expect(block).toMatchObject({ hasData: true, overall: null, byEvaluator: [{ evaluator_slug: 'quick' }], trend: [] });
      expect(frontier.thisModel).toMatchObject({ avgEvalScore: null, evalCount: 0 });
    }
  });
});

test('evaluators of latency and cost measure spans and traces of any size', async () => {
  const filter = { tags: ['large'] };
  for (const target of ['span', 'trace']) {
    await app.evaluator({ slug: `fast-${target}`, type: 'latency', config: { maxMs: 1_000 }, target, filter });
    await app.evaluator({ slug: `cheap-${target}`, type: 'cost', config: { maxUsd: 1 }, target, filter });
    await app.evaluator({ slug: `text-${target}`, type: 'contains', config: { value: 'x' }, target, filter });
  }
  const output = 'x'.repeat(1_100_000);
  const span = app.span({ traceId: 'large', spanId: 's', output, costUsd: 0.5, tags: ['large'] });
  const answer = await fetch(`${app.url}/v1/ingest`, {
    method: 'POST',
    headers: { 'x-api-key': app.apiKey, 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' },
    body: gzipSync(JSON.stringify(span)),
  });
  expect(answer.status).toBe(202);
  await app.pipeline.drain();
  await app.evaluation.runPending();
  const ended = (await app.evaluations('?limit=200')).filter(({ target }) => target.traceId === 'large');
  expect(Object.fromEntries(ended.map(({ evaluator, status }) => [evaluator, status]))).toEqual({
    'fast-span': 'completed',
    'cheap-span': 'completed',
    'text-span': 'skipped',
    'fast-trace': 'completed',
    'cheap-trace': 'completed',
    'text-trace': 'skipped',
  });
});
