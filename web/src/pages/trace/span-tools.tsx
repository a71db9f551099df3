import { CornerLeftUp } from 'lucide-react';
import { useCallback } from 'react';
import type { ReactNode } from 'react';
import type { TraceSpan } from '../../api/service.ts';
import { ToolRuns } from '../../content/tool-runs.ts';
import type { ToolCall } from '../../content/message.ts';
import { errorLine } from '../../content/span-error.ts';
import type { RunSpan, ToolRun } from '../../content/tool-runs.ts';
import { Visible } from '../../design/visible.tsx';
import { resultFromInputs } from './call-results.ts';
import { repeatedCall } from './tool-links.ts';
import type { AskedCall, ToolLinks } from './tool-links.ts';

interface SpanToolsProps {
  spans: readonly TraceSpan[];
  span: TraceSpan;
  links: ToolLinks;
  /** The payload of the span that is shown inside. */
  payload: 'input' | 'output';
  onSelect(spanId: string): void;
  children: ReactNode;
}

/** Provides the conversations of an llm span with the runs of their tool calls. */
export function SpanTools({ spans, span, links, payload, onSelect, children }: SpanToolsProps): ReactNode {
  const find = useCallback(
    (call: ToolCall): ToolRun | null => {
      const own = payload === 'output' ? links.asked.get(span.spanId)?.[call.place] : null;
      const asked = own ?? repeatedCall(links, span, call);
      if (!asked) return null;
      return { span: asked.run && runSpan(asked.run, onSelect), result: call.answered ? null : resultOf(spans, asked) };
    },
    [spans, span, links, payload, onSelect],
  );
  return <ToolRuns value={find}>{children}</ToolRuns>;
}

function runSpan(run: TraceSpan, onSelect: (spanId: string) => void): RunSpan {
  const { name, durationMs, status } = run;
  const failure = status === 'error' ? errorLine(run) || 'no error message' : null;
  return { name, durationMs, failure, open: () => onSelect(run.spanId) };
}

/** The result as passed to the model, or else as recorded by the span that executed the call. */
function resultOf(spans: readonly TraceSpan[], asked: AskedCall): ToolRun['result'] {
  const found = resultFromInputs(spans, asked);
  if (found) return { value: found.value, from: 'the next call' };
  return asked.run?.output == null ? null : { value: asked.run.output, from: 'the tool span' };
}

/** On a tool span: the model call that requested it. */
export function RequestedBy({ asked, onSelect }: { asked: AskedCall; onSelect(spanId: string): void }): ReactNode {
  const { asker, call } = asked;
  return (
    <p className="flex min-w-0 items-center gap-1.5 text-xs">
      <CornerLeftUp className="size-3.5 shrink-0 text-ink-faint" aria-hidden />
      <span className="shrink-0 text-ink-faint">Requested by</span>
      <button
        type="button"
        onClick={() => onSelect(asker.spanId)}
        className="min-w-0 truncate text-left font-medium text-accent hover:underline"
      >
        <Visible text={asker.name} />
      </button>
      {call.id !== null && (
        <span className="min-w-0 truncate text-ink-faint">
          as <Visible text={call.id} className="font-mono" />
        </span>
      )}
    </p>
  );
}
