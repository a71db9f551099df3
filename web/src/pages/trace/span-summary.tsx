import type { ReactNode } from 'react';
import type { TraceSpan } from '../../api/service.ts';
import { Count, Duration, Usd } from '../../design/figures.tsx';
import { VisibleLine } from '../../design/visible.tsx';

/** Model, duration, cost and tokens of a span on one line; the details have the rest. */
export function SpanSummary({ span }: { span: TraceSpan }): ReactNode {
  const { model, durationMs, timeToFirstTokenMs, costUsd, usage } = span;
  return (
    <p className="numbers flex min-w-0 flex-wrap items-center gap-x-3 border-b border-line px-3 py-1 text-xs text-ink-soft">
      {model !== null && <VisibleLine text={model} className="max-w-56 min-w-0 font-medium" />}
      <Duration ms={durationMs} />
      {timeToFirstTokenMs !== null && (
        <span>
          <Duration ms={timeToFirstTokenMs} /> <span className="text-ink-faint">to first token</span>
        </span>
      )}
      {costUsd !== null && <Usd value={costUsd} partly={span.costStatus === 'partly_priced' ? 1 : 0} />}
      {usage?.inputTokens !== undefined && (
        <span>
          <Count value={usage.inputTokens} /> <span className="text-ink-faint">in</span>
        </span>
      )}
      {usage?.outputTokens !== undefined && (
        <span>
          <Count value={usage.outputTokens} /> <span className="text-ink-faint">out</span>
        </span>
      )}
    </p>
  );
}
