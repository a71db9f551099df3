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
  /** The buttons at the bottom. */
  footer?: ReactNode;
  /** For wide content such as an editor. */
  wide?: boolean;
}

/**
 * A modal dialog. Buttons and Escape close it; a click on the backdrop does not, because a secret or typed text would be lost. The
 * backdrop is a plain element: Radix' overlay inserts a style element, which the Content-Security-Policy rejects.
 */
export function Dialog({ open, onOpenChange, ...content }: DialogProps): ReactNode {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        {/* Prevents a click on the backdrop from moving the focus. */}
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
      <header className="pr-12 pl-4 pt-3 [overflow-wrap:anywhere]">
        <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
        {description !== undefined && <Radix.Description className="mt-1 text-ink-soft">{description}</Radix.Description>}
      </header>
      <div className="scroll-thin min-h-0 overflow-auto px-4 py-3">{children}</div>
      {footer !== undefined && <footer className="flex justify-end gap-2 border-t border-line px-4 py-3">{footer}</footer>}
      {/* Last, so that the first field gets the focus. No tooltip: it would consume the first Escape. */}
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
  /** Label of the confirming button: "Revoke". */
  action: string;
  busy?: boolean;
  error?: string | null;
  onConfirm(): void;
}

/** Asks for confirmation of an irreversible action. */
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
