import type { ListedModel } from '../../api/parts.ts';

/** What a name says besides the model: who serves it, and which version was meant. */
const notTheModel: readonly RegExp[] = [
  // `openai/gpt-4o`, `accounts/fireworks/models/…`
  /^.*\//,
  // `us.anthropic.claude-…` of Bedrock
  /^(?:(?:us|eu|apac|global|us-gov)\.)?(?:anthropic|amazon|meta|mistral|cohere|ai21|deepseek)\./,
  // `-v2:0` of Bedrock, `:free` of OpenRouter
  /(?:-v\d+)?:[a-z\d.]+$/,
  // `-2025-04-14`, `-20250414`, `@20250414`
  /[-@](?:20\d\d-\d\d-\d\d|20\d{6})$/,
  /[-@](?:latest|default)$/,
];

/** The model without provider, version and date: `gpt-4o` of `openai/gpt-4o-2024-08-06`. */
export function bareName(model: string): string {
  return notTheModel.reduce((name, part) => name.replace(part, '') || name, model.toLowerCase());
}

/** The other names under which calls of a model are recorded, with the most calls first. */
export function otherNames(model: string, models: readonly ListedModel[]): ListedModel[] {
  const bare = bareName(model);
  return models
    .filter((other) => other.model !== model && bareName(other.model) === bare)
    .toSorted((left, right) => right.total_calls - left.total_calls);
}

type Sums = Pick<
  ListedModel,
  'total_calls' | 'error_count' | 'error_rate' | 'total_cost' | 'unpriced_calls' | 'partly_priced_calls'
>;

/** The sums of several names. @param rows at least one call in all */
export function sumsOf(rows: readonly Sums[]): Sums {
  const sum = (read: (row: Sums) => number) => rows.reduce((total, row) => total + read(row), 0);
  const calls = sum((row) => row.total_calls);
  const errors = sum((row) => row.error_count);
  return {
    total_calls: calls,
    error_count: errors,
    error_rate: errors / calls,
    total_cost: sum((row) => row.total_cost),
    unpriced_calls: sum((row) => row.unpriced_calls),
    partly_priced_calls: sum((row) => row.partly_priced_calls),
  };
}
