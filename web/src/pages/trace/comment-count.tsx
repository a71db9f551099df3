import { MessageSquare } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../../design/class-names.ts';
import { countedExactly } from '../../format/number-format.ts';

/** The number of open comments on a row of the tree; nothing without any. */
export function CommentCount({ count, className }: { count: number; className?: string }): ReactNode {
  if (count === 0) return null;
  const text = countedExactly(count, 'comment');
  return (
    <span
      role="img"
      aria-label={text}
      title={text}
      className={classNames('numbers flex shrink-0 items-center gap-0.5 text-2xs text-accent', className)}
    >
      <MessageSquare className="size-3" aria-hidden />
      {count}
    </span>
  );
}
