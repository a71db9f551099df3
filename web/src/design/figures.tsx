import type { ReactNode } from 'react';
import { countedExactly, formatCount, formatDuration, formatExact, formatUsd } from '../format/number-format.ts';
import { formatAgo, formatMoment, formatUtc } from '../format/time-format.ts';

/** A cost; every digit is in the tooltip. What no price is known for is said, never shown as $0. */
export function Usd({ value, unpriced = 0 }: { value: number | null; unpriced?: number }): ReactNode {
  if (value === null) return <Absent why="The cost of this is not known: there is no price for its model" />;
  const note =
    unpriced > 0 ? `; ${countedExactly(unpriced, 'call')} without a known price ${unpriced === 1 ? 'adds' : 'add'} nothing` : '';
  return (
    <span className="numbers whitespace-nowrap" title={`$${formatExact(value)}${note}`}>
      {formatUsd(value)}
      {unpriced > 0 && (
        <span className="text-warn" aria-label={`, without ${countedExactly(unpriced, 'unpriced call')}`}>
          {' +?'}
        </span>
      )}
    </span>
  );
}

/** Stands for a cost that is not known. */
export function Unpriced(): ReactNode {
  return (
    <span className="text-warn" title="The price of this model is not known: its calls add nothing to any cost">
      unpriced
    </span>
  );
}

/** How many; every digit is in the tooltip. */
export function Count({ value }: { value: number }): ReactNode {
  return (
    <span className="numbers whitespace-nowrap" title={formatExact(value)}>
      {formatCount(value)}
    </span>
  );
}

/** A duration in milliseconds; null while it lasts. */
export function Duration({ ms }: { ms: number | null }): ReactNode {
  if (ms === null) return <Absent why="It has not ended yet" text="running" />;
  return (
    <span className="numbers whitespace-nowrap" title={`${formatExact(ms)} ms`}>
      {formatDuration(ms)}
    </span>
  );
}

/** A moment in the viewer's zone, UTC in the tooltip. */
export function Moment({ iso, ago = false }: { iso: string; ago?: boolean }): ReactNode {
  return (
    <time
      className="numbers whitespace-nowrap"
      dateTime={iso}
      title={ago ? `${formatMoment(iso)} · ${formatUtc(iso)}` : formatUtc(iso)}
    >
      {ago ? formatAgo(iso) : formatMoment(iso)}
    </time>
  );
}

/** What is not there, with the reason in its tooltip. */
export function Absent({ why, text = '–' }: { why: string; text?: string }): ReactNode {
  return (
    <span className="text-ink-faint" title={why}>
      {text}
    </span>
  );
}
