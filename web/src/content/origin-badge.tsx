import type { ReactNode } from 'react';

/** Label, colour and tooltip of each field origin. */
const origins: Readonly<Record<string, readonly [name: string, color: string, meaning: string]>> = {
  gen_ai: ['gen_ai', 'var(--series-1)', 'OpenTelemetry semantic conventions for generative AI'],
  openinference: ['OpenInference', 'var(--series-2)', 'OpenInference (Arize Phoenix)'],
  traceloop: ['Traceloop', 'var(--series-5)', 'Traceloop OpenLLMetry'],
  'vercel-ai': ['Vercel AI', 'var(--series-4)', 'Vercel AI SDK (ai.*)'],
  langfuse: ['Langfuse', 'var(--kind-guardrail)', 'Langfuse SDKs'],
  langsmith: ['LangSmith', 'var(--warn)', 'LangSmith OTLP export'],
  mlflow: ['MLflow', 'var(--kind-embedding)', 'MLflow Tracing'],
  'claude-code': ['Claude Code', 'var(--series-3)', 'Claude Code'],
  'pydantic-ai': ['Pydantic AI', 'var(--bad)', 'Pydantic AI (Logfire)'],
  genkit: ['Genkit', 'var(--series-2)', 'Firebase Genkit'],
  voltagent: ['VoltAgent', 'var(--series-4)', 'VoltAgent'],
  'google-adk': ['Google ADK', 'var(--series-1)', 'Google Agent Development Kit'],
  langwatch: ['LangWatch', 'var(--series-5)', 'LangWatch SDKs'],
  mastra: ['Mastra', 'var(--kind-embedding)', 'Mastra'],
  laminar: ['Laminar', 'var(--warn)', 'Laminar SDKs'],
  sentry: ['Sentry', 'var(--kind-guardrail)', 'Sentry SDKs'],
  litellm: ['LiteLLM', 'var(--series-3)', 'LiteLLM proxy'],
  langchain: ['LangChain', 'var(--series-3)', 'Metadata of LangChain and LangGraph'],
  livekit: ['LiveKit', 'var(--series-5)', 'LiveKit Agents'],
  flue: ['Flue', 'var(--series-4)', 'Flue'],
  openlit: ['OpenLIT', 'var(--series-2)', 'OpenLIT'],
  otel: ['OpenTelemetry', 'var(--good)', 'OpenTelemetry general semantic conventions and span status'],
  native: ['sent', 'var(--accent)', 'Sent to the native endpoint under this name'],
  inherited: ['inherited', 'var(--kind-agent)', 'Inherited from an ancestor span'],
  derived: ['derived', 'var(--series-6)', 'Derived from other fields, or a default'],
  priced: ['priced', 'var(--series-6)', "Calculated from the price table, at the day's price"],
  unknown: ['unknown', 'var(--ink-faint)', 'Source not recorded'],
};

/** The origin of a field. */
export function OriginBadge({ origin }: { origin: string }): ReactNode {
  const [name, color, meaning] = origins[origin] ?? [origin, 'var(--series-6)', `Convention ${origin}`];
  return (
    <span
      title={meaning}
      className="inline-flex max-w-full items-center gap-1 rounded px-1.5 text-2xs font-medium whitespace-nowrap text-ink"
      style={{ backgroundColor: `color-mix(in oklab, ${color} 16%, var(--surface))` }}
    >
      <span className="size-1.5 shrink-0 rounded-full" style={{ backgroundColor: color }} aria-hidden />
      {name}
    </span>
  );
}
