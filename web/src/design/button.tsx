import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Tooltip } from './tooltip.tsx';

type Look = 'primary' | 'plain' | 'quiet' | 'danger' | 'quiet-danger';
type PressedTone = 'good' | 'bad';
type Size = 'normal' | 'small';

const looks: Readonly<Record<Look, string>> = {
  primary: 'bg-accent text-accent-ink border-transparent hover:opacity-90',
  plain: 'bg-surface text-ink border-line hover:bg-hover shadow-card',
  quiet: 'bg-transparent text-ink-soft border-transparent hover:bg-hover hover:text-ink',
  danger: 'bg-surface text-bad border-line hover:bg-bad-soft shadow-card',
  'quiet-danger': 'bg-transparent text-bad border-transparent hover:bg-bad-soft',
};

/** Looks of a pressed toggle button. */
const pressedLooks: Readonly<Record<PressedTone, string>> = {
  good: 'bg-good-soft text-good border-good',
  bad: 'bg-bad-soft text-bad border-bad',
};

const base =
  'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border text-sm font-medium whitespace-nowrap transition-colors disabled:pointer-events-none disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0';

/** The classes of a button, for links styled as buttons. */
export function buttonClass(look: Look = 'plain', size: Size = 'normal'): string {
  return classNames(base, 'px-2.5', size === 'small' ? 'h-7' : 'h-8', looks[look]);
}

interface ButtonProps extends ComponentProps<'button'> {
  look?: Look;
  size?: Size;
  /** A request is running: the button is disabled and shows it. */
  busy?: boolean;
  /** For a toggle button: whether it is on. */
  pressed?: boolean;
  pressedTone?: PressedTone;
  /** Each click of a multiple click counts, for example when paging. */
  repeatable?: boolean;
}

/** A button. The second click of a double click is ignored: it would hit whatever the first click put in its place. */
export function Button(props: ButtonProps): ReactNode {
  const {
    look = 'plain',
    size = 'normal',
    busy = false,
    pressed,
    pressedTone = 'good',
    repeatable = false,
    className,
    disabled,
    type = 'button',
    onClick,
    children,
    ...rest
  } = props;
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    // A click from the keyboard has detail 0.
    if (event.detail > 1 && !repeatable) event.preventDefault();
    else onClick?.(event);
  };
  const colors = pressed === true ? pressedLooks[pressedTone] : looks[look];
  return (
    <button
      type={type}
      className={classNames(base, 'px-2.5', size === 'small' ? 'h-7' : 'h-8', colors, className)}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      aria-pressed={pressed}
      onClick={click}
      {...rest}
    >
      {children}
      {busy && <span aria-hidden>…</span>}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonProps, 'aria-label' | 'busy' | 'repeatable'> {
  label: string;
}

/** A button with an icon only. The label is its accessible name and its tooltip. */
export function IconButton(props: IconButtonProps): ReactNode {
  const { label, look = 'quiet', size = 'normal', pressed, pressedTone = 'good', className, type = 'button', ...rest } = props;
  const colors = pressed === true ? pressedLooks[pressedTone] : looks[look];
  return (
    <Tooltip text={label}>
      <button
        type={type}
        aria-label={label}
        aria-pressed={pressed}
        className={classNames(base, size === 'small' ? 'size-7' : 'size-8', colors, className)}
        {...rest}
      />
    </Tooltip>
  );
}
