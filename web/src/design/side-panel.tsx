import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { usePageKeys } from './use-page-keys.ts';

interface SidePanelProps {
  label: string;
  title: ReactNode;
  actions: ReactNode;
  onClose(): void;
  /** For content in two columns. */
  wide?: boolean;
  children: ReactNode;
}

/** A panel beside a list, for the selected element. */
export function SidePanel({ label, title, actions, onClose, wide = false, children }: SidePanelProps): ReactNode {
  usePageKeys({ Escape: onClose });
  return (
    <section
      aria-label={label}
      className={classNames(
        'flex shrink-0 flex-col border-l border-line bg-surface max-lg:fixed max-lg:inset-0 max-lg:z-30',
        wide ? 'lg:w-[56%] xl:w-[64%]' : 'lg:w-[min(32rem,45%)]',
      )}
    >
      <header className="flex min-h-10 items-center gap-1.5 border-b border-line py-1 pr-1.5 pl-3">
        <h2 className="min-w-0 flex-1 truncate font-semibold">{title}</h2>
        {actions}
      </header>
      <div className="scroll-thin flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-3">{children}</div>
    </section>
  );
}
