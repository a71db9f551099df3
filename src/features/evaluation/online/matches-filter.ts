import type { EvaluatorFilter } from '../../../contract/evaluators.ts';
import type { SpanKind } from '../../../contract/kinds.ts';

/** Values that may be many: a filter's are looked up among them. */
type Values = Pick<ReadonlySet<string>, 'has'>;

/** What a filter looks at, of a span, a trace or a session. */
export interface FilterFacts {
  kinds: readonly SpanKind[];
  models: Values;
  agents: Values;
  environments: Values;
  tags: Values;
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
    (filter.kinds === undefined || filter.kinds.some((kind) => facts.kinds.includes(kind))) &&
    holds(filter.models, facts.models) &&
    holds(filter.agents, facts.agents) &&
    holds(filter.environments, facts.environments) &&
    holds(filter.tags, facts.tags)
  );
}

function holds(wanted: readonly string[] | undefined, values: Values): boolean {
  return wanted === undefined || wanted.some((value) => values.has(value));
}

/** Whether a filter can be decided by kinds and models alone. */
export function looksOnlyAtTheSpan({ agents, environments, tags }: EvaluatorFilter): boolean {
  return agents === undefined && environments === undefined && tags === undefined;
}
