import type { EvaluatorFilter } from '../../../contract/evaluators.ts';
import type { SpanKind } from '../../../contract/kinds.ts';

/** What a filter looks at, of a span, a trace or a session. */
export interface FilterFacts {
  kinds: readonly SpanKind[];
  models: readonly string[];
  agents: readonly string[];
  environments: readonly string[];
  tags: readonly string[];
}

const judgingKinds: readonly SpanKind[] = ['evaluator', 'guardrail'];

/**
 * Whether an evaluator looks at something: each field of the filter must have one of its values. What itself evaluates or guards is only
 * looked at when the filter asks for its kind.
 */
export function matchesFilter(filter: EvaluatorFilter, facts: FilterFacts): boolean {
  if (filter.kinds === undefined && facts.kinds.length > 0 && facts.kinds.every((kind) => judgingKinds.includes(kind)))
    return false;
  return (
    holds(filter.kinds, facts.kinds) &&
    holds(filter.models, facts.models) &&
    holds(filter.agents, facts.agents) &&
    holds(filter.environments, facts.environments) &&
    holds(filter.tags, facts.tags)
  );
}

function holds(wanted: readonly string[] | undefined, values: readonly string[]): boolean {
  return wanted === undefined || values.some((value) => wanted.includes(value));
}

/** Whether a filter can be decided by kinds and models alone. */
export function looksOnlyAtTheSpan({ agents, environments, tags }: EvaluatorFilter): boolean {
  return agents === undefined && environments === undefined && tags === undefined;
}
