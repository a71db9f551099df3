import { useQuery } from '@tanstack/react-query';
import { ListFilter, X } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import type { FilterSubject } from '../../../src/contract/filter/fields.ts';
import { FilterError } from '../../../src/contract/filter/filter-error.ts';
import { maxFilterLength, parseFilter } from '../../../src/contract/filter/parse.ts';
import { filterSuggestionsQuery } from '../api/filters.ts';
import { classNames } from '../design/class-names.ts';
import { visibleText } from '../format/visible-text.ts';
import { useProject } from './project-context.ts';

interface FilterBarProps {
  /** What the list is of. */
  on: FilterSubject;
  value: string;
  onFilter(text: string): void;
}

/** A filter in the language of filters, with completions while it is typed. Enter applies it; what cannot be read is shown below. */
export function FilterBar({ on, value, onFilter }: FilterBarProps): ReactNode {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const [shownFor, setShownFor] = useState(value);
  // The value changed outside this field.
  if (value !== shownFor) {
    setShownFor(value);
    setText(value);
  }
  const [cursor, setCursor] = useState<number | null>(null);
  const [chosen, setChosen] = useState(-1);
  const [isRefused, setRefused] = useState(false);
  const error = errorIn(text, on);
  const items = useSuggestions(on, text, cursor);
  const isOpen = cursor !== null && !isRefused && items.length > 0;

  const edit = (next: string, at: number) => {
    setText(next);
    setCursor(at);
    setChosen(-1);
    setRefused(false);
  };
  const accept = ({ insert, start, end }: (typeof items)[number]) => {
    const at = start + insert.length;
    edit(text.slice(0, start) + insert + text.slice(end), at);
    requestAnimationFrame(() => input.current?.setSelectionRange(at, at));
  };
  const apply = () => {
    if (error) {
      setRefused(true);
      setCursor(null);
      input.current?.setSelectionRange(error.start, Math.max(error.end, error.start + 1));
      return;
    }
    setCursor(null);
    onFilter(text.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const item = items[chosen];
    const moves: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const move = moves[event.key];
    if (move !== undefined && isOpen) {
      event.preventDefault();
      setChosen(((chosen + move + items.length + 1 + 1) % (items.length + 1)) - 1);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (isOpen && item) accept(item);
      else apply();
    } else if (event.key === 'Tab' && isOpen && item) {
      event.preventDefault();
      accept(item);
    } else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      setCursor(null);
    }
  };
  const shown = isRefused || (cursor === null && text.trim() !== '') ? error : null;
  return (
    <div className="relative min-w-56 flex-1 basis-96">
      <ListFilter className="pointer-events-none absolute top-2 left-2 size-4 text-ink-faint" aria-hidden />
      <input
        ref={input}
        role="combobox"
        aria-label="Filter"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-activedescendant={isOpen && chosen >= 0 ? `${id}-${chosen}` : undefined}
        aria-invalid={shown !== null}
        aria-describedby={shown === null ? undefined : `${id}-error`}
        autoComplete="off"
        spellCheck={false}
        placeholder="Filter, such as status:error cost:>0.05 any(tool:search latency:>2s)"
        value={text}
        maxLength={maxFilterLength}
        onChange={({ target }) => edit(target.value, target.selectionStart ?? target.value.length)}
        onSelect={({ currentTarget }) => cursor !== null && setCursor(currentTarget.selectionStart)}
        onFocus={({ currentTarget }) => setCursor(currentTarget.selectionStart ?? 0)}
        onClick={({ currentTarget }) => setCursor(currentTarget.selectionStart ?? 0)}
        onBlur={() => setCursor(null)}
        onKeyDown={onKeyDown}
        className={classNames(
          'h-8 w-full rounded-md border bg-surface pr-8 pl-8 font-mono text-xs placeholder:font-sans placeholder:text-ink-faint',
          shown === null ? 'border-line-strong/60' : 'border-bad',
        )}
      />
      {text !== '' && (
        <button
          type="button"
          aria-label="Clear the filter"
          onClick={() => {
            edit('', 0);
            onFilter('');
          }}
          className="absolute top-1.5 right-1.5 rounded p-0.5 text-ink-faint hover:bg-hover hover:text-ink"
        >
          <X className="size-4" aria-hidden />
        </button>
      )}
      {isOpen && (
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label="Completions"
          className="scroll-thin absolute top-9 z-20 max-h-72 w-full max-w-md overflow-auto rounded-md border border-line bg-surface py-1 shadow-pop"
        >
          {items.map((item, index) => (
            <div
              key={`${item.kind} ${item.label}`}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              onMouseDown={(event) => {
                event.preventDefault();
                accept(item);
              }}
              className={classNames(
                'flex cursor-pointer items-baseline justify-between gap-3 px-3 py-1 text-xs',
                index === chosen ? 'bg-hover' : 'hover:bg-hover',
              )}
            >
              <span className="truncate font-mono">{visibleText(item.label)}</span>
              <span className="shrink-0 text-ink-faint">{item.kind}</span>
            </div>
          ))}
        </div>
      )}
      {shown !== null && (
        <p id={`${id}-error`} role="alert" className="mt-1 text-xs text-bad">
          {visibleText(shown.message)}
          {shown.suggestion !== undefined && (
            <button
              type="button"
              className="ml-2 text-accent hover:underline"
              onClick={() => {
                const corrected = text.slice(0, shown.start) + shown.suggestion + text.slice(shown.end);
                edit(corrected, shown.start + (shown.suggestion?.length ?? 0));
                input.current?.focus();
              }}
            >
              Use {visibleText(shown.suggestion)}
            </button>
          )}
        </p>
      )}
    </div>
  );
}

function useSuggestions(on: FilterSubject, text: string, cursor: number | null) {
  const { projectId } = useProject();
  const asked = { on, text, cursor: cursor ?? 0 };
  const { data } = useQuery({ ...filterSuggestionsQuery(projectId, asked), enabled: cursor !== null });
  // Completions of an earlier text would be inserted at the wrong place.
  return (data?.items ?? []).filter(({ start, end }) => start <= asked.cursor && end >= asked.cursor);
}

function errorIn(text: string, on: FilterSubject): FilterError | null {
  try {
    parseFilter(text, { on, nowMs: 0 });
    return null;
  } catch (error) {
    if (error instanceof FilterError) return error;
    throw error;
  }
}
