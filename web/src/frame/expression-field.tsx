import type { ReactNode } from 'react';
import type { FilterSubject } from '../../../src/contract/filter/fields.ts';
import { Input } from '../design/field.tsx';
import { QueryBar } from './query-bar.tsx';

interface ExpressionFieldProps {
  /** What the filter is of. */
  on: FilterSubject;
  label: string;
  hint: string;
  value: string;
  onValue(text: string): void;
  /** What the service said about the filter. */
  error: string | null;
  disabled: boolean;
}

/** The filter of a form, with its label: an editor, or the text where nothing can be changed. */
export function ExpressionField({ on, label, hint, value, onValue, error, disabled }: ExpressionFieldProps): ReactNode {
  if (disabled) return <Input label={label} value={value} placeholder="None" disabled readOnly />;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span className="text-xs font-medium text-ink-soft" aria-hidden>
        {label}
      </span>
      {/* A row, in which the bar takes the width. */}
      <div className="flex min-w-0">
        <QueryBar {...{ on, label, value, error }} hint="latency:>2s NOT user:test" onChange={onValue} />
      </div>
      <p className="text-xs text-ink-faint">{hint}</p>
    </div>
  );
}
