import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { FilterSubject } from '../../../../src/contract/filter/fields.ts';
import { filterErrorIn } from '../../filter-terms.ts';
import { useNow } from '../../frame/use-now.ts';
import { useListedSearch } from './listed-search.ts';
import { filterSubjectOf, subjectOf } from './search.ts';
import type { ExploreSearch, Subject } from './search.ts';

/** What the URL says of the page, and the function that changes it. */
export interface Explore {
  search: ExploreSearch;
  /** The parameters that the records of the list depend on; the same object as long as they say the same. */
  listed: ExploreSearch;
  subject: Subject;
  /** What its filter is about. */
  on: FilterSubject;
  /** When the list was opened, epoch milliseconds. */
  nowMs: number;
  /** The filter cannot be read: nothing is asked for. */
  isUnreadable: boolean;
  change: Change;
}

/** Changes search parameters. What narrows the list is a step back; a typed letter, a column or a moved panel is not. */
export type Change = (next: Partial<ExploreSearch>) => void;

const steps = [
  'filter',
  'range',
  'from',
  'to',
  'minScore',
  'maxScore',
  'passed',
  'roots',
  'simulated',
] as const satisfies ReadonlyArray<keyof ExploreSearch>;

/** The page's parameters. */
export function useExplore(): Explore {
  const search = useSearch({ from: '/o/$org/p/$project/explore' });
  const navigate = useNavigate();
  const listed = useListedSearch(search);
  const [subject, on] = [subjectOf(search), filterSubjectOf(search)];
  const isPeeking = search.peek !== undefined;
  const change = useCallback<Change>(
    (next) => {
      const opens = next.peek !== undefined && !isPeeking;
      void navigate({
        to: '.',
        search: (before: ExploreSearch) => ({ ...before, ...next }),
        replace: !opens && !steps.some((name) => name in next),
      });
    },
    [navigate, isPeeking],
  );
  return {
    search,
    listed,
    subject,
    on,
    nowMs: useNow(listed),
    isUnreadable: filterErrorIn(search.filter ?? '', on) !== null,
    change,
  };
}
