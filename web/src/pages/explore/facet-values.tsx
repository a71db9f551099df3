import { Ban, Check } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Facet } from '../../api/parts.ts';
import { classNames } from '../../design/class-names.ts';
import { chosenValues, hasTerm, toggledTerm, toggledValue, writtenValue } from '../../filter-edit.ts';
import type { Side } from '../../filter-edit.ts';
import { formatCount, formatExact } from '../../format/number-format.ts';
import { visibleText } from '../../format/visible-text.ts';
import { facetLabel } from './facet-choice.ts';
import type { Explore } from './use-explore.ts';

interface FacetValuesProps {
  facet: Extract<Facet, { values: unknown }>;
  explore: Explore;
}

/** Values that are shown at first. */
const shownAtFirst = 8;

/** The values of a field with their counts. A field's own terms do not narrow its counts: they show what a further choice adds. */
export function FacetValues({ facet: { field, values, other, missing }, explore }: FacetValuesProps): ReactNode {
  const { search, on, change } = explore;
  const [isWhole, setWhole] = useState(false);
  const { filter = '' } = search;
  const chosen = chosenValues(filter, on, field);
  const highest = Math.max(1, ...values.map(({ count }) => count));
  const isChosen = (value: string) => [...chosen.included, ...chosen.excluded].includes(writtenValue(value));
  // What is chosen stays in sight.
  const shown = isWhole ? values : values.filter(({ value }, index) => index < shownAtFirst || isChosen(value));
  const toggle = (value: string, side: Side) => {
    const next = toggledValue(filter, on, field, value, side);
    change({ filter: next === '' ? undefined : next });
  };
  const absent = `-${field}:*`;
  return (
    <>
      <ul>
        {shown.map(({ value, count }) => (
          <Value
            key={value}
            {...{ field, value, count, highest }}
            isIncluded={chosen.included.includes(writtenValue(value))}
            isExcluded={chosen.excluded.includes(writtenValue(value))}
            onToggle={(side) => toggle(value, side)}
          />
        ))}
        {missing > 0 && values.length > 0 && (
          <Value
            {...{ field, highest }}
            value="none"
            isNone
            count={missing}
            isIncluded={hasTerm(filter, absent)}
            isExcluded={hasTerm(filter, `${field}:*`)}
            onToggle={(side) => {
              const next = toggledTerm(filter, side === 'included' ? absent : `${field}:*`);
              change({ filter: next === '' ? undefined : next });
            }}
          />
        )}
      </ul>
      {values.length === 0 && <p className="px-3 text-xs text-ink-faint">No values</p>}
      {values.length > shown.length || isWhole ? (
        <button
          type="button"
          onClick={() => setWhole(!isWhole)}
          className="ml-3 h-6 text-xs font-medium text-accent hover:underline"
        >
          {isWhole ? 'Show fewer' : `Show ${values.length - shown.length} more`}
          <span className="sr-only"> values of {visibleText(facetLabel(field))}</span>
        </button>
      ) : null}
      {isWhole && other > 0 && <p className="px-3 text-xs text-ink-faint">{formatExact(other)} with other values</p>}
    </>
  );
}

interface ValueProps {
  field: string;
  value: string;
  isNone?: boolean;
  count: number;
  highest: number;
  isIncluded: boolean;
  isExcluded: boolean;
  onToggle(side: Side): void;
}

function Value({ field, value, isNone = false, count, highest, isIncluded, isExcluded, onToggle }: ValueProps): ReactNode {
  const text = visibleText(value);
  const label = visibleText(facetLabel(field));
  return (
    <li className="group/value relative flex h-7 items-center pr-2 pl-3 hover:bg-hover">
      <span
        className="absolute inset-y-1 left-0 bg-accent-soft"
        style={{ width: isNone ? 0 : `${(count / highest) * 100}%` }}
        aria-hidden
      />
      <button
        type="button"
        aria-pressed={isIncluded}
        title={`${text}: ${formatExact(count)}`}
        // With Alt, as the button beside it.
        onClick={(event) => onToggle(event.altKey ? 'excluded' : 'included')}
        className="relative flex min-w-0 flex-1 items-center gap-1.5 self-stretch text-left"
      >
        <span
          className={classNames(
            'flex size-3.5 shrink-0 items-center justify-center rounded border',
            isIncluded ? 'border-accent bg-accent text-accent-ink' : 'border-line-strong bg-surface',
          )}
          aria-hidden
        >
          {isIncluded && <Check className="size-3" />}
        </span>
        <bdi
          className={classNames(
            'min-w-0 flex-1 truncate',
            isExcluded && 'text-ink-soft line-through',
            isNone && 'text-ink-soft italic',
          )}
        >
          {text}
        </bdi>
        <span className="numbers text-xs text-ink-soft">{formatCount(count)}</span>
      </button>
      <button
        type="button"
        aria-pressed={isExcluded}
        aria-label={`Exclude ${label} ${text}`}
        title={isExcluded ? 'No longer exclude' : 'Exclude (Alt and click on the value)'}
        onClick={() => onToggle('excluded')}
        className={classNames(
          'relative ml-1 flex size-5 shrink-0 items-center justify-center rounded hover:text-bad focus-visible:opacity-100',
          isExcluded ? 'text-bad' : 'text-ink-faint opacity-0 group-hover/value:opacity-100 pointer-coarse:opacity-100',
        )}
      >
        <Ban className="size-3.5" aria-hidden />
      </button>
    </li>
  );
}
