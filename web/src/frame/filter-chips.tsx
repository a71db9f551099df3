import type { ReactNode } from 'react';
import { Chip } from '../design/badge.tsx';
import { Visible } from '../design/visible.tsx';
import { visibleText } from '../format/visible-text.ts';
import { filterNames, setFilters } from '../trace-filters.ts';
import type { FilterName, FilterSearch } from '../trace-filters.ts';

interface FilterChipsProps {
  search: FilterSearch;
  /** The filters of the page; all by default. */
  names?: readonly FilterName[];
  onChange(change: FilterSearch): void;
}

/** The active filters, each with a button that removes it. */
export function FilterChips({ search, names = filterNames, onChange }: FilterChipsProps): ReactNode {
  return setFilters(search, names).map(({ label, value, removed }) => (
    <Chip
      key={`${label} ${value}`}
      label={label}
      text={visibleText(value)}
      value={<Visible text={value} />}
      onRemove={() => onChange(removed)}
    />
  ));
}
