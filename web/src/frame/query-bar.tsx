import { useQueryClient } from '@tanstack/react-query';
import { ListFilter, X } from 'lucide-react';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { knownCompletions, placeAt } from '../../../src/contract/filter/complete.ts';
import type { FilterSubject } from '../../../src/contract/filter/fields.ts';
import { filterSuggestionsQuery } from '../api/filters.ts';
import type { QueryEditorProps } from '../content/query-editor.tsx';
import { classNames } from '../design/class-names.ts';
import { deferred } from '../design/deferred.tsx';
import { filterErrorIn } from '../filter-terms.ts';
import { visibleText } from '../format/visible-text.ts';
import { pastFilters, rememberFilter } from './past-filters.ts';
import { useProject } from './project-context.ts';

const QueryEditor = deferred<QueryEditorProps>(
  () => import('../content/query-editor.tsx'),
  <div className="h-[30px] flex-1" aria-hidden />,
);

interface QueryBarProps {
  /** What the list is of. */
  on: FilterSubject;
  value: string;
  /** Enter, a correction or the button to clear applied a filter that can be read. */
  onFilter?(text: string): void;
  /** The text of a form changed, whether it can be read or not. */
  onChange?(text: string): void;
  label?: string;
  hint?: string;
  /** What the service said about the filter. */
  error?: string | null;
  className?: string;
}

const example = 'Filter: status:error cost:>0.05 any(tool:search latency:>2s) "some text"';

/** A filter with colours, completions and chips that can be edited. Enter applies it; what cannot be read is underlined, and explained below. */
export function QueryBar(props: QueryBarProps): ReactNode {
  const { on, value, onFilter, onChange, label = 'Filter', hint = example, error: refused = null, className } = props;
  const id = useId();
  const { projectId } = useProject();
  const client = useQueryClient();
  const [text, setText] = useState(value);
  const [shownFor, setShownFor] = useState(value);
  // Errors are told when one stops to type.
  const [isTyping, setTyping] = useState(false);
  if (value !== shownFor) {
    setShownFor(value);
    // A form gives back what was typed.
    if (value !== text) {
      setText(value);
      setTyping(false);
    }
  }
  const error = filterErrorIn(text, on);
  const edit = (next: string) => {
    setText(next);
    setTyping(true);
    onChange?.(next);
  };
  const apply = (next: string) => {
    setText(next);
    setTyping(false);
    onChange?.(next);
    if (filterErrorIn(next, on) !== null) return;
    rememberFilter(projectId, on, next.trim());
    onFilter?.(next.trim());
  };
  const told = error === null ? (text === value ? refused : null) : `At character ${error.start + 1}: ${error.message}`;
  const message = isTyping ? null : told;
  return (
    <div className={classNames('relative min-w-56 flex-1 basis-96', className)}>
      <div
        className={classNames(
          'flex min-h-8 items-start rounded-md border bg-surface pl-2 focus-within:outline-2 focus-within:outline-accent',
          message === null ? 'border-line-strong/60' : 'border-bad',
        )}
      >
        <ListFilter className="mt-2 mr-1 size-4 shrink-0 text-ink-faint" aria-hidden />
        <QueryEditor
          {...{ label, on, hint }}
          value={text}
          onText={edit}
          onEnter={apply}
          onBlur={() => setTyping(false)}
          past={() => pastFilters(projectId, on)}
          suggest={async (written, cursor) => {
            const place = placeAt(written, cursor, on);
            try {
              return (await client.fetchQuery(filterSuggestionsQuery(projectId, { on, text: written, cursor }))).items;
            } catch {
              return place === null ? [] : knownCompletions(place);
            }
          }}
        />
        {text !== '' && (
          <button
            type="button"
            aria-label="Clear the filter"
            onClick={() => apply('')}
            className="mt-1 mr-1 flex size-6 shrink-0 items-center justify-center rounded text-ink-faint hover:bg-hover hover:text-ink"
          >
            <X className="size-4" aria-hidden />
          </button>
        )}
      </div>
      {message !== null && (
        <p id={`${id}-error`} role="alert" className="mt-1 text-xs [overflow-wrap:anywhere] text-bad">
          {visibleText(message)}
          {error?.suggestion !== undefined && (
            <button
              type="button"
              className="ml-2 font-medium text-accent hover:underline"
              onClick={() => apply(text.slice(0, error.start) + (error.suggestion ?? '') + text.slice(error.end))}
            >
              Use {visibleText(error.suggestion)}
            </button>
          )}
        </p>
      )}
    </div>
  );
}
