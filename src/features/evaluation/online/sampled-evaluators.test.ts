import { expect, test } from 'vitest';
import { turnsUntil } from '../../../platform/jobs/turns-until.fixture.ts';
import type { Evaluator } from '../evaluator.ts';
import { isSampled } from '../sampling/is-sampled.ts';
import { sampledEvaluators } from './sampled-evaluators.ts';

const evaluators = Array.from({ length: 20 }, (_, at) => ({ id: `evaluator-${at}`, sampleRate: at / 19 }) as Evaluator);
const traceIds = Array.from({ length: 1_000 }, (_, at) => `trace-${at}`);

test('lists the evaluators that sample a trace, in their order', async () => {
  const sampled = await sampledEvaluators(traceIds, evaluators);
  expect([...sampled.keys()]).toEqual(traceIds);
  for (const [traceId, taken] of sampled)
    expect(taken).toEqual(evaluators.filter(({ id, sampleRate }) => isSampled(id, traceId, sampleRate)));
});

test('yields to the event loop every 2,000 decisions', async () => {
  expect(await turnsUntil(sampledEvaluators(traceIds, evaluators))).toBeGreaterThanOrEqual(9);
});
