import { ChevronDown, ChevronUp, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../design/button.tsx';
import { formatExact } from '../../format/number-format.ts';
import type { Find } from './use-find.ts';

interface FindBarProps {
  text: string;
  onText(text: string): void;
  find: Find;
  /** Scrolls to the output of the span. */
  onOutput(): void;
}

/** Searches the contents of the span: Enter goes to the next match, Shift and Enter to the one before. */
export function FindBar({ text, onText, find, onOutput }: FindBarProps): ReactNode {
  return (
    <div className="flex min-w-0 items-center gap-1">
      <button
        type="button"
        title="Go to the output (O)"
        onClick={onOutput}
        className="h-6.5 shrink-0 rounded-md px-1.5 text-xs font-medium text-ink-soft hover:bg-hover hover:text-ink"
      >
        Output
      </button>
      <div className="relative min-w-0">
        <Search className="pointer-events-none absolute top-1.5 left-1.5 size-3.5 text-ink-faint" aria-hidden />
        <input
          type="search"
          aria-label="Find in content"
          placeholder="Find in content"
          value={text}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            find.go(event.shiftKey ? -1 : 1);
          }}
          className="h-6.5 w-36 rounded-md border border-line-strong/60 bg-surface pr-1 pl-6.5 text-xs placeholder:text-ink-faint"
        />
      </div>
      {text.trim() !== '' && (
        <>
          <span className="numbers shrink-0 text-2xs text-ink-faint" role="status">
            {find.count === 0
              ? 'No match in what is shown'
              : `${find.current > 0 ? `${formatExact(find.current)}/` : ''}${formatExact(find.count)}`}
          </span>
          <IconButton size="small" label="Previous match" disabled={find.count === 0} onClick={() => find.go(-1)}>
            <ChevronUp aria-hidden />
          </IconButton>
          <IconButton size="small" label="Next match" disabled={find.count === 0} onClick={() => find.go(1)}>
            <ChevronDown aria-hidden />
          </IconButton>
        </>
      )}
    </div>
  );
}
