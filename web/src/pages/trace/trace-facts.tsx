import type { ReactNode } from 'react';
import type { WholeOutline } from '../../api/parts.ts';
import { Count, Duration, Moment, Usd } from '../../design/figures.tsx';

interface TraceFactsProps {
  trace: Pick<
    WholeOutline['trace'],
    'startTime' | 'durationMs' | 'costUsd' | 'unpricedCalls' | 'partlyPricedCalls' | 'callCount' | 'inputTokens' | 'outputTokens'
  >;
  /** When the running trace was loaded, epoch milliseconds; null if all spans have ended. */
  runningAsOfMs: number | null;
}

/** The summary line of a trace. */
export function TraceFacts({ trace, runningAsOfMs }: TraceFactsProps): ReactNode {
  const soFarMs = runningAsOfMs === null ? 0 : runningAsOfMs - Date.parse(trace.startTime);
  const facts: ReadonlyArray<[string, ReactNode]> = [
    ['', <Moment key="m" iso={trace.startTime} />],
    runningAsOfMs === null
      ? ['', <Duration key="d" ms={trace.durationMs} />]
      : ['so far', <Duration key="d" ms={Math.max(soFarMs, trace.durationMs ?? 0)} />],
    ['', <Usd key="u" value={trace.costUsd} unpriced={trace.unpricedCalls} partly={trace.partlyPricedCalls} />],
    [trace.callCount === 1 ? 'call' : 'calls', <Count key="c" value={trace.callCount} />],
    ['tokens in', <Count key="i" value={trace.inputTokens} />],
    ['tokens out', <Count key="o" value={trace.outputTokens} />],
  ];
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-ink-soft">
      {facts.map(([unit, value], index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a fixed list
        <span key={index}>
          {value} <span className="text-ink-faint">{unit}</span>
        </span>
      ))}
    </p>
  );
}
