import { X } from 'lucide-react';
import { useId, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { ErrorText } from './error-text.tsx';
import { Visible } from './visible.tsx';

interface ListInputProps {
  label: string;
  values: readonly string[];
  onValues(values: readonly string[]): void;
  suggestions?: readonly string[];
  placeholder?: string;
  error?: string | null;
  disabled?: boolean;
}

/** A list of texts. Enter adds the typed text; Backspace in an empty field removes the last one. */
export function ListInput(props: ListInputProps): ReactNode {
  const { label, values, onValues, suggestions = [], placeholder, error, disabled = false } = props;
  const id = useId();
  const [text, setText] = useState('');
  const add = () => {
    const value = text.trim();
    if (value !== '' && !values.includes(value)) onValues([...values, value]);
    setText('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && text.trim() !== '') {
      event.preventDefault();
      add();
    } else if (event.key === 'Backspace' && text === '' && values.length > 0) onValues(values.slice(0, -1));
  };
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-xs font-medium text-ink-soft">
        {label}
      </label>
      <div className="flex min-h-8 flex-wrap items-center gap-1 rounded-md border border-line-strong/60 bg-surface p-0.5 has-disabled:opacity-60">
        {values.map((value) => (
          <span key={value} className="inline-flex max-w-full items-center rounded bg-accent-soft pl-1.5 text-xs">
            <Visible text={value} className="truncate" />
            <button
              type="button"
              disabled={disabled}
              aria-label={`Remove ${value} from ${label}`}
              onClick={() => onValues(values.filter((one) => one !== value))}
              className="flex size-6 shrink-0 items-center justify-center text-ink-soft hover:text-ink"
            >
              <X className="size-3.5" aria-hidden />
            </button>
          </span>
        ))}
        <input
          id={id}
          value={text}
          disabled={disabled}
          list={`${id}-list`}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          onBlur={add}
          placeholder={values.length === 0 ? placeholder : undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          className="h-6 min-w-24 flex-1 bg-transparent px-1.5 text-sm placeholder:text-ink-faint"
        />
        <datalist id={`${id}-list`}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      </div>
      <ErrorText id={`${id}-error`} text={error} />
    </div>
  );
}
