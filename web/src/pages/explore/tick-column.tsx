import type { ReactNode } from 'react';
import type { Column } from '../../design/column.ts';
import { visibleText } from '../../format/visible-text.ts';
import { isTicked } from './ticks.ts';
import type { Ticks } from './ticks.ts';

interface TickColumnProps<Row> {
  ticks: Ticks;
  noun: string;
  isAllTicked: boolean;
  keyOf(row: Row): string;
  nameOf(row: Row): string;
  onTick(key: string, range: boolean): void;
  onTickLoaded(): void;
}

/** The column of check boxes. With Shift a box ticks the rows up to the one before. */
export function tickColumn<Row>(props: TickColumnProps<Row>): Column<Row> {
  const { ticks, noun, isAllTicked, keyOf, nameOf, onTick, onTickLoaded } = props;
  return {
    id: 'tick',
    title: 'Selection',
    width: 34,
    head: <Box label={`Select the loaded ${noun}s`} checked={isAllTicked} onTick={onTickLoaded} />,
    cell: (row) => (
      <Box
        label={`Select ${visibleText(nameOf(row))}`}
        checked={isTicked(ticks, keyOf(row))}
        onTick={(range) => onTick(keyOf(row), range)}
      />
    ),
  };
}

function Box({ label, checked, onTick }: { label: string; checked: boolean; onTick(range: boolean): void }): ReactNode {
  return (
    // The cell is the target, not the box alone. With Shift a click would select text.
    <label className="-mx-2 flex h-6 items-center justify-center select-none">
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={({ nativeEvent }) => onTick(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
        className="size-3.5 accent-accent"
      />
    </label>
  );
}
