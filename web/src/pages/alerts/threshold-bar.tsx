import type { ReactNode } from 'react';

interface ThresholdBarProps {
  value: number;
  threshold: number;
  isFiring: boolean;
  /** What the bar says, in words. */
  label: string;
}

const width = 72;
const height = 12;
/** The larger of value and threshold ends here, as a share of the width. */
const full = 0.85;

/** A value as a bar beside a line at its threshold. */
export function ThresholdBar({ value, threshold, isFiring, label }: ThresholdBarProps): ReactNode {
  const largest = Math.max(value, threshold, 0);
  const place = (one: number) => (largest === 0 ? 0 : (Math.max(0, one) / largest) * full * width);
  return (
    <svg role="img" aria-label={label} width={width} height={height} viewBox={`0 0 ${width} ${height}`} className="shrink-0">
      <title>{label}</title>
      <rect x={0} y={3} width={width} height={6} rx={2} className="fill-sunken" />
      <rect x={0} y={3} width={Math.max(1, place(value))} height={6} rx={2} className={isFiring ? 'fill-bad' : 'fill-accent'} />
      <line x1={place(threshold) + 0.5} x2={place(threshold) + 0.5} y1={0} y2={height} className="stroke-ink" strokeWidth={1.5} />
    </svg>
  );
}
