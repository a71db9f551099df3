/** The kinds of span (docs/semantics.md, "Span kinds"). */
export const spanKinds = ['llm', 'embedding', 'agent', 'tool', 'retriever', 'chain', 'guardrail', 'evaluator', 'span'] as const;
export type SpanKind = (typeof spanKinds)[number];

export const costStatuses = ['provided', 'priced', 'unpriced'] as const;
export type CostStatus = (typeof costStatuses)[number];
