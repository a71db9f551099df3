import { ChevronDown, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface FoldButtonProps {
  isOpen: boolean;
  onToggle(): void;
  className?: string;
  children: ReactNode;
}

/** The heading of something that folds. */
export function FoldButton({ isOpen, onToggle, className, children }: FoldButtonProps): ReactNode {
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onToggle}
      className={classNames('flex min-w-0 items-center gap-1.5 text-left', className)}
    >
      <Chevron className="size-3.5 shrink-0 text-ink-faint" aria-hidden />
      {children}
    </button>
  );
}
