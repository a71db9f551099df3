import { expect, test } from 'vitest';
import type { ListedModel } from '../../api/parts.ts';
import { bareName, otherNames, sumsOf } from './also-recorded.ts';

const row = (model: string, total_calls: number, error_count = 0, total_cost = 0) =>
  ({ model, total_calls, error_count, total_cost, unpriced_calls: 1, partly_priced_calls: 0 }) as ListedModel;

test.each([
  ['gpt-4.1-2025-04-14', 'gpt-4.1'],
  ['openai/gpt-4o', 'gpt-4o'],
  ['GPT-4o-2024-08-06', 'gpt-4o'],
  ['us.anthropic.claude-3-5-sonnet-20241022-v2:0', 'claude-3-5-sonnet'],
  ['anthropic.claude-3-5-sonnet-20241022-v2:0', 'claude-3-5-sonnet'],
  ['claude-3-5-sonnet@20241022', 'claude-3-5-sonnet'],
  ['claude-3-5-sonnet-latest', 'claude-3-5-sonnet'],
  ['accounts/fireworks/models/llama-v3p1-8b-instruct', 'llama-v3p1-8b-instruct'],
  ['meta-llama/llama-3.1-8b-instruct:free', 'llama-3.1-8b-instruct'],
  ['openai/', 'openai/'],
])('%s is %s', (model, bare) => {
  expect(bareName(model)).toBe(bare);
});

test('a smaller or later model is another one', () => {
  const names = new Set(
    ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'gpt-4', 'gpt-4-0613', 'claude-3-5-haiku', 'claude-3-5-sonnet'].map(bareName),
  );
  expect(names.size).toBe(7);
});

test('other names are in order of their calls', () => {
  const models = [row('gpt-4o', 3), row('openai/gpt-4o', 1), row('gpt-4o-2024-08-06', 8), row('gpt-4o-mini', 9)];
  expect(otherNames('gpt-4o', models).map(({ model }) => model)).toEqual(['gpt-4o-2024-08-06', 'openai/gpt-4o']);
  expect(otherNames('gpt-4o-mini', models)).toEqual([]);
});

test('the error rate of all names is that of all calls', () => {
  expect(sumsOf([row('gpt-4.1', 2, 2), row('gpt-4.1-2025-04-14', 98, 0, 1.5)])).toEqual({
    total_calls: 100,
    error_count: 2,
    error_rate: 0.02,
    total_cost: 1.5,
    unpriced_calls: 2,
    partly_priced_calls: 0,
  });
});
