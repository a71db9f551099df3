import { exact, ratio } from '../../platform/statistics/index.ts';
import type { ModelSummary } from '../../contract/models.ts';
import type { CallSums, Percentiles } from './figures-store.ts';

/** The inputs of a summary besides the sums of the model's calls. */
export interface ModelFacts {
  model: string;
  provider: string | null;
  agents: number;
  operations: number;
  traces: number;
  /** undefined when no call is finished. */
  percentiles: Percentiles | undefined;
  /** Totals of the project over the same window. */
  project: { calls: number; cost: number };
}

/** The summary of one model (docs/semantics.md, "Model summary"). `whole` sums at least one call. */
export function summaryOf(whole: CallSums, facts: ModelFacts): ModelSummary {
  return {
    model: facts.model,
    provider: facts.provider,
    total_calls: whole.calls,
    ...pricedCallsOf(whole),
    total_cost: exact(whole.cost),
    avg_cost_per_call: ratio(whole.cost, whole.calls, 0),
    avg_cost_per_success: ratio(whole.cost, whole.calls - whole.errors, null),
    p50_latency: facts.percentiles?.p50 ?? 0,
    p95_latency: facts.percentiles?.p95 ?? 0,
    p99_latency: facts.percentiles?.p99 ?? 0,
    avg_ttft: ratio(whole.ttft_sum, whole.ttft_count, null),
    error_count: whole.errors,
    error_rate: ratio(whole.errors, whole.calls, 0),
    total_input_tokens: whole.input_tokens,
    total_output_tokens: whole.output_tokens,
    total_cached_tokens: whole.cached_tokens,
    total_reasoning_tokens: whole.reasoning_tokens,
    cache_hit_rate: ratio(whole.cached_tokens, whole.input_tokens, null),
    trace_count: facts.traces,
    unique_agents: facts.agents,
    unique_operations: facts.operations,
    first_seen: new Date(whole.first_seen).toISOString(),
    last_seen: new Date(whole.last_seen).toISOString(),
    share_of_calls: ratio(whole.calls, facts.project.calls, null),
    share_of_cost: ratio(whole.cost, facts.project.cost, null),
  };
}

/** The calls that are missing in a cost. */
export function pricedCallsOf({ unpriced, partly_priced: partlyPriced }: Pick<CallSums, 'unpriced' | 'partly_priced'>) {
  return { unpriced_calls: unpriced, partly_priced_calls: partlyPriced };
}

/** The sum of several groups of calls. */
export function sumOf(first: CallSums, others: readonly CallSums[]): CallSums {
  const sum = { ...first };
  for (const group of others) {
    sum.calls += group.calls;
    sum.finished += group.finished;
    sum.errors += group.errors;
    sum.unpriced += group.unpriced;
    sum.partly_priced += group.partly_priced;
    sum.cost += group.cost;
    sum.duration_sum += group.duration_sum;
    sum.ttft_sum += group.ttft_sum;
    sum.ttft_count += group.ttft_count;
    sum.input_tokens += group.input_tokens;
    sum.output_tokens += group.output_tokens;
    sum.cached_tokens += group.cached_tokens;
    sum.reasoning_tokens += group.reasoning_tokens;
    sum.first_seen = Math.min(sum.first_seen, group.first_seen);
    sum.last_seen = Math.max(sum.last_seen, group.last_seen);
  }
  return sum;
}
