import type { ReactNode } from 'react';
import type { Facet } from '../../api/parts.ts';
import { withoutField, withRange } from '../../filter-edit.ts';
import { countedExactly, formatCount, formatDuration, formatUsd } from '../../format/number-format.ts';
import { visibleText } from '../../format/visible-text.ts';
import { Bars } from './bars.tsx';
import { facetLabel } from './facet-choice.ts';
import type { Explore } from './use-explore.ts';

interface FacetNumbersProps {
  facet: Extract<Facet, { buckets: unknown }>;
  explore: Explore;
}

const formats: Readonly<Record<string, (value: number) => string>> = {
  latency: formatDuration,
  ttft: formatDuration,
  cost: formatUsd,
};

/** How a number is written in a filter: with six digits that count, which no bucket needs more than. */
const written = (value: number) => Number(value.toPrecision(6));

/** How often a number lies in which range. Bars narrow the list to theirs. */
export function FacetNumbers({ facet: { field, min, max, buckets }, explore }: FacetNumbersProps): ReactNode {
  const { search, subject, on, change } = explore;
  const { filter = '' } = search;
  const format = formats[field] ?? formatCount;
  const label = visibleText(facetLabel(field));
  const noun = subject === 'spans' ? 'span' : 'trace';
  const choose = (next: string) => change({ filter: next === '' ? undefined : next });
  const others = withoutField(filter, on, field);
  if (min === null || max === null) return <p className="px-3 text-xs text-ink-faint">No values</p>;
  return (
    <div className="px-3">
      <Bars
        label={`${label} in ranges`}
        bars={buckets.map(({ from, to, count }) => ({
          key: String(from),
          label: `${format(from)} to ${format(to)}: ${countedExactly(count, noun)}`,
          count,
        }))}
        onRange={(first, last) => {
          const [from, to] = [buckets[first], buckets[last]];
          // The outer buckets are open: an end that is written shorter would leave the least or the greatest out.
          if (from && to)
            choose(
              withRange(
                filter,
                on,
                field,
                first === 0 ? null : written(from.from),
                last === buckets.length - 1 ? null : written(to.to),
              ),
            );
        }}
        className="h-10 border-b border-line"
      />
      <p className="numbers flex justify-between text-2xs text-ink-faint">
        <span>{format(min)}</span>
        {others !== filter && (
          <button
            type="button"
            onClick={() => choose(others)}
            className="font-medium text-accent hover:underline"
            aria-label={`Clear the range of ${label}`}
          >
            Clear
          </button>
        )}
        <span>{format(max)}</span>
      </p>
    </div>
  );
}
