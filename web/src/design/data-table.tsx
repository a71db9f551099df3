import {
  columnVisibilityFeature,
  createSortedRowModel,
  rowSortingFeature,
  sortFn_basic,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import type { ColumnDef, Row as TableRow } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useMemo, useRef } from 'react';
import type { PointerEvent, ReactNode, UIEvent } from 'react';
import { classNames } from './class-names.ts';
import { columnWidths, fittingColumns } from './column.ts';
import type { Column, Sort } from './column.ts';
import { HeaderCell } from './header-cell.tsx';
import { useRowKeys } from './use-row-keys.ts';
import { useWidth } from './use-width.ts';

interface DataTableProps<Row> {
  label: string;
  columns: ReadonlyArray<Column<Row>>;
  rows: readonly Row[];
  rowKey(row: Row): string;
  sort?: Sort | null;
  onSort?(sort: Sort): void;
  /** Rows are already sorted. */
  sortedByService?: boolean;
  hidden?: readonly string[];
  /** Called for a click anywhere in a row. The first link of the row is for keyboards; a click with Ctrl or Cmd, or the middle button, opens it in a new tab. */
  onOpen?(row: Row): void;
  /** Called when the viewer scrolls near the last row. */
  onEnd?(): void;
  /** Called when the viewer starts or stops to scroll, point at or focus rows: rows should not move then. */
  onReading?(reading: boolean): void;
  /** The viewer drags the edge of a column; its width in pixels. */
  onWidth?(id: string, width: number): void;
  /** The key of the row that is shown beside the table: it is marked, comes into view when it changes, and `j` and `k` move from it. */
  current?: string | null;
  /** `j` or `k` moved to a row. */
  onMove?(row: Row): void;
  /** `j` and `k` do not move the focus: they belong to a panel beside the table. */
  withoutKeys?: boolean;
  /** After the last row. */
  footer?: ReactNode;
  className?: string;
}

const rowHeight = 34;
const features = tableFeatures({
  columnVisibilityFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { basic: sortFn_basic },
});

/** A virtualized table: only visible rows are in the document. */
export function DataTable<Row extends object>(props: DataTableProps<Row>): ReactNode {
  const {
    label,
    columns,
    rows,
    rowKey,
    sort = null,
    onSort,
    sortedByService = false,
    hidden,
    onOpen,
    onEnd,
    onReading,
    onWidth,
    current = null,
    onMove,
    withoutKeys = false,
    footer,
    className,
  } = props;
  const reading = useReading(onReading);
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(scroller);
  const shown = useMemo(
    () =>
      fittingColumns(
        columns.filter((column) => hidden?.includes(column.id) !== true),
        width,
      ),
    [columns, hidden, width],
  );
  const widths = columnWidths(shown, width);
  const definitions = useMemo(() => columns.map((column) => definitionOf(column)), [columns]);
  const visibility = useMemo(
    () => Object.fromEntries(columns.map((column) => [column.id, shown.includes(column)])),
    [columns, shown],
  );
  const sorting = useMemo(() => (sort === null ? [] : [{ id: sort.id, desc: sort.descending }]), [sort]);
  const table = useTable({
    features,
    columns: definitions,
    data: rows,
    getRowId: rowKey,
    manualSorting: sortedByService,
    state: { columnVisibility: visibility, sorting },
  });
  const tableRows = table.getRowModel().rows;
  const virtualizer = useVirtualizer({
    count: tableRows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  const from = current === null ? -1 : tableRows.findIndex(({ id }) => id === current);
  const revealed = useRef<string | null>(null);
  useEffect(() => {
    // Once: in a live list the row moves on.
    if (from >= 0 && revealed.current !== current) virtualizer.scrollToIndex(from, { align: 'auto' });
    if (from >= 0 || current === null) revealed.current = current;
  }, [from, current, virtualizer]);
  useRowKeys(scroller, withoutKeys ? 0 : tableRows.length, {
    show: (index) => virtualizer.scrollToIndex(index),
    from: from === -1 ? null : from,
    onMove: (index) => {
      const row = tableRows[index];
      if (row) onMove?.(row.original);
    },
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= tableRows.length - 10) onEnd?.();
  }, [last, tableRows.length, onEnd]);
  const above = items[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <div
      ref={scroller}
      {...reading}
      data-rows
      tabIndex={0}
      role="group"
      aria-label={label}
      className={classNames('scroll-thin scroll-more overflow-auto', className)}
    >
      <table
        aria-rowcount={tableRows.length + 1}
        aria-label={label}
        className="w-full table-fixed border-separate border-spacing-0 text-left"
        // A fixed layout ignores the minimum width of a column: without this, columns that grow vanish in narrow windows.
        style={{ minWidth: widths.reduce((sum, one) => sum + one, 0) }}
      >
        <colgroup>
          {shown.map(({ id, grow }, index) => (
            <col key={id} style={grow ? { minWidth: widths[index] } : { width: widths[index] }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {shown.map((column) => (
              <HeaderCell
                key={column.id}
                column={column}
                sort={sort}
                {...(onSort === undefined ? {} : { onSort })}
                {...(onWidth === undefined ? {} : { onWidth })}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {above > 0 && <Spacer height={above} columns={shown.length} />}
          {items.map((item) => {
            const row = tableRows[item.index];
            return (
              row && (
                <MemoRow
                  key={row.id}
                  row={row}
                  index={item.index}
                  columns={shown}
                  isCurrent={row.id === current}
                  {...(onOpen === undefined ? {} : { onOpen })}
                />
              )
            );
          })}
          {below > 0 && <Spacer height={below} columns={shown.length} />}
        </tbody>
      </table>
      {footer}
    </div>
  );
}

/** Handlers that tell whether the viewer reads the rows: scrolled away from the top, or pointing at the body. */
function useReading(onReading?: (reading: boolean) => void) {
  const state = useRef({ isScrolled: false, isInside: false });
  if (onReading === undefined) return {};
  const change = (next: Partial<{ isScrolled: boolean; isInside: boolean }>) => {
    Object.assign(state.current, next);
    onReading(state.current.isScrolled || state.current.isInside);
  };
  return {
    onScroll: ({ currentTarget }: UIEvent<HTMLElement>) => change({ isScrolled: currentTarget.scrollTop > 0 }),
    onPointerEnter: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && change({ isInside: true }),
    onPointerLeave: () => change({ isInside: false }),
  };
}

function definitionOf<Row extends object>(column: Column<Row>): ColumnDef<typeof features, Row> {
  return {
    id: column.id,
    accessorFn: (row) => column.value?.(row) ?? undefined,
    sortFn: 'basic',
    sortUndefined: 'last',
    enableSorting: column.value !== undefined,
  };
}

/** Reserves the height of rows outside the viewport. */
function Spacer({ height, columns }: { height: number; columns: number }): ReactNode {
  return (
    <tr aria-hidden>
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}

interface BodyRowProps<Row extends object> {
  row: TableRow<typeof features, Row>;
  index: number;
  columns: ReadonlyArray<Column<Row>>;
  isCurrent: boolean;
  onOpen?(row: Row): void;
}

/** Scrolling renders the rows that come into view alone. */
const MemoRow = memo(BodyRow) as typeof BodyRow;

function BodyRow<Row extends object>({ row, index, columns, isCurrent, onOpen }: BodyRowProps<Row>): ReactNode {
  // Keyboards use the link in the first cell; this enlarges the pointer target.
  const open = (event: React.MouseEvent) => {
    // React also bubbles clicks from dialogs that a cell opened, which are outside the row.
    if (!(event.target instanceof Element && event.currentTarget.contains(event.target))) return;
    const onControl = event.target.closest('a, button, input, select, label') !== null;
    if (onControl || (globalThis.getSelection()?.toString() ?? '') !== '') return;
    const isNewTab = event.button === 1 || event.ctrlKey || event.metaKey;
    if (!isNewTab) {
      if (event.button === 0) onOpen?.(row.original);
      return;
    }
    const link = event.currentTarget.querySelector<HTMLAnchorElement>('a[href]');
    if (link) globalThis.open(link.href, '_blank', 'noopener');
  };
  // Otherwise the middle button starts to scroll.
  const keepButton = (event: React.MouseEvent) => {
    if (event.button === 1) event.preventDefault();
  };
  return (
    <tr
      aria-rowindex={index + 2}
      onClick={onOpen && open}
      onAuxClick={onOpen && open}
      onMouseDown={onOpen && keepButton}
      style={{ height: rowHeight }}
      data-current={isCurrent || undefined}
      className={classNames(
        'group has-[[aria-current]]:bg-accent-soft data-current:bg-accent-soft',
        onOpen && !isCurrent && 'hover:bg-hover',
      )}
    >
      {columns.map((column) => (
        <td
          key={column.id}
          className={classNames(
            'truncate border-b border-line px-2 first:pl-3 last:pr-3',
            column.align === 'end' && 'text-right',
          )}
        >
          {column.cell(row.original)}
        </td>
      ))}
    </tr>
  );
}
