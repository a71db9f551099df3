import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { TraceSpan } from '../api/service.ts';
import { Visible } from '../design/visible.tsx';
import { countedExactly, formatExact } from '../format/number-format.ts';
import { LongText } from './long-text.tsx';
import { errorCodeOf, errorLine, errorTextOf, splitStack, stackOfEvents } from './span-error.ts';
import { StackTrace } from './stack-trace.tsx';

/** The error of a failed span. */
export function ErrorBox({ span }: { span: TraceSpan }): ReactNode {
  if (span.status !== 'error') return null;
  const code = errorCodeOf(span);
  const { message, stack } = splitStack(errorTextOf(span) ?? '');
  const trace = stack ?? stackOfEvents(span.events);
  return (
    <div role="note" aria-label="Error" className="rounded-md border border-bad/40 bg-bad-soft px-2.5 py-2">
      <p className="flex gap-1.5 font-semibold text-bad">
        <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
        <span className="min-w-0 [overflow-wrap:anywhere]">
          Failed{code !== null && ':'} {code !== null && <Visible text={code} />}
        </span>
      </p>
      {trace === null ? (
        message !== '' && <LongText text={message} />
      ) : (
        <StackTrace message={message === '' ? null : message} stack={trace} />
      )}
    </div>
  );
}

const pageSize = 5;

/** The failed spans as links. The deepest come first: they are usually the cause. */
export function FailedSpans({ spans, onSelect }: { spans: readonly TraceSpan[]; onSelect(spanId: string): void }): ReactNode {
  const [shown, setShown] = useState(pageSize);
  const failed = spans.filter(({ status }) => status === 'error');
  if (failed.length === 0) return null;
  const deepestFirst = failed.toSorted((left, right) => right.depth - left.depth);
  return (
    <section aria-label="Failed spans" className="rounded-md border border-bad/40 bg-bad-soft px-2.5 py-2">
      <h3 className="flex items-center gap-1.5 font-semibold text-bad">
        <CircleAlert className="size-4" aria-hidden />
        {countedExactly(failed.length, 'failed span')}
      </h3>
      <ul className="mt-1">
        {deepestFirst.slice(0, shown).map((span) => (
          <li key={span.spanId} className="flex min-w-0 gap-2 max-sm:flex-col max-sm:gap-0">
            <button
              type="button"
              onClick={() => onSelect(span.spanId)}
              className="max-w-[45%] shrink-0 truncate text-left font-medium underline max-sm:max-w-full"
            >
              <Visible text={span.name} />
            </button>
            <Visible
              text={errorLine(span)}
              className="min-w-0 text-ink-soft max-sm:line-clamp-4 max-sm:[overflow-wrap:anywhere] sm:truncate"
            />
          </li>
        ))}
      </ul>
      {failed.length > shown && (
        <button
          type="button"
          onClick={() => setShown(shown + 10 * pageSize)}
          className="mt-1 text-xs font-medium text-ink-soft underline"
        >
          Show {formatExact(Math.min(failed.length - shown, 10 * pageSize))} more
        </button>
      )}
    </section>
  );
}
