import { describe, expect, test } from 'vitest';
import { calledReplacement, comparisonLabel, listedComparison } from './model-comparison.ts';

describe('comparison labels', () => {
  test.each([
    [{ costDeltaPct: 15, qualityDelta: -0.11 }, '94% cheaper, 0.11 lower quality'],
    [{ costDeltaPct: 0.25, qualityDelta: -0.05 }, '20% cheaper, 0.05 lower quality'],
    [{ costDeltaPct: -0.2, qualityDelta: 0.12 }, '25% more expensive, 0.12 higher quality'],
    [{ costDeltaPct: -0.75, qualityDelta: null }, '4× the cost, quality not comparable'],
    [{ costDeltaPct: 0, qualityDelta: 0 }, 'same cost, same quality'],
    [{ costDeltaPct: null, qualityDelta: 0.1 }, 'cost not comparable, 0.1 higher quality'],
    [{ costDeltaPct: -1, qualityDelta: 0 }, 'cost not comparable, same quality'],
  ])('%j', (fields, label) => expect(comparisonLabel(fields)).toBe(label));

  test('the cost of an unpriced model is not compared', () => {
    expect(comparisonLabel({ costDeltaPct: 1, qualityDelta: 0.2 }, true)).toBe('cost not comparable, 0.2 higher quality');
  });
});

const listed = (avg_cost_per_call: number, avg_eval_score: number | null, unpriced_calls = 0) => ({
  avg_cost_per_call,
  avg_eval_score,
  total_calls: 10,
  unpriced_calls,
});

describe('models of the list are compared in the same words', () => {
  test.each([
    [listed(16, 0.86), listed(1, 0.75), '94% cheaper, 0.11 lower quality'],
    [listed(1, 0.5), listed(4, null), '4× the cost, quality not comparable'],
    [listed(1, 0.5), listed(0, 0.5), 'cost not comparable, same quality'],
    [listed(1, 0.5), listed(2, 0.6, 10), 'cost not comparable, 0.1 higher quality'],
    [listed(0, 0.5, 10), listed(2, 0.6), 'cost not comparable, 0.1 higher quality'],
  ])('%j to %j', (one, other, label) => expect(listedComparison(one, other)).toBe(label));
});

describe('the called model of a replacement', () => {
  const called = (model: string, total_calls = 1) => ({ model, total_calls });
  const models = [called('gpt-4o-mini-2024-07-18', 90), called('gpt-4o-2024-05-13', 2), called('gpt-4o-2024-08-06', 7)];
  test.each([
    ['gpt-4o-2024-05-13', 'gpt-4o-2024-05-13'],
    // Never another model whose name merely begins with it.
    ['gpt-4o', 'gpt-4o-2024-08-06'],
    ['gpt-4', undefined],
    ['gpt-5', undefined],
  ])('%s', (replacement, model) => expect(calledReplacement(models, replacement)?.model).toBe(model));
});
