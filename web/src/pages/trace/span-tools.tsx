import { CornerLeftUp } from 'lucide-react';
import { useCallback } from 'react';
import type { ReactNode } from 'react';
import type { TraceSpan } from '../../api/wire.ts';
import { ToolRuns } from '../../content/tool-runs.ts';
import type { RunSpan, ToolCall, ToolRun } from '../../content/tool-runs.ts';
import { Visible } from '../../design/visible.tsx';
import { toldResult } from './told-result.ts';
import { repeatedCall } from './tool-links.ts';
import type { AskedCall, ToolLinks } from './tool-links.ts';

interface SpanToolsProps {
  spans: readonly TraceSpan[];
  span: TraceSpan;
  links: ToolLinks;
  /** Which payload of the span is under it. */
  payload: 'input' | 'output';
  onSelect(spanId: string): void;
  children: ReactNode;
}

/** Lets the conversations of an llm span show what ran their calls of tools. */
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
  const { name, durationMs, status, errorCode, errorMessage } = run;
  const failure = status === 'error' ? [errorCode, errorMessage].filter(Boolean).join(': ') || 'no reason given' : null;
  return { name, durationMs, failure, open: () => onSelect(run.spanId) };
}

/** As the model was told, else as the span that ran it recorded it. */
function resultOf(spans: readonly TraceSpan[], asked: AskedCall): ToolRun['result'] {
  const told = toldResult(spans, asked);
  if (told) return { value: told.value, from: 'the input of the next call' };
  return asked.run?.output == null ? null : { value: asked.run.output, from: 'the span that ran it' };
}

/** On a tool's span: the call of a model that asked for it. */
export function AskedBy({ asked, onSelect }: { asked: AskedCall; onSelect(spanId: string): void }): ReactNode {
  const { asker, call } = asked;
  return (
    <p className="flex min-w-0 items-center gap-1.5 text-xs">
      <CornerLeftUp className="size-3.5 shrink-0 text-ink-faint" aria-hidden />
      <span className="shrink-0 text-ink-faint">asked for by</span>
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
