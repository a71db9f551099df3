import { use, useState } from 'react';
import type { ReactNode } from 'react';
import { CopyButton } from '../design/copy.tsx';
import { FoldButton } from '../design/fold-button.tsx';
import { countedExactly } from '../format/number-format.ts';
import { FindQuery, hasText } from './find-query.ts';
import { LongText } from './long-text.tsx';

/** The message of an error with its stack trace, which is folded. */
export function StackTrace({ message, stack }: { message: string | null; stack: string }): ReactNode {
  const [opened, setOpened] = useState(false);
  const query = use(FindQuery);
  const isOpen = opened || hasText(stack, query);
  return (
    <div className="flex min-w-0 flex-col">
      {message !== null && <LongText text={message} />}
      <div className="flex items-center">
        <FoldButton
          isOpen={isOpen}
          onToggle={() => setOpened(!isOpen)}
          className="text-xs font-medium text-ink-soft hover:text-ink"
        >
          Stack trace ({countedExactly(stack.trim().split('\n').length, 'line')})
        </FoldButton>
        <CopyButton label="Copy stack trace" text={stack} />
      </div>
      {isOpen && (
        <div className="rounded-md bg-sunken px-2 py-1.5">
          <LongText mono text={stack} />
        </div>
      )}
    </div>
  );
}
