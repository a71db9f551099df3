import type { ImpactCheck } from '../api/parts.ts';
import type { IntervalTone } from '../design/interval-chart.tsx';
import { formatDelta } from '../format/delta-format.ts';
import { formatDuration, formatScore, formatShare, formatUsdPrecise } from '../format/number-format.ts';

type Metric = ImpactCheck['metric'];
type Verdict = ImpactCheck['verdict'];

interface MetricWords {
  title: string;
  format(value: number): string;
  /** A difference without its sign and unit. */
  distance(size: number): string;
  /** After a difference, where its format has none. */
  unit?: string;
  /** What is counted to conclude anything. */
  sample: string;
}

const percent = 100;
const points = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });

export const impactMetrics: Readonly<Record<Metric, MetricWords>> = {
  errorRate: {
    title: 'Error rate',
    format: formatShare,
    distance: (size) => points.format(size * percent),
    unit: ' points',
    sample: 'calls',
  },
  p95LatencyMs: { title: 'Latency p95', format: formatDuration, distance: formatDuration, sample: 'finished calls' },
  costPerCall: { title: 'Cost per call', format: formatUsdPrecise, distance: formatUsdPrecise, sample: 'calls' },
  avgScore: { title: 'Quality', format: formatScore, distance: (size) => formatDelta(size).replace('+', ''), sample: 'scores' },
};

export const verdictLabels: Readonly<Record<Verdict, string>> = {
  better: 'Better',
  worse: 'Worse',
  unchanged: 'No clear change',
  inconclusive: 'Too little data',
};

/** The tones of drawings and badges. */
export const verdictTones: Readonly<Record<Verdict, IntervalTone>> = {
  better: 'good',
  worse: 'bad',
  unchanged: 'soft',
  inconclusive: 'faint',
};

/** Calls or scores on each side, below which the service concludes nothing (docs/semantics.md, "Impact of a change"). */
const leastCount = 30;

function signed(metric: Metric, value: number): string {
  const { distance } = impactMetrics[metric];
  if (value === 0) return distance(0);
  return `${value < 0 ? '−' : '+'}${distance(Math.abs(value))}`;
}

/** A signed difference for the ends of an axis: `+5%`, `−320ms`. */
export function formatAxisEnd(metric: Metric, value: number): string {
  return `${signed(metric, value)}${metric === 'errorRate' ? '%' : ''}`;
}

/** What a change did to a metric, in words: `Up 4.1 points. 95% interval: +2 to +6.3 points.` */
export function impactSentence({ metric, delta, ciLow, ciHigh, verdict }: ImpactCheck): string {
  const { distance, sample, unit = '' } = impactMetrics[metric];
  const interval =
    ciLow === null || ciHigh === null ? '' : ` 95% interval: ${signed(metric, ciLow)} to ${signed(metric, ciHigh)}${unit}.`;
  if (verdict === 'inconclusive' || delta === null) return `At least ${leastCount} ${sample} are needed on each side.${interval}`;
  if (verdict === 'unchanged' && ciLow === 0 && ciHigh === 0) return 'No difference.';
  if (verdict === 'unchanged') return `The difference may be chance.${interval}`;
  return `${delta > 0 ? 'Up' : 'Down'} ${distance(Math.abs(delta))}${unit}.${interval}`;
}
