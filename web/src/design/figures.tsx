import type { ReactNode } from 'react';
import { Badge } from './badge.tsx';
import {
  countedExactly,
  formatCount,
  formatDuration,
  formatExact,
  formatScore,
  formatShare,
  formatUsd,
} from '../format/number-format.ts';
import { formatAgo, formatMoment, formatZoned } from '../format/time-format.ts';

/** A cost in US dollars with all digits in the tooltip. A badge marks unpriced calls; an unknown cost is never shown as $0. */
export function Usd({ value, unpriced = 0 }: { value: number | null; unpriced?: number }): ReactNode {
  if (value === null) return <Absent why="Cost unknown: no price for this model" />;
  if (value === 0 && unpriced > 0) return <Unpriced />;
  const note = unpriced > 0 ? ` · ${countedExactly(unpriced, 'unpriced call')} not included` : '';
  return (
    <span className="numbers whitespace-nowrap" title={`$${formatExact(value)}${note}`}>
      {formatUsd(value)}
      {unpriced > 0 && (
        <>
          {' '}
          <Badge tone="warn" title={`${countedExactly(unpriced, 'unpriced call')} not included`}>
            partly unpriced
          </Badge>
        </>
      )}
    </span>
  );
}

/** Shown instead of a cost when no call has a price. */
export function Unpriced(): ReactNode {
  return (
    <Badge tone="warn" title="No price for this model. Its calls are not included in costs.">
      unpriced
    </Badge>
  );
}

/** A count with all digits in the tooltip. */
export function Count({ value }: { value: number }): ReactNode {
  return (
    <span className="numbers whitespace-nowrap" title={formatExact(value)}>
      {formatCount(value)}
    </span>
  );
}

/** A duration in milliseconds; null while the span is running. */
export function Duration({ ms }: { ms: number | null }): ReactNode {
  if (ms === null) return <Absent why="Not finished" text="running" />;
  return (
    <span className="numbers whitespace-nowrap" title={`${formatExact(ms)} ms`}>
      {formatDuration(ms)}
    </span>
  );
}

/** A fraction as a percentage with all digits in the tooltip. */
export function Share({ value }: { value: number }): ReactNode {
  return (
    <span className="numbers whitespace-nowrap" title={`${formatExact(value * 100)}%`}>
      {formatShare(value)}
    </span>
  );
}

/** A score with all digits in the tooltip. */
export function Score({ value }: { value: number }): ReactNode {
  return (
    <span className="numbers whitespace-nowrap" title={formatExact(value)}>
      {formatScore(value)}
    </span>
  );
}

/** A moment in the viewer's time zone; the tooltip shows the zone and UTC. */
export function Moment({ iso, ago = false }: { iso: string; ago?: boolean }): ReactNode {
  return (
    <time className="numbers whitespace-nowrap" dateTime={iso} title={formatZoned(iso)}>
      {ago ? formatAgo(iso) : formatMoment(iso)}
    </time>
  );
}

/** A placeholder for a missing value, with the reason in its tooltip. */
export function Absent({ why, text = '–' }: { why: string; text?: string }): ReactNode {
  return (
    <span className="text-ink-faint" title={why}>
      {text}
    </span>
  );
}
