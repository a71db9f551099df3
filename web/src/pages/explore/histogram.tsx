import type { ReactNode } from 'react';
import { countedExactly, formatExact, formatUsd } from '../../format/number-format.ts';
import { formatMoment } from '../../format/time-format.ts';
import { Bars } from './bars.tsx';
import { rangeOfBuckets } from './over-time.ts';
import type { Counted } from './over-time.ts';

interface HistogramProps {
  label: string;
  counted: Counted | undefined;
  failed: boolean;
  /** Called with the time of the chosen bars. */
  onRange(range: { from: string; to: string }): void;
}

/** The number of records over time, failed ones marked. A bar, or several by dragging, narrow the list to their time. */
export function Histogram({ label, counted, failed, onRange }: HistogramProps): ReactNode {
  // The height is reserved while loading, so that the list does not move.
  return (
    <div className="flex h-19 shrink-0 flex-col border-b border-line bg-surface px-4 pt-1.5">
      {counted && <Total counted={counted} />}
      {counted && <OverTime {...{ label, counted, onRange }} />}
      {failed && <p className="text-xs text-ink-faint">The number of records over time is not available.</p>}
    </div>
  );
}

function Total({ counted: { noun, count, errors, calls } }: { counted: Counted }): ReactNode {
  return (
    <p className="numbers truncate text-xs text-ink-soft" role="status" data-total={count}>
      <strong className="font-semibold text-ink">{formatExact(count)}</strong> {noun}
      {count === 1 ? '' : 's'} match{count === 1 ? 'es' : ''}
      {errors > 0 && <span className="text-bad"> · {formatExact(errors)} failed</span>}
      {calls && ` · ${countedExactly(calls.count, 'model call')}`}
      {calls && calls.costUsd > 0 && <span title={`$${formatExact(calls.costUsd)}`}> · {formatUsd(calls.costUsd)}</span>}
    </p>
  );
}

function OverTime({
  label,
  counted,
  onRange,
}: {
  label: string;
  counted: Counted;
  onRange: HistogramProps['onRange'];
}): ReactNode {
  const { buckets, bucketMs, noun } = counted;
  const [first, last] = [buckets[0], buckets.at(-1)];
  if (first === undefined || last === undefined) return null;
  const endOf = (start: string) => Date.parse(start) + bucketMs;
  return (
    <>
      <Bars
        label={label}
        bars={buckets.map(({ start, count, errors }) => ({
          key: start,
          label: `${formatMoment(start)}: ${countedExactly(count, noun)}, ${formatExact(errors)} failed`,
          count,
          bad: errors,
        }))}
        onRange={(from, to) => {
          const range = rangeOfBuckets(counted, from, to);
          if (range !== null) onRange(range);
        }}
        className="h-7"
      />
      <p className="numbers flex justify-between text-2xs text-ink-faint" aria-hidden>
        <span>{formatMoment(first.start)}</span>
        <span>{formatMoment(new Date(endOf(last.start)).toISOString())}</span>
      </p>
    </>
  );
}
