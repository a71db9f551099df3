import { MessageSquare } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { usePageKeys } from '../../design/use-page-keys.ts';
import { formatCount } from '../../format/number-format.ts';

interface CommentsButtonProps {
  /** Numbers of open comments by span. */
  counts: ReadonlyMap<string | null, number>;
  isOpen: boolean;
  onOpen(open: boolean): void;
}

/** Opens and closes the comments of a trace, also with `c`. */
export function CommentsButton({ counts, isOpen, onOpen }: CommentsButtonProps): ReactNode {
  const count = [...counts.values()].reduce((sum, one) => sum + one, 0);
  usePageKeys({ c: () => onOpen(!isOpen) });
  return (
    <Button aria-expanded={isOpen} aria-keyshortcuts="c" title="Comments (C)" onClick={() => onOpen(!isOpen)}>
      <MessageSquare aria-hidden />
      Comments
      {count > 0 && <span className="numbers text-ink-faint">{formatCount(count)}</span>}
    </Button>
  );
}
