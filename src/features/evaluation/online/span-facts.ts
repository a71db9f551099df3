import type { WrittenSpans } from '../../ingest/index.ts';
import type { FilterFacts } from './matches-filter.ts';
import type { TraceFacts } from './trace-facts.ts';

/** What filters look at of a span; what it leaves out its trace may say. */
export function factsOfSpan(span: WrittenSpans['spans'][number], trace: TraceFacts | undefined): FilterFacts {
  const agent = span.agentName || (trace?.agentOfSpan.get(span.spanId) ?? '');
  return {
    kinds: [span.kind],
    models: filled(span.model),
    agents: filled(agent),
    environments: filled(span.environment || (trace?.environment ?? '')),
    // A trace may have very many: they are not copied for each of its spans.
    tags: { has: (tag) => span.tags.includes(tag) || (trace?.tags.has(tag) ?? false) },
  };
}

function filled(value: string): ReadonlySet<string> {
  return new Set(value === '' ? [] : [value]);
}
