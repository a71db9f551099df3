import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { TraceSpan } from '../api/wire.ts';
import { LongText } from './long-text.tsx';
import { Visible } from '../design/visible.tsx';

/** Why a span failed. */
export function ErrorBox({ span }: { span: TraceSpan }): ReactNode {
  if (span.status !== 'error') return null;
  return (
    <div role="note" aria-label="Error" className="rounded-md border border-bad/40 bg-bad-soft px-2.5 py-2">
      <p className="flex items-center gap-1.5 font-semibold text-bad">
        <CircleAlert className="size-4 shrink-0" aria-hidden />
        Failed{span.errorCode !== null && ':'} {span.errorCode !== null && <Visible text={span.errorCode} />}
      </p>
      {span.errorMessage !== null && <LongText text={span.errorMessage} />}
    </div>
  );
}

/** The spans that failed, each a way to it; the first of a chain is mostly the one that matters, which is the deepest. */
export function FailedSpans({ spans, onSelect }: { spans: readonly TraceSpan[]; onSelect(spanId: string): void }): ReactNode {
  const failed = spans.filter(({ status }) => status === 'error');
  const most = 5;
  if (failed.length === 0) return null;
  const deepestFirst = failed.toSorted((left, right) => right.depth - left.depth);
  return (
    <section aria-label="Failed spans" className="rounded-md border border-bad/40 bg-bad-soft px-2.5 py-2">
      <h3 className="flex items-center gap-1.5 font-semibold text-bad">
        <CircleAlert className="size-4" aria-hidden />
        {failed.length === 1 ? 'A span failed' : `${failed.length} spans failed`}
      </h3>
      <ul className="mt-1">
        {deepestFirst.slice(0, most).map((span) => (
          <li key={span.spanId} className="flex min-w-0 gap-2">
            <button
              type="button"
              onClick={() => onSelect(span.spanId)}
              className="max-w-[45%] shrink-0 truncate text-left font-medium underline"
            >
              <Visible text={span.name} />
            </button>
            <Visible text={[span.errorCode, span.errorMessage].filter(Boolean).join(': ')} className="truncate text-ink-soft" />
          </li>
        ))}
      </ul>
      {failed.length > most && (
        <p className="mt-1 text-xs text-ink-soft">And {failed.length - most} more: filter the spans by errors.</p>
      )}
    </section>
  );
}
