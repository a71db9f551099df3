import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';

type Look = 'primary' | 'plain' | 'quiet' | 'danger';

const looks: Readonly<Record<Look, string>> = {
  primary: 'bg-accent text-accent-ink border-transparent hover:opacity-90',
  plain: 'bg-surface text-ink border-line hover:bg-hover shadow-card',
  quiet: 'bg-transparent text-ink-soft border-transparent hover:bg-hover hover:text-ink',
  danger: 'bg-surface text-bad border-line hover:bg-bad-soft shadow-card',
};

/** The look of a button, for links that look like one. */
export function buttonClass(look: Look = 'plain', extra?: string): string {
  return classNames(
    'inline-flex h-8 shrink-0 items-center justify-center gap-1.5 rounded-md border px-2.5 text-sm font-medium whitespace-nowrap transition-colors',
    'disabled:pointer-events-none disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0',
    looks[look],
    extra,
  );
}

interface ButtonProps extends ComponentProps<'button'> {
  look?: Look;
  /** Something is under way: the button waits and says so. */
  busy?: boolean;
}

/** A button. */
export function Button({ look, busy = false, className, disabled, type = 'button', children, ...rest }: ButtonProps): ReactNode {
  return (
    <button
      type={type}
      className={buttonClass(look, className)}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {children}
      {busy && <span aria-hidden>…</span>}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonProps, 'aria-label'> {
  label: string;
}

/** A button that shows an icon alone; its label is for those who do not see it, and its tooltip. */
export function IconButton({ label, look = 'quiet', className, ...rest }: IconButtonProps): ReactNode {
  return <Button look={look} aria-label={label} title={label} className={classNames('w-8 px-0', className)} {...rest} />;
}
