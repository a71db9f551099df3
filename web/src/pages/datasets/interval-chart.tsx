import type { ReactNode } from 'react';
import type { EvaluatorDelta } from '../../api/wire.ts';
import { formatDelta } from '../../format/delta-format.ts';
import { countedExactly } from '../../format/number-format.ts';
import { axisEnd, deltaLabel, verdictOf } from './delta-label.ts';
import type { Verdict } from './delta-label.ts';

const width = 260;
const height = 22;
/** Horizontal space for the axis labels. */
const margin = 40;

const colors: Readonly<Record<Verdict, string>> = {
  better: 'text-good',
  worse: 'text-bad',
  unclear: 'text-ink-soft',
  same: 'text-ink-soft',
  unknown: 'text-ink-faint',
};

function placeOn(end: number): (value: number) => number {
  return (value) => margin + ((value + end) / (2 * end)) * (width - 2 * margin);
}

/** The mean difference with its 95% confidence interval. Positive values mean that the candidate is better. */
export function IntervalChart({ delta }: { delta: EvaluatorDelta }): ReactNode {
  const end = axisEnd(delta);
  const at = placeOn(end);
  const { meanDelta, ciLow, ciHigh, n } = delta;
  const hasInterval = meanDelta !== null && ciLow !== null && ciHigh !== null;
  const label = deltaLabel(delta);
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={label}
      className={`block ${colors[verdictOf(delta)]}`}
    >
      <title>
        {hasInterval
          ? `${formatDelta(meanDelta)}, 95% CI ${formatDelta(ciLow)} to ${formatDelta(ciHigh)}, ${countedExactly(n, 'item')}`
          : label}
      </title>
      <line x1={margin} x2={width - margin} y1={height / 2} y2={height / 2} stroke="var(--line)" />
      <line x1={at(0)} x2={at(0)} y1={1} y2={height - 1} stroke="var(--line-strong)" strokeDasharray="2 2" />
      <g fill="var(--ink-faint)" fontSize={10.5}>
        <text x={margin - 5} y={height / 2 + 3.5} textAnchor="end">
          {formatDelta(-end)}
        </text>
        <text x={width - margin + 5} y={height / 2 + 3.5}>
          {formatDelta(end)}
        </text>
      </g>
      {hasInterval && (
        <g stroke="currentColor" strokeWidth={2}>
          <line x1={at(ciLow)} x2={at(ciHigh)} y1={height / 2} y2={height / 2} />
          <line x1={at(ciLow)} x2={at(ciLow)} y1={6} y2={height - 6} />
          <line x1={at(ciHigh)} x2={at(ciHigh)} y1={6} y2={height - 6} />
          <circle cx={at(meanDelta)} cy={height / 2} r={3.5} fill="currentColor" stroke="none" />
        </g>
      )}
    </svg>
  );
}

/** The legend of the axis. */
export function IntervalSides(): ReactNode {
  return (
    <span className="flex justify-between px-10 text-2xs font-normal" style={{ width }}>
      <span>worse</span>
      <span>0</span>
      <span>better</span>
    </span>
  );
}
