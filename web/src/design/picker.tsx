import { ChevronsUpDown } from 'lucide-react';
import { useId, useState } from 'react';
import type { ReactNode, UIEvent } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { Dialog } from './dialog.tsx';
import { ErrorText } from './error-text.tsx';
import { SearchBox } from './search-box.tsx';
import { ListSkeleton } from './states.tsx';

export interface PickerOption {
  value: string;
  label: ReactNode;
  /** At the end of the line. */
  note?: ReactNode;
}

interface PickerProps {
  label: string;
  /** What is chosen, in words. */
  shown: ReactNode;
  error?: string | null | undefined;
  disabled?: boolean;
  className?: string;
  /** The list in the dialog; rendered while that is open. */
  children(close: () => void): ReactNode;
}

/** A single choice among any number of options, which are listed in a dialog. */
export function Picker({ label, shown, error, disabled = false, className, children }: PickerProps): ReactNode {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <div className={classNames('flex min-w-0 flex-col gap-1', className)}>
      <span id={`${id}-label`} className="text-xs font-medium text-ink-soft">
        {label}
      </span>
      <button
        id={id}
        type="button"
        disabled={disabled}
        aria-haspopup="dialog"
        aria-labelledby={`${id}-label ${id}`}
        onClick={() => setOpen(true)}
        className={classNames(
          'flex h-8 w-full items-center gap-2 rounded-md border bg-surface px-2.5 text-left text-sm text-ink disabled:opacity-60',
          error ? 'border-bad' : 'border-line-strong/60',
        )}
      >
        <span className="min-w-0 flex-1 truncate">{shown}</span>
        <ChevronsUpDown className="size-3.5 shrink-0 text-ink-faint" aria-hidden />
      </button>
      <ErrorText text={error} />
      {isOpen && (
        <Dialog open onOpenChange={close} title={label}>
          {children(close)}
        </Dialog>
      )}
    </div>
  );
}

interface PickerListProps {
  label: string;
  value: string;
  options: readonly PickerOption[];
  /** The first option: no choice. */
  none?: string | undefined;
  /** Searches in all options; without it there is no search field. */
  search?: { text: string; onSearch(text: string): void };
  /** The pages of the options, of an infinite query. */
  pages: { hasNextPage: boolean; isFetching: boolean; fetchNextPage(): unknown };
  onChoose(value: string): void;
}

/** Distance from the end of the list, in pixels, at which the next page is loaded. */
const loadAhead = 200;

/** The options of a {@link Picker}, a page at a time. */
export function PickerList({ label, value, options, none, search, pages, onChoose }: PickerListProps): ReactNode {
  const { hasNextPage, isFetching, fetchNextPage } = pages;
  const load = () => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  };
  const nearEnd = ({ currentTarget }: UIEvent<HTMLElement>) => {
    if (currentTarget.scrollHeight - currentTarget.scrollTop - currentTarget.clientHeight < loadAhead) load();
  };
  return (
    // A form around the picker is not submitted by the search field.
    <div className="flex flex-col gap-2" onSubmit={(event) => event.stopPropagation()}>
      {search && <SearchBox label="Search" value={search.text} onSearch={search.onSearch} />}
      <ul aria-label={label} className="scroll-thin max-h-[50vh] overflow-auto" onScroll={nearEnd}>
        {none !== undefined && <Option option={{ value: '', label: none }} chosen={value === ''} onChoose={onChoose} />}
        {options.map((option) => (
          <Option key={option.value} option={option} chosen={option.value === value} onChoose={onChoose} />
        ))}
      </ul>
      {isFetching ? (
        <ListSkeleton />
      ) : (
        options.length === 0 && !hasNextPage && <p className="px-2 text-ink-faint">Nothing found.</p>
      )}
      {hasNextPage && !isFetching && (
        <Button size="small" repeatable onClick={load}>
          Load more
        </Button>
      )}
    </div>
  );
}

function Option({
  option,
  chosen,
  onChoose,
}: {
  option: PickerOption;
  chosen: boolean;
  onChoose(value: string): void;
}): ReactNode {
  return (
    <li>
      <button
        type="button"
        aria-pressed={chosen}
        onClick={() => onChoose(option.value)}
        className={classNames(
          'flex min-h-8 w-full items-center gap-3 rounded-md px-2 py-1 text-left hover:bg-hover',
          chosen && 'bg-accent-soft',
        )}
      >
        <span className="min-w-0 flex-1 truncate">{option.label}</span>
        {option.note !== undefined && <span className="shrink-0 text-xs text-ink-faint">{option.note}</span>}
      </button>
    </li>
  );
}
