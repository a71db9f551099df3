import { Tooltip as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

const openAfterMs = 350;

/** Tooltips of the whole dashboard: once one is open the next opens at once. */
export function TooltipProvider({ children }: { children: ReactNode }): ReactNode {
  return (
    <Radix.Provider delayDuration={openAfterMs} disableHoverableContent>
      {children}
    </Radix.Provider>
  );
}

/** A few words on what can be hovered and focused. The words do not name the thing: it has a name of its own. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }): ReactNode {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={5}
          collisionPadding={8}
          className="z-50 max-w-72 rounded-md bg-ink px-2 py-1 text-xs text-canvas shadow-high"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
