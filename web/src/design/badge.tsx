import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad';

const tones: Readonly<Record<Tone, string>> = {
  neutral: 'bg-sunken text-ink-soft',
  accent: 'bg-accent-soft text-accent',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
};

/** A short status or attribute. */
export function Badge({
  tone = 'neutral',
  title,
  shrink = false,
  children,
}: {
  tone?: Tone;
  title?: string;
  /** Truncates the text where the row is too narrow for it. */
  shrink?: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <span
      title={title}
      className={classNames(
        'inline-block max-w-full truncate rounded align-middle px-1.5 text-2xs font-medium',
        shrink ? 'min-w-0' : 'shrink-0',
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}

interface ChipProps {
  label: string;
  value: ReactNode;
  /** Tells chips with the same label apart in the name of the button. */
  text?: string;
  onRemove(): void;
}

/** An active filter with a button that removes it. */
export function Chip({ label, value, text, onRemove }: ChipProps): ReactNode {
  return (
    <span className="inline-flex h-7 max-w-72 items-center gap-1 rounded-md border border-line bg-accent-soft pl-2 text-xs text-ink">
      <span className="shrink-0 text-ink-soft">{label}:</span>
      <span className="truncate font-medium">{value}</span>
      <button
        type="button"
        onClick={onRemove}
        aria-label={`Remove filter ${label}${text === undefined ? '' : ` ${text}`}`}
        className="flex h-full w-6 shrink-0 items-center justify-center rounded-r-md text-ink-soft hover:bg-hover hover:text-ink"
      >
        <X className="size-3.5" aria-hidden />
      </button>
    </span>
  );
}
