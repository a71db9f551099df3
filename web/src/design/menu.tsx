import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

const item =
  'flex h-8 items-center gap-2 rounded-md px-2 text-sm outline-none select-none data-[disabled]:opacity-50 data-[highlighted]:bg-hover [&_svg]:size-4 [&_svg]:text-ink-faint';

interface MenuProps {
  /** The button that opens the menu. */
  trigger: ReactNode;
  align?: 'start' | 'end';
  /** Called when it opens and closes. */
  onOpenChange?(open: boolean): void;
  children: ReactNode;
}

/** A menu below a button. Not modal: Radix' modal menu inserts a style element, which the Content-Security-Policy rejects. */
export function Menu({ trigger, align = 'start', onOpenChange, children }: MenuProps): ReactNode {
  return (
    <DropdownMenu.Root modal={false} {...(onOpenChange === undefined ? {} : { onOpenChange })}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="scroll-thin z-50 max-h-[70vh] max-w-[min(28rem,calc(100vw-1rem))] min-w-52 overflow-auto rounded-lg border border-line bg-raised p-1 shadow-high"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface MenuItemProps {
  onSelect(): void;
  /** The selected option. */
  current?: boolean;
  danger?: boolean;
  /** As high as its content. */
  tall?: boolean;
  children: ReactNode;
}

/** An action or option of a menu. */
export function MenuItem({ onSelect, current = false, danger = false, tall = false, children }: MenuItemProps): ReactNode {
  return (
    <DropdownMenu.Item className={classNames(item, danger && 'text-bad', tall && 'h-auto! py-1.5')} onSelect={onSelect}>
      {children}
      {current && <Check className="ml-auto" aria-label="selected" />}
    </DropdownMenu.Item>
  );
}

export function MenuLabel({ children }: { children: ReactNode }): ReactNode {
  return (
    <DropdownMenu.Label className="px-2 pt-1.5 pb-1 text-xs [overflow-wrap:anywhere] text-ink-faint">
      {children}
    </DropdownMenu.Label>
  );
}

export function MenuSeparator(): ReactNode {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />;
}
