import type { ReactNode } from 'react';
import type { FieldOrigin } from '../../api/wire.ts';

/** Each way to fill a field in its colour, its name in words, and what it means. */
const origins: Readonly<Record<FieldOrigin, readonly [name: string, color: string, meaning: string]>> = {
  gen_ai: ['gen_ai', 'var(--series-1)', "OpenTelemetry's conventions for generative AI"],
  openinference: ['OpenInference', 'var(--series-2)', 'OpenInference (Arize Phoenix)'],
  traceloop: ['Traceloop', 'var(--series-5)', 'Traceloop OpenLLMetry'],
  'vercel-ai': ['Vercel AI', 'var(--series-4)', 'The Vercel AI SDK (ai.*)'],
  langfuse: ['Langfuse', 'var(--kind-guardrail)', "Langfuse's SDKs"],
  langsmith: ['LangSmith', 'var(--warn)', "LangSmith's export"],
  mlflow: ['MLflow', 'var(--kind-embedding)', "MLflow's tracing"],
  'claude-code': ['Claude Code', 'var(--series-3)', 'Claude Code'],
  'pydantic-ai': ['Pydantic AI', 'var(--bad)', 'Pydantic AI (Logfire)'],
  otel: ['OpenTelemetry', 'var(--good)', "OpenTelemetry's general conventions, and the span's own status"],
  native: ['sent', 'var(--accent)', 'Sent under this name to the native endpoint'],
  inherited: ['inherited', 'var(--kind-agent)', 'Taken over from a span above'],
  derived: ['derived', 'var(--series-6)', 'Worked out from other fields, or the default'],
  priced: ['priced', 'var(--series-6)', 'From the price table, at the price of the day'],
  unknown: ['unknown', 'var(--ink-faint)', 'What is stored does not tell what filled it'],
};

/** What filled a field. */
export function OriginBadge({ origin }: { origin: FieldOrigin }): ReactNode {
  const [name, color, meaning] = origins[origin];
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
