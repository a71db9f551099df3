import type { ReactNode } from 'react';
import type { BatchItemStatus } from '../../api/parts.ts';
import type { BatchRun } from '../../api/service.ts';
import { Badge } from '../../design/badge.tsx';
import type { Tone } from '../../design/badge.tsx';
import { formatExact } from '../../format/number-format.ts';

const runTones: Readonly<Record<BatchRun['status'], Tone>> = {
  queued: 'neutral',
  running: 'accent',
  completed: 'good',
  failed: 'bad',
  cancelled: 'warn',
};
const itemTones: Readonly<Record<BatchItemStatus, Tone>> = {
  pending: 'neutral',
  passed: 'good',
  failed: 'bad',
  error: 'warn',
  cancelled: 'neutral',
};

/** The status of a batch run. */
export function RunStatus({ status }: { status: BatchRun['status'] }): ReactNode {
  return <Badge tone={runTones[status]}>{status}</Badge>;
}

/** The status of an item. */
export function ItemStatus({ status }: { status: BatchItemStatus }): ReactNode {
  return <Badge tone={itemTones[status]}>{status}</Badge>;
}

const parts = [
  ['passed', 'fill-good'],
  ['failed', 'fill-bad'],
  ['error', 'fill-warn'],
  ['cancelled', 'fill-line-strong'],
] as const;

/** How many items of a run ended and how, as a bar. @param width CSS pixels; the whole line by default */
export function Progress({ counts, width }: { counts: BatchRun['counts']; width?: number }): ReactNode {
  const ended = counts.total - counts.pending;
  const label = `${formatExact(ended)} of ${formatExact(counts.total)} items ended: ${parts
    .filter(([name]) => counts[name] > 0)
    .map(([name]) => `${formatExact(counts[name])} ${name}`)
    .join(', ')}`.replace(/: $/, '');
  const share = (count: number) => (counts.total === 0 ? 0 : (count / counts.total) * 100);
  const startOf = (index: number) => share(parts.slice(0, index).reduce((sum, [name]) => sum + counts[name], 0));
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox="0 0 100 8"
      preserveAspectRatio="none"
      width={width ?? '100%'}
      height={8}
      className="inline-block align-middle"
    >
      <title>{label}</title>
      <rect width={100} height={8} className="fill-sunken" />
      {parts.map(([name, tone], index) => (
        <rect key={name} x={startOf(index)} width={share(counts[name])} height={8} className={tone} />
      ))}
    </svg>
  );
}
