/** The kinds of span (docs/semantics.md, "Span kinds"). */
export const spanKinds = ['llm', 'embedding', 'agent', 'tool', 'retriever', 'chain', 'guardrail', 'evaluator', 'span'] as const;
export type SpanKind = (typeof spanKinds)[number];

export const costStatuses = ['provided', 'priced', 'partly_priced', 'unpriced'] as const;
export type CostStatus = (typeof costStatuses)[number];

/** Orders of the list of traces beside that of a score; a minus sign means descending. */
export const traceSorts = ['-startTime', 'startTime', '-latency', 'latency', '-cost', 'cost'] as const;
export type TraceSort = (typeof traceSorts)[number] | `score.${string}` | `-score.${string}`;

/** Whether a text names the order of a list of traces. */
export const isTraceSort = (text: string): text is TraceSort =>
  (traceSorts as readonly string[]).includes(text) || /^-?score\.[^\0]{1,128}$/s.test(text);

/** The agent, environment and tag of the spans of simulations (docs/semantics.md, "Traces of simulations"). */
export const simulationMark = 'simulation';

/** Sources of spans that lists and figures leave out (docs/semantics/traces.md, "Source of a span"). */
export const madeSources = ['simulation', 'playground', 'evaluation'] as const;
export type MadeSource = (typeof madeSources)[number];

/** Where a span comes from: the endpoint that an application sent it to, or what it was made for. */
export const spanSources = ['native', 'otlp', ...madeSources] as const;

/** The attribute by which a client marks the spans of an evaluation: `evaluation` is the one value that counts. */
export const sourceAttribute = 'spanwise.source';

export const batchRunStatuses = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export type BatchRunStatus = (typeof batchRunStatuses)[number];

export const evaluationStatuses = ['queued', 'running', 'completed', 'failed', 'skipped'] as const;
export type EvaluationStatus = (typeof evaluationStatuses)[number];

export const evaluationTargetTypes = ['span', 'trace', 'session', 'run_item'] as const;
export type EvaluationTargetType = (typeof evaluationTargetTypes)[number];

export const changeKinds = ['deploy', 'config', 'prompt', 'model'] as const;
export type ChangeKind = (typeof changeKinds)[number];

export const incidentStatuses = ['open', 'acknowledged', 'resolved'] as const;
export type IncidentStatus = (typeof incidentStatuses)[number];
