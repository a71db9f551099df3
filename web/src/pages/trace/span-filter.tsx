import { CircleAlert, Search } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import type { OutlineSpan, SpanKind } from '../../api/parts.ts';
import type { TraceSpan } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { countedExactly, formatExact } from '../../format/number-format.ts';

/** A span, with previews if its trace was loaded without payloads. */
type Filtered = TraceSpan & Partial<Pick<OutlineSpan, 'inputPreview' | 'outputPreview'>>;

export interface SpanFilter {
  text: string;
  errors: boolean;
  /** null: every kind. */
  kind: SpanKind | null;
}

/** Filters the spans of a trace by name, kind, model, agent, error, ID, or the beginning of input or output. */
export function useSpanFilter(): {
  filter: SpanFilter;
  setFilter(filter: SpanFilter): void;
  matches: ((span: Filtered) => boolean) | null;
} {
  const [filter, setFilter] = useState<SpanFilter>({ text: '', errors: false, kind: null });
  // Deferred, so that typing stays responsive with large trees.
  const deferred = useDeferredValue(filter);
  const matches = useMemo(() => {
    const text = deferred.text.trim().toLowerCase();
    if (text === '' && !deferred.errors && deferred.kind === null) return null;
    return (span: Filtered) =>
      (!deferred.errors || span.status === 'error') &&
      (deferred.kind === null || span.kind === deferred.kind) &&
      (text === '' ||
        [
          span.name,
          span.kind,
          span.model,
          span.agentName,
          span.errorCode,
          span.errorMessage,
          span.spanId,
          span.inputPreview,
          span.outputPreview,
        ].some((value) => value?.toLowerCase().includes(text) === true));
  }, [deferred]);
  return { filter, setFilter, matches };
}

interface SpanFilterBarProps {
  filter: SpanFilter;
  setFilter(filter: SpanFilter): void;
  /** Number of matching spans. */
  found: number;
  total: number;
  /** The kinds of the trace's spans. */
  kinds: readonly SpanKind[];
  children?: ReactNode;
}

/** The toolbar of the span filter. */
export function SpanFilterBar({ filter, setFilter, found, total, kinds, children }: SpanFilterBarProps): ReactNode {
  return (
    <div className="flex items-center gap-2 border-b border-line px-2 py-1.5">
      <div className="relative min-w-0 flex-1">
        <Search className="pointer-events-none absolute top-1.5 left-2 size-4 text-ink-faint" aria-hidden />
        <input
          type="search"
          aria-label="Filter spans"
          placeholder="Filter spans"
          value={filter.text}
          onChange={(event) => setFilter({ ...filter, text: event.target.value })}
          className="h-7 w-full rounded-md border border-line-strong/60 bg-surface pr-2 pl-8 placeholder:text-ink-faint"
        />
      </div>
      {kinds.length > 1 && (
        <select
          aria-label="Kind"
          value={filter.kind ?? ''}
          onChange={(event) => setFilter({ ...filter, kind: kinds.find((kind) => kind === event.target.value) ?? null })}
          className="h-7 max-w-28 min-w-0 rounded-md border border-line-strong/60 bg-surface px-1 text-xs"
        >
          <option value="">All kinds</option>
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {kind}
            </option>
          ))}
        </select>
      )}
      <span className="numbers shrink-0 text-xs text-ink-faint" role="status">
        {found === total ? countedExactly(total, 'span') : `${formatExact(found)} of ${formatExact(total)}`}
      </span>
      <Button
        look="quiet"
        size="small"
        repeatable
        pressed={filter.errors}
        pressedTone="bad"
        onClick={() => setFilter({ ...filter, errors: !filter.errors })}
      >
        <CircleAlert aria-hidden />
        Errors
      </Button>
      {children}
    </div>
  );
}
