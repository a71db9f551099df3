import { useId } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { ErrorText } from './error-text.tsx';

const control =
  'h-8 w-full rounded-md border border-line-strong/60 bg-surface px-2.5 text-sm text-ink placeholder:text-ink-faint disabled:opacity-60 aria-invalid:border-bad';

interface LabelledProps {
  label: string;
  /** Hides the label visually. */
  labelHidden?: boolean;
  hint?: ReactNode;
  error?: string | null | undefined;
}

interface FrameProps extends LabelledProps {
  id: string;
  className?: string | undefined;
  children: ReactNode;
}

function Labelled({ id, label, labelHidden, hint, error, className, children }: FrameProps): ReactNode {
  return (
    <div className={classNames('flex min-w-0 flex-col gap-1', className)}>
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'text-xs font-medium text-ink-soft'}>
        {label}
      </label>
      {children}
      {hint !== undefined && <p className="text-xs text-ink-faint">{hint}</p>}
      <ErrorText id={`${id}-error`} text={error} />
    </div>
  );
}

/** A single-line text field with its label. */
export function Input({
  label,
  labelHidden,
  hint,
  error,
  className,
  ...rest
}: LabelledProps & ComponentProps<'input'>): ReactNode {
  const id = useId();
  return (
    <Labelled {...{ id, label, hint, error, className }} {...(labelHidden === undefined ? {} : { labelHidden })}>
      <input
        id={id}
        className={control}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        {...rest}
      />
    </Labelled>
  );
}

/** A multi-line text field with its label. */
export function TextArea({
  label,
  labelHidden,
  hint,
  error,
  className,
  mono = false,
  ...rest
}: LabelledProps & ComponentProps<'textarea'> & { mono?: boolean }): ReactNode {
  const id = useId();
  return (
    <Labelled {...{ id, label, hint, error, className }} {...(labelHidden === undefined ? {} : { labelHidden })}>
      <textarea
        id={id}
        rows={4}
        className={classNames(control, 'scroll-thin h-auto min-h-8 resize-y py-1.5', mono && 'font-mono text-xs leading-5')}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        {...rest}
      />
    </Labelled>
  );
}

interface SelectProps<T extends string> extends LabelledProps, Omit<ComponentProps<'select'>, 'onChange' | 'value'> {
  value: T;
  options: ReadonlyArray<{ value: T; label: string }>;
  onValue(value: T): void;
}

/** A single choice. The native control works with every keyboard, screen reader and phone. */
export function Select<T extends string>({
  label,
  labelHidden,
  hint,
  error,
  className,
  options,
  onValue,
  ...rest
}: SelectProps<T>): ReactNode {
  const id = useId();
  return (
    <Labelled {...{ id, label, hint, error, className }} {...(labelHidden === undefined ? {} : { labelHidden })}>
      <select
        id={id}
        className={classNames(control, 'pr-1')}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onChange={(event) => onValue(event.target.value as T)}
        {...rest}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Labelled>
  );
}
