import type { ReactNode } from 'react';
import { axisEnd } from './interval-axis.ts';

export type IntervalTone = 'good' | 'bad' | 'soft' | 'faint';

const height = 22;
const colors: Readonly<Record<IntervalTone, string>> = {
  good: 'text-good',
  bad: 'text-bad',
  soft: 'text-ink-soft',
  faint: 'text-ink-faint',
};

interface IntervalChartProps {
  /** A difference; null if it is not known. */
  value: number | null;
  /** Its interval; null if it is not known. */
  low: number | null;
  high: number | null;
  tone: IntervalTone;
  /** What the drawing says, in words. */
  label: string;
  /** The tooltip, by default the label. */
  title?: string;
  /** A signed difference. */
  format(value: number): string;
  width?: number;
  /** Horizontal space for the axis labels, pixels. */
  margin?: number;
}

/** A difference with its confidence interval, on an axis with 0 in the middle. */
export function IntervalChart(props: IntervalChartProps): ReactNode {
  const { value, low, high, tone, label, title = label, format, width = 260, margin = 40 } = props;
  const end = axisEnd([value, low, high]);
  const at = (place: number) => margin + ((place + end) / (2 * end)) * (width - 2 * margin);
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={label}
      className={`block max-w-full ${colors[tone]}`}
    >
      <title>{title}</title>
      <line x1={margin} x2={width - margin} y1={height / 2} y2={height / 2} stroke="var(--line)" />
      <line x1={at(0)} x2={at(0)} y1={1} y2={height - 1} stroke="var(--line-strong)" strokeDasharray="2 2" />
      <g fill="var(--ink-faint)" fontSize={10.5}>
        <text x={margin - 5} y={height / 2 + 3.5} textAnchor="end">
          {format(-end)}
        </text>
        <text x={width - margin + 5} y={height / 2 + 3.5}>
          {format(end)}
        </text>
      </g>
      {value !== null && low !== null && high !== null && (
        <g stroke="currentColor" strokeWidth={2}>
          <line x1={at(low)} x2={at(high)} y1={height / 2} y2={height / 2} />
          <line x1={at(low)} x2={at(low)} y1={6} y2={height - 6} />
          <line x1={at(high)} x2={at(high)} y1={6} y2={height - 6} />
          <circle cx={at(value)} cy={height / 2} r={3.5} fill="currentColor" stroke="none" />
        </g>
      )}
    </svg>
  );
}
