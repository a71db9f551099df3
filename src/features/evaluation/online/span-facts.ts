import type { WrittenSpans } from '../../trace-store/index.ts';
import type { FilterFacts } from '../sampling/matches-filter.ts';
import type { TraceFacts } from '../sampling/trace-facts.ts';

/** The values of a span that filters compare; missing ones come from its trace. */
export function factsOfSpan(span: WrittenSpans['spans'][number], trace: TraceFacts | undefined): FilterFacts {
  const agent = span.agentName || (trace?.agentOfSpan.get(span.spanId) ?? '');
  return {
    kinds: [span.kind],
    models: filled(span.model),
    agents: filled(agent),
    environments: filled(span.environment || (trace?.environment ?? '')),
    // Not copied for each span: a trace may have very many tags.
    tags: { has: (tag) => span.tags.includes(tag) || (trace?.tags.has(tag) ?? false) },
  };
}

function filled(value: string): ReadonlySet<string> {
  return new Set(value === '' ? [] : [value]);
}
