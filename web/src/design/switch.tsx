import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface SwitchProps {
  label: string;
  checked: boolean;
  onChange(checked: boolean): void;
  disabled?: boolean;
  /** Hides the label visually. */
  labelHidden?: boolean;
}

/** An on/off switch. */
export function Switch({ label, checked, onChange, disabled = false, labelHidden = false }: SwitchProps): ReactNode {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={labelHidden ? label : undefined}
      title={labelHidden ? label : undefined}
      disabled={disabled}
      onClick={() => onChange(!checked)}
      className="inline-flex h-7 items-center gap-2 rounded-md text-sm disabled:opacity-60"
    >
      <span
        className={classNames(
          'flex h-4 w-7 shrink-0 items-center rounded-full border px-0.5 transition-colors',
          checked ? 'justify-end border-accent bg-accent' : 'justify-start border-line-strong bg-sunken',
        )}
        aria-hidden
      >
        <span className={classNames('size-2.5 rounded-full', checked ? 'bg-accent-ink' : 'bg-line-strong')} />
      </span>
      {!labelHidden && label}
    </button>
  );
}
