import { Tooltip as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

const openAfterMs = 350;

/** Configures all tooltips: after one has opened, the next opens without delay. */
export function TooltipProvider({ children }: { children: ReactNode }): ReactNode {
  return (
    <Radix.Provider delayDuration={openAfterMs} disableHoverableContent>
      {children}
    </Radix.Provider>
  );
}

/** A tooltip on hover and focus, with the line breaks of its text. It is not the accessible name of its child. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }): ReactNode {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={5}
          collisionPadding={8}
          className="z-50 max-w-72 rounded-md whitespace-pre-line bg-ink px-2 py-1 text-xs text-canvas shadow-high"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
