import type { ReactNode } from 'react';
import type { EvaluatorDelta } from '../../api/parts.ts';
import { IntervalChart } from '../../design/interval-chart.tsx';
import type { IntervalTone } from '../../design/interval-chart.tsx';
import { formatDelta } from '../../format/delta-format.ts';
import { countedExactly } from '../../format/number-format.ts';
import { deltaLabel, verdictOf } from './delta-label.ts';
import type { Verdict } from './delta-label.ts';

const tones: Readonly<Record<Verdict, IntervalTone>> = {
  better: 'good',
  worse: 'bad',
  unclear: 'soft',
  same: 'soft',
  unknown: 'faint',
};
const width = 260;

/** The mean difference with its 95% confidence interval. Positive values mean that the candidate is better. */
export function DeltaChart({ delta }: { delta: EvaluatorDelta }): ReactNode {
  const { meanDelta, ciLow, ciHigh, n } = delta;
  const hasInterval = meanDelta !== null && ciLow !== null && ciHigh !== null;
  const label = deltaLabel(delta);
  const interval = hasInterval
    ? `${formatDelta(meanDelta)}, 95% CI ${formatDelta(ciLow)} to ${formatDelta(ciHigh)}, ${countedExactly(n, 'item')}`
    : label;
  return (
    <IntervalChart
      value={meanDelta}
      low={ciLow}
      high={ciHigh}
      tone={tones[verdictOf(delta)]}
      label={label}
      title={interval}
      format={formatDelta}
      width={width}
    />
  );
}

/** The legend of the axis. */
export function DeltaSides(): ReactNode {
  return (
    <span className="flex justify-between px-10 text-2xs font-normal" style={{ width }}>
      <span>worse</span>
      <span>0</span>
      <span>better</span>
    </span>
  );
}
