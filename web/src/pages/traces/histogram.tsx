import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { traceCountsQuery } from '../../api/traces.ts';
import type { ListTracesQuery } from '../../api/parts.ts';
import type { TraceCounts } from '../../api/service.ts';
import { countedExactly, formatExact } from '../../format/number-format.ts';
import { formatMoment } from '../../format/time-format.ts';
import { useProject } from '../../frame/project-context.ts';

interface HistogramProps {
  request: Omit<ListTracesQuery, 'cursor' | 'limit'>;
  live: boolean;
  /** Called with the range of a bar. */
  onRange(range: { from: string; to: string }): void;
}

/** The number of traces over time, failed ones marked. A bar narrows the list to its time. */
export function Histogram({ request, live, onRange }: HistogramProps): ReactNode {
  const { projectId } = useProject();
  const counted = useMemo(() => {
    const { sort: _sort, q: _q, ...filters } = request;
    return filters;
  }, [request]);
  const query = useQuery({ ...traceCountsQuery(projectId, counted, live), placeholderData: keepPreviousData });
  // The height is reserved while loading, so that the list does not move.
  return (
    <div className="h-16 shrink-0 border-b border-line bg-surface px-4 pt-2">
      {query.data && <Bars counts={query.data} onRange={onRange} />}
      {query.error && <p className="text-xs text-ink-faint">The number of traces over time is not available.</p>}
    </div>
  );
}

function Bars({ counts: { buckets, bucketMs }, onRange }: { counts: TraceCounts } & Pick<HistogramProps, 'onRange'>): ReactNode {
  const [focused, setFocused] = useState(0);
  const highest = Math.max(1, ...buckets.map(({ traces }) => traces));
  const move = (event: KeyboardEvent<HTMLButtonElement>) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.min(Math.max(focused + step, 0), buckets.length - 1);
    setFocused(next);
    event.currentTarget.parentElement?.querySelectorAll('button')[next]?.focus();
  };
  const first = buckets[0]?.start;
  const last = buckets.at(-1)?.start;
  if (first === undefined || last === undefined) return null;
  const end = new Date(Date.parse(last) + bucketMs).toISOString();
  return (
    <>
      <div role="group" aria-label="Traces over time" className="flex h-9 items-stretch gap-px">
        {buckets.map(({ start, traces, errors }, index) => (
          <button
            key={start}
            type="button"
            // One tab stop; the arrow keys move between bars.
            tabIndex={index === Math.min(focused, buckets.length - 1) ? 0 : -1}
            onKeyDown={move}
            onFocus={() => setFocused(index)}
            onClick={() => onRange({ from: start, to: new Date(Date.parse(start) + bucketMs - 1).toISOString() })}
            title={`${formatMoment(start)}: ${countedExactly(traces, 'trace')}, ${formatExact(errors)} failed`}
            aria-label={`${formatMoment(start)}: ${countedExactly(traces, 'trace')}, ${formatExact(errors)} failed`}
            className="flex min-w-0 flex-1 flex-col justify-end hover:bg-hover"
          >
            <span className="block bg-bad" style={{ height: `${(errors / highest) * 100}%` }} />
            <span
              className="block bg-(--series-1)"
              style={{ height: `${((traces - errors) / highest) * 100}%`, minHeight: traces > errors ? 2 : 0 }}
            />
          </button>
        ))}
      </div>
      <p className="numbers flex justify-between text-2xs text-ink-faint" aria-hidden>
        <span>{formatMoment(first)}</span>
        <span>{formatMoment(end)}</span>
      </p>
    </>
  );
}
