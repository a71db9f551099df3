import type { ReactNode } from 'react';
import type { TraceComparison } from '../../api/service.ts';
import { Stat, Stats } from '../../design/card.tsx';
import { Absent, Count, Duration, Figure, Usd } from '../../design/figures.tsx';
import { formatCount, formatDuration, formatUsdPrecise } from '../../format/number-format.ts';

/** The figures of two traces: how b differs from a, and both. */
export function ComparisonStats({ comparison: { a, b, deltas } }: { comparison: TraceComparison }): ReactNode {
  const counted = (label: string, delta: number, of: (side: TraceComparison['a']) => number, worse = false) => (
    <Stat
      label={label}
      tone={worse && delta > 0 ? 'bad' : 'plain'}
      value={<Delta value={delta} format={formatCount} />}
      note={<FromTo from={<Count value={of(a)} />} to={<Count value={of(b)} />} />}
    />
  );
  return (
    <Stats>
      <Stat
        label="Duration"
        value={
          deltas.durationMs === null ? (
            <Absent why="A trace has not ended" />
          ) : (
            <Delta value={deltas.durationMs} format={formatDuration} />
          )
        }
        note={<FromTo from={<Duration ms={a.durationMs} />} to={<Duration ms={b.durationMs} />} />}
      />
      <Stat
        label="Cost"
        value={<Delta value={deltas.costUsd} format={formatUsdPrecise} />}
        note={
          <FromTo
            from={<Usd value={a.costUsd} unpriced={a.unpricedCalls} partly={a.partlyPricedCalls} />}
            to={<Usd value={b.costUsd} unpriced={b.unpricedCalls} partly={b.partlyPricedCalls} />}
          />
        }
      />
      {counted('Spans', deltas.spanCount, ({ spanCount }) => spanCount)}
      {counted('Calls', deltas.callCount, ({ callCount }) => callCount)}
      {counted('Tokens in', deltas.inputTokens, ({ inputTokens }) => inputTokens)}
      {counted('Tokens out', deltas.outputTokens, ({ outputTokens }) => outputTokens)}
      {counted('Failed spans', deltas.errorCount, ({ errorCount }) => errorCount, true)}
    </Stats>
  );
}

/** A difference with its sign. */
function Delta({ value, format }: { value: number; format(value: number): string }): ReactNode {
  if (value === 0) return <span className="font-normal text-ink-faint">same</span>;
  return <Figure value={value} format={(delta) => `${delta < 0 ? '−' : '+'}${format(Math.abs(delta))}`} />;
}

function FromTo({ from, to }: { from: ReactNode; to: ReactNode }): ReactNode {
  return (
    <>
      {from} <span aria-label="to">→</span> {to}
    </>
  );
}
