import type { EvaluatorFilter } from '../../../contract/evaluators.ts';
import type { SpanKind } from '../../../contract/kinds.ts';

/** A possibly large collection, in which the values of a filter are looked up. */
type Values = Pick<ReadonlySet<string>, 'has'>;

/** The values of a span, a trace or a session that a filter compares. */
export interface FilterFacts {
  kinds: readonly SpanKind[];
  models: Values;
  agents: Values;
  environments: Values;
  tags: Values;
}

const judgingKinds: readonly SpanKind[] = ['evaluator', 'guardrail'];

/**
 * Whether a filter matches: each of its fields must have one of its values. Spans of kind `evaluator` and `guardrail` match only a filter
 * that names their kind (docs/semantics.md, "Filters"). The expression is looked at elsewhere: `MetExpressions`.
 *
 * @param namesKind whether the expression has a term for the kind
 */
export function matchesFilter(filter: EvaluatorFilter, facts: FilterFacts, namesKind = false): boolean {
  if (
    !namesKind &&
    filter.kinds === undefined &&
    facts.kinds.length > 0 &&
    facts.kinds.every((kind) => judgingKinds.includes(kind))
  )
    return false;
  return (
    (filter.kinds === undefined || filter.kinds.some((kind) => facts.kinds.includes(kind))) &&
    holds(filter.models, facts.models) &&
    holds(filter.agents, facts.agents) &&
    holds(filter.environments, facts.environments) &&
    holds(filter.tags, facts.tags)
  );
}

function holds(accepted: readonly string[] | undefined, values: Values): boolean {
  return accepted === undefined || accepted.some((value) => values.has(value));
}

/** Whether a filter has kinds and models only. */
export function looksOnlyAtTheSpan({ agents, environments, tags }: EvaluatorFilter): boolean {
  return agents === undefined && environments === undefined && tags === undefined;
}
