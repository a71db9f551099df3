import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button, buttonClass } from './button.tsx';
import { classNames } from './class-names.ts';
import { useFocusReturn } from './use-focus-return.ts';

interface DialogProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** The buttons, at its end. */
  footer?: ReactNode;
  /** For what needs room, such as an editor. */
  wide?: boolean;
}

/**
 * A dialog over the page. Buttons and Escape close it, not a click beside it: what it holds, a secret or what was typed, would be lost. The
 * backdrop is a plain element: Radix' own would put a style element into the page, which the Content-Security-Policy refuses, and the page's
 * body does not scroll anyhow.
 */
export function Dialog({ open, onOpenChange, ...content }: DialogProps): ReactNode {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        {/* Takes the mouse, so that a click on it leaves the focus where it is. */}
        <div
          className="pointer-events-auto fixed inset-0 z-40 bg-black/40"
          aria-hidden
          onMouseDown={(event) => event.preventDefault()}
        />
        <Content {...content} />
      </Radix.Portal>
    </Radix.Root>
  );
}

function Content({ title, description, children, footer, wide = false }: Omit<DialogProps, 'open' | 'onOpenChange'>): ReactNode {
  const returnFocus = useFocusReturn();
  return (
    <Radix.Content
      onCloseAutoFocus={returnFocus}
      onPointerDownOutside={(event) => event.preventDefault()}
      className={classNames(
        'fixed left-1/2 z-50 flex -translate-x-1/2 flex-col rounded-xl border border-line bg-raised shadow-high',
        wide
          ? 'top-[6vh] max-h-[88vh] w-[min(52rem,calc(100vw-2rem))]'
          : 'top-[12vh] max-h-[76vh] w-[min(34rem,calc(100vw-2rem))]',
      )}
      {...(description === undefined ? { 'aria-describedby': undefined } : {})}
    >
      <header className="pr-12 pl-4 pt-3">
        <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
        {description !== undefined && <Radix.Description className="mt-1 text-ink-soft">{description}</Radix.Description>}
      </header>
      <div className="scroll-thin min-h-0 overflow-auto px-4 py-3">{children}</div>
      {footer !== undefined && <footer className="flex justify-end gap-2 border-t border-line px-4 py-3">{footer}</footer>}
      {/* Last, so that the first field is what has the focus. Without a tooltip, which would take the first Escape. */}
      <Radix.Close aria-label="Close" className={classNames(buttonClass('quiet'), 'absolute top-2 right-2')}>
        <X aria-hidden />
      </Radix.Close>
    </Radix.Content>
  );
}

interface ConfirmProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  description: ReactNode;
  /** What the button does, in a word: "Revoke". */
  action: string;
  busy?: boolean;
  error?: string | null;
  onConfirm(): void;
}

/** Asks before something that cannot be taken back. */
export function Confirm({
  open,
  onOpenChange,
  title,
  description,
  action,
  busy = false,
  error,
  onConfirm,
}: ConfirmProps): ReactNode {
  return (
    <Dialog
      {...{ open, onOpenChange, title, description }}
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button look="danger" busy={busy} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      {error && (
        <p role="alert" className="text-bad">
          {error}
        </p>
      )}
    </Dialog>
  );
}
