import type { ReactNode } from 'react';
import type { GateCheck } from '../../api/parts.ts';
import { formatShare } from '../../format/number-format.ts';

const width = 220;
const height = 22;
const tones: Readonly<Record<GateCheck['verdict'], string>> = {
  pass: 'text-good',
  fail: 'text-bad',
  inconclusive: 'text-ink-soft',
};

/** A check's figure with its interval, against its limit. The side beyond the limit is shaded. */
export function LimitChart({ check }: { check: GateCheck }): ReactNode {
  const { delta, limit, ciLow, ciHigh } = check;
  if (delta === null || limit === null) return null;
  const places = [delta, limit, ciLow ?? delta, ciHigh ?? delta];
  const low = Math.min(...places);
  const span = Math.max(...places) - low || 1;
  const at = (value: number) => 10 + ((value - low) / span) * (width - 20);
  // An interval without upper end goes to the edge.
  const right = ciHigh === null ? (ciLow === null ? at(delta) : width) : at(ciHigh);
  const left = at(ciLow ?? delta);
  const interval =
    ciLow === null ? '' : `, interval ${formatShare(ciLow)} to ${ciHigh === null ? 'no upper end' : formatShare(ciHigh)}`;
  const label = `${formatShare(delta)}${interval}, limit ${formatShare(limit)}`;
  const isLeast = check.name === 'min_pass_rate';
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      className={tones[check.verdict]}
    >
      <title>{label}</title>
      <rect
        x={isLeast ? 0 : at(limit)}
        width={isLeast ? at(limit) : width - at(limit)}
        height={height}
        className="fill-bad-soft"
      />
      <line x1={at(limit)} x2={at(limit)} y1={0} y2={height} stroke="var(--line-strong)" strokeDasharray="2 2" />
      <line x1={left} x2={right} y1={height / 2} y2={height / 2} stroke="currentColor" strokeWidth={2} />
      <circle cx={at(delta)} cy={height / 2} r={3.5} fill="currentColor" />
    </svg>
  );
}
