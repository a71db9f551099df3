import { ArrowDown, ArrowUp } from 'lucide-react';
import type { PointerEvent, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import type { Column, Sort } from './column.ts';

interface HeaderCellProps<Row> {
  column: Column<Row>;
  sort: Sort | null;
  onSort?(sort: Sort): void;
  /** The viewer drags the edge of the column; its width in pixels. */
  onWidth?(id: string, width: number): void;
}

/** A column title; a button if the column is sortable, descending first. */
export function HeaderCell<Row>({ column, sort, onSort, onWidth }: HeaderCellProps<Row>): ReactNode {
  const sortable = onSort !== undefined && (column.sortable === true || column.value !== undefined);
  const sorted = sort?.id === column.id ? sort : null;
  const Arrow = sorted?.descending === false ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      title={column.hint}
      aria-sort={sorted === null ? undefined : sorted.descending ? 'descending' : 'ascending'}
      className={classNames(
        'sticky top-0 z-10 h-8 truncate border-b border-line bg-surface px-2 text-xs font-medium text-ink-faint first:pl-3 last:pr-3',
        column.align === 'end' && 'text-right',
      )}
    >
      {sortable ? (
        <button
          type="button"
          onClick={() => onSort({ id: column.id, descending: sorted === null ? true : !sorted.descending })}
          className={classNames(
            'inline-flex h-6 max-w-full items-center gap-1 rounded hover:text-ink',
            column.align === 'end' && 'flex-row-reverse',
            sorted !== null && 'text-ink',
          )}
        >
          <span className="truncate">{column.title}</span>
          <Arrow className={classNames('size-3 shrink-0', sorted === null && 'invisible')} aria-hidden />
        </button>
      ) : (
        (column.head ?? column.title)
      )}
      {onWidth && column.head === undefined && <Edge onWidth={(width) => onWidth(column.id, width)} />}
    </th>
  );
}

/** The edge of a column, which a pointer drags. For keys the choice of columns has buttons. */
function Edge({ onWidth }: { onWidth(width: number): void }): ReactNode {
  const drag = ({ currentTarget, clientX, pointerId }: PointerEvent<HTMLSpanElement>) => {
    const head = currentTarget.closest('th');
    if (!head || !currentTarget.hasPointerCapture(pointerId)) return;
    onWidth(Math.round(clientX - head.getBoundingClientRect().left));
  };
  return (
    <span
      aria-hidden
      data-edge
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={drag}
      className="absolute inset-y-1.5 right-0 w-1.5 cursor-col-resize touch-none border-r border-line hover:border-accent"
    />
  );
}
