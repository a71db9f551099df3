import { expect } from 'vitest';
import { Evaluation, EvaluationQueue } from '../../src/features/evaluation/index.ts';
import type { Verdict } from '../../src/features/evaluation/index.ts';
import type { EvaluationApp } from './evaluation.ts';

export type Measure = (slug: string, output: unknown) => Verdict | Promise<Verdict>;

/**
 * A second evaluation over the same stores, with the test's own measures.
 *
 * @param limits how many evaluations may wait
 * @param onError receives errors other than failures of an evaluator
 */
export function evaluationOver(
  app: EvaluationApp,
  measure: Measure,
  {
    limits = { online: 10_000, runItems: 100_000 },
    onError = throwIt,
  }: { limits?: { online: number; runItems: number }; onError?: (error: unknown) => void } = {},
) {
  const queue = new EvaluationQueue({
    postgres: app.stores.postgres,
    clickhouse: app.stores.clickhouse,
    clock: app.clock,
    limits,
    // No jitter: the tests count milliseconds.
    random: () => 0,
  });
  const evaluation = new Evaluation(queue, {
    pipeline: app.pipeline,
    measures: {
      measure: async ({ slug }: { slug: string }, subject: { output: unknown }) => measure(slug, subject.output),
    } as unknown as ConstructorParameters<typeof Evaluation>[1]['measures'],
    runItems: { read: () => Promise.resolve([]), places: () => Promise.resolve([]), save: () => Promise.resolve() },
    onError,
  });
  return { queue, evaluation };
}

function throwIt(error: unknown): never {
  throw error;
}

/** An evaluator of spans that carry its slug as a tag. */
export const only = (slug: string, more: object = {}) => ({
  slug,
  type: 'contains',
  config: { value: 'answer' },
  target: 'span',
  filter: { tags: [slug] },
  ...more,
});

export const scored = (score: number): Verdict => ({ status: 'scored', score, passed: null, comment: 'because' });

export const json = { 'content-type': 'application/json' };

/** Sends a request; fails unless it succeeds. `path` begins with `/v1`. */
export async function postTo(app: EvaluationApp, path: string, headers: Record<string, string>, body: string) {
  const answer = await fetch(`${app.url}/v1${path}`, { method: 'POST', headers, body });
  expect(answer.status).toBeLessThan(300);
  return (await answer.json()) as { id: string; key: string };
}
