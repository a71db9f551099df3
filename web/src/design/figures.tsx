import type { ReactNode } from 'react';
import { Badge } from './badge.tsx';
import { classNames } from './class-names.ts';
import {
  counted,
  countedExactly,
  formatCount,
  formatDuration,
  formatExact,
  formatScore,
  formatShare,
  formatUsd,
} from '../format/number-format.ts';
import { formatMoney } from '../format/money-format.ts';
import { formatAgo, formatMoment, formatTime, formatZoned } from '../format/time-format.ts';

interface UsdProps {
  value: number | null;
  /** Calls whose cost is not known. */
  unpriced?: number | undefined;
  /** Calls with tokens of a class that has no rate. */
  partly?: number | undefined;
  /** The badge goes to a line of its own where there is no room beside the amount. */
  wraps?: boolean;
}

/** A cost in US dollars with all digits in the tooltip. A badge says which calls are missing in it; an unknown cost is never shown as $0. */
export function Usd({ value, unpriced = 0, partly = 0, wraps = false }: UsdProps): ReactNode {
  if (value === null) return <Absent why="Cost unknown: no price for this model" />;
  if (value === 0 && unpriced > 0) return <Unpriced />;
  const missing = missingCost(unpriced, partly);
  const note = missing === null ? '' : ` · ${missing}`;
  return (
    <span
      className={classNames('numbers', wraps ? 'whitespace-normal' : 'whitespace-nowrap')}
      title={`$${formatExact(value)}${note}`}
    >
      {formatUsd(value)}
      {missing !== null && (
        <>
          {' '}
          <Badge tone="warn" title={missing}>
            partly unpriced
          </Badge>
        </>
      )}
    </span>
  );
}

/** Says which calls a cost does not include, or includes in part; null where it is whole. */
export function missingCost(unpriced: number, partly: number): string | null {
  const parts = [
    ...(unpriced > 0 ? [`${countedExactly(unpriced, 'unpriced call')} not included`] : []),
    ...(partly > 0 ? [`${countedExactly(partly, 'call')} with tokens that have no rate`] : []),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

/** An amount of a currency (ISO 4217) with all digits in the tooltip. */
export function Money({ value, currency }: { value: number; currency: string }): ReactNode {
  return (
    <span className="numbers whitespace-nowrap" title={`${formatExact(value)} ${currency}`}>
      {formatMoney(value, currency)}
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

/** A count with its noun, which takes an s in the plural, and all digits in the tooltip: `1.2K calls`. */
export function Counted({ value, noun }: { value: number; noun: string }): ReactNode {
  return <span title={countedExactly(value, noun)}>{counted(value, noun)}</span>;
}

/** A value with more about it in the tooltip, after all its digits. */
interface NotedProps {
  value: number;
  note?: string;
}

const noted = (exact: string, note?: string) => (note === undefined ? exact : `${exact} · ${note}`);

/** A fraction as a percentage with all digits in the tooltip. */
export function Share({ value, note }: NotedProps): ReactNode {
  return (
    <span className="numbers whitespace-nowrap" title={noted(`${formatExact(value * 100)}%`, note)}>
      {formatShare(value)}
    </span>
  );
}

/** A score with all digits in the tooltip. */
export function Score({ value, note }: NotedProps): ReactNode {
  return (
    <span className="numbers whitespace-nowrap" title={noted(formatExact(value), note)}>
      {formatScore(value)}
    </span>
  );
}

/** A figure in a format of its own, with all digits in the tooltip. */
export function Figure({ value, format, label }: { value: number; format(value: number): string; label?: string }): ReactNode {
  const exact = formatExact(value);
  return (
    <span className="numbers whitespace-nowrap" title={label === undefined ? exact : `${label}: ${exact}`}>
      {format(value)}
    </span>
  );
}

/** A moment in the viewer's time zone; the tooltip shows the zone and UTC. */
export function Moment({ iso, ago = false, time = false }: { iso: string; ago?: boolean; time?: boolean }): ReactNode {
  return (
    <time className="numbers whitespace-nowrap" dateTime={iso} title={formatZoned(iso)}>
      {ago ? formatAgo(iso) : time ? formatTime(iso) : formatMoment(iso)}
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
