import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { MouseEvent, ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { useMore } from '../../api/use-pages.ts';
import { Button } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import { readSort, sortText } from '../../design/column.ts';
import type { Column } from '../../design/column.ts';
import { DataTable } from '../../design/data-table.tsx';
import { ListEnd } from '../../design/list-end.tsx';
import { Empty, Failure, ListSkeleton } from '../../design/states.tsx';
import { focusedRow } from '../../design/use-row-keys.ts';
import { usePageKeys } from '../../design/use-page-keys.ts';
import { countedExactly } from '../../format/number-format.ts';
import { SendDataLink } from '../../frame/send-data-link.tsx';
import { columnTexts, sizedColumn } from './column-choice.ts';
import type { ChosenColumn } from './column-choice.ts';
import { useHeldRows } from './held-rows.ts';
import { isFiltered, withoutFilters } from './search.ts';
import type { ExploreSearch } from './search.ts';
import { tickColumn } from './tick-column.tsx';
import { isTicked } from './ticks.ts';
import type { Ticking } from './use-ticks.ts';
import type { Explore } from './use-explore.ts';

/** What the list needs of an infinite query. */
interface Pages {
  error: Error | null;
  isPending: boolean;
  isError: boolean;
  isFetching: boolean;
  isPlaceholderData: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  data: unknown;
  fetchNextPage(): unknown;
  refetch(): unknown;
}

/** The panel's parameters for a row. */
export type PeekOf<Row> = (row: Row) => Pick<ExploreSearch, 'peek' | 'span'>;

interface RecordListProps<Row extends object> {
  explore: Explore;
  /** Of the table: "Traces". */
  label: string;
  noun: string;
  pages: Pages;
  rows: readonly Row[];
  /** Identifies the request: ticks and held rows end with it. */
  request: unknown;
  columns: ReadonlyArray<Column<Row>>;
  chosen: readonly ChosenColumn[];
  usual: readonly string[];
  keyOf(row: Row): string;
  nameOf(row: Row): string;
  peekOf: PeekOf<Row>;
  ticking: Ticking;
}

/** A list of spans or traces: endless, live, ticked, and with a panel beside it that follows the keys. */
export function RecordList<Row extends object>(props: RecordListProps<Row>): ReactNode {
  const { explore, label, noun, pages, rows, request, columns, chosen, usual, keyOf, nameOf, peekOf, ticking } = props;
  const { search, change, isUnreadable } = explore;
  const live = search.live === '1';
  const [reading, setReading] = useState(false);
  const { shown, waiting } = useHeldRows(rows, live && reading, request, keyOf);
  const { fetchNextPage, hasNextPage, isFetchNextPageError, isFetching } = pages;
  const more = useMore({ ...pages, hasNextPage: hasNextPage && !live });
  const isEmpty = rows.length === 0;
  // An empty page may have a cursor to continue from.
  useEffect(() => {
    if (isEmpty && !isFetching) more();
  }, [isEmpty, isFetching, more]);
  const current = useMemo(
    () => shown.find((row) => isSame(peekOf(row), search)) ?? null,
    // oxlint-disable-next-line react/exhaustive-deps -- the panel's parameters alone
    [shown, peekOf, search.peek, search.span],
  );
  const list = useRef<HTMLDivElement>(null);
  const rowOfKeys = () => {
    const table = list.current?.querySelector<HTMLElement>('[data-rows]');
    const index = table ? focusedRow(table) : null;
    return (index === null ? null : shown[index]) ?? current;
  };
  const tickByKey = (range: boolean) => () => {
    const row = rowOfKeys();
    if (row) ticking.toggle(keyOf(row), range);
  };
  usePageKeys({ x: tickByKey(false), X: tickByKey(true) });
  const { ticks, toggle, toggleLoaded } = ticking;
  const withTicks = useMemo(
    () => [
      tickColumn<Row>({
        ticks,
        noun,
        keyOf,
        nameOf,
        onTick: toggle,
        onTickLoaded: toggleLoaded,
        isAllTicked: shown.length > 0 && shown.every((row) => isTicked(ticks, keyOf(row))),
      }),
      ...columns,
    ],
    [ticks, noun, keyOf, nameOf, toggle, toggleLoaded, shown, columns],
  );
  if (isUnreadable) {
    return <Empty title="The filter can’t be read">Correct it above: the list shows what matches once it can.</Empty>;
  }
  if (failureOf(pages)) return <Failure error={pages.error} onRetry={() => void pages.refetch()} />;
  if (pages.isPending) return <ListSkeleton />;
  if (isEmpty && isFetchNextPageError && !isFetching) return <Failure error={pages.error} onRetry={() => void fetchNextPage()} />;
  if (isEmpty)
    return <NoRecords {...{ noun, search }} searching={isFetching || hasNextPage} onClear={() => change(withoutFilters)} />;
  return (
    <div ref={list} className="flex min-h-0 flex-1 flex-col">
      {waiting > 0 && <Waiting count={waiting} noun={noun} />}
      <DataTable<Row>
        label={label}
        columns={withTicks}
        rows={shown}
        rowKey={keyOf}
        sort={readSort(search.sort ?? '-startTime')}
        sortedByService
        onSort={(sort) => change({ sort: sortText(sort), live: undefined })}
        onOpen={(row) => change(peekOf(row))}
        onMove={(row) => search.peek !== undefined && change(peekOf(row))}
        current={current === null ? null : keyOf(current)}
        onWidth={(id, width) => change({ columns: columnTexts(sizedColumn(chosen, id, width), usual) })}
        onEnd={more}
        onReading={setReading}
        className={classNames('min-h-0 flex-1 bg-surface', pages.isPlaceholderData && 'opacity-60')}
        footer={
          <ListEnd pages={{ ...pages, hasNextPage: hasNextPage && !live }}>
            {live
              ? `Latest ${countedExactly(shown.length, noun)}. New ${noun}s appear at the top.`
              : countedExactly(shown.length, noun)}
          </ListEnd>
        }
      />
    </div>
  );
}

/** A function that shows the row of a clicked link in the panel. A link of the row that is shown already is followed. */
export function useOpenRow<Row>({ search, change }: Explore, peekOf: PeekOf<Row>): (event: MouseEvent, row: Row) => void {
  const { peek, span } = search;
  return useCallback(
    (event, row) => {
      const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
      if (!isPlain || isSame(peekOf(row), { peek, span })) return;
      event.preventDefault();
      change(peekOf(row));
    },
    [peek, span, change, peekOf],
  );
}

/** Whether a row is the one in the panel. Of a trace any of its spans may be selected there. */
function isSame(row: Pick<ExploreSearch, 'peek' | 'span'>, { peek, span }: Pick<ExploreSearch, 'peek' | 'span'>): boolean {
  return peek !== undefined && row.peek === peek && (row.span === undefined || row.span === span);
}

/** New records of the live list, held back while the viewer reads. */
function Waiting({ count, noun }: { count: number; noun: string }): ReactNode {
  return (
    <p role="status" className="border-b border-line bg-accent-soft px-4 py-1 text-xs text-accent">
      {countedExactly(count, `new ${noun}`)}. Scroll to the top and move the pointer away to show them.
    </p>
  );
}

interface NoRecordsProps {
  noun: string;
  search: ExploreSearch;
  /** The range has not been searched completely. */
  searching: boolean;
  onClear(): void;
}

function NoRecords({ noun, search, searching, onClear }: NoRecordsProps): ReactNode {
  if (searching) return <Empty title="Searching…">No match so far. A shorter time range is faster.</Empty>;
  if (isFiltered(search)) {
    return (
      <Empty title={`No matching ${noun}s`} action={<Button onClick={onClear}>Clear search and filters</Button>}>
        Change a filter or choose a longer time range.
      </Empty>
    );
  }
  return (
    <Empty title={`No ${noun}s in this time range`} action={<SendDataLink />}>
      Choose a longer time range, or send traces from an application.
    </Empty>
  );
}
