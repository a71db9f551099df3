import { useId } from 'react';
import type { ReactNode } from 'react';
import { ErrorText } from './error-text.tsx';

interface CheckListProps {
  label: string;
  options: ReadonlyArray<{ value: string; label: string }>;
  values: readonly string[];
  /** The chosen values, in the order of the options. */
  onValues(values: readonly string[]): void;
  hint?: ReactNode;
  error?: string | null;
  disabled?: boolean;
}

/** A choice of several options, all of them visible. */
export function CheckList({ label, options, values, onValues, hint, error, disabled = false }: CheckListProps): ReactNode {
  const id = useId();
  const toggle = (value: string) => {
    const chosen = values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
    onValues(options.map((option) => option.value).filter((one) => chosen.includes(one)));
  };
  return (
    <fieldset
      className="flex min-w-0 flex-col gap-1"
      disabled={disabled}
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? `${id}-error` : undefined}
      tabIndex={error ? -1 : undefined}
    >
      <legend className="mb-1 text-xs font-medium text-ink-soft">{label}</legend>
      <div className="scroll-thin flex max-h-44 flex-wrap gap-x-4 gap-y-1 overflow-auto">
        {options.map((option) => (
          <label key={option.value} className="inline-flex min-h-6 items-center gap-1.5 has-disabled:opacity-60">
            <input
              type="checkbox"
              checked={values.includes(option.value)}
              onChange={() => toggle(option.value)}
              className="size-3.5 accent-accent"
            />
            {option.label}
          </label>
        ))}
      </div>
      {hint !== undefined && <p className="text-xs text-ink-faint">{hint}</p>}
      <ErrorText id={`${id}-error`} text={error} />
    </fieldset>
  );
}
