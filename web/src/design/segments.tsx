import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface SegmentsProps<T extends string> {
  label: string;
  value: T;
  options: ReadonlyArray<{ value: T; label: string }>;
  onValue(value: T): void;
}

/** A segmented control: a choice among a few visible options. */
export function Segments<T extends string>({ label, value, options, onValue }: SegmentsProps<T>): ReactNode {
  return (
    <div role="group" aria-label={label} className="flex shrink-0 rounded-md border border-line">
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onValue(option.value)}
          className={classNames(
            'h-6 px-2 text-xs first:rounded-l-md last:rounded-r-md',
            option.value === value ? 'bg-sunken font-medium text-ink' : 'text-ink-faint hover:text-ink',
          )}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
