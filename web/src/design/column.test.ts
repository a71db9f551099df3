import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnWidths, fittingColumns } from './column.ts';

const column = fc.record({ width: fc.integer({ min: 1, max: 300 }), droppable: fc.boolean() });

test('a table leaves out as few droppable columns as it takes to fit, and none if that is not enough', () => {
  fc.assert(
    fc.property(fc.array(column, { maxLength: 8 }), fc.integer({ min: 0, max: 1500 }), (widths, width) => {
      const columns = widths.map((one, index) => ({ ...one, id: String(index), title: '', cell: () => null }));
      const shown = fittingColumns(columns, width);
      const sum = (some: readonly { width: number }[]) => some.reduce((total, one) => total + one.width, 0);
      const dropped = columns.filter((one) => !shown.includes(one));
      if (sum(columns.filter(({ droppable }) => !droppable)) > width || sum(columns) <= width) {
        expect(shown).toEqual(columns);
        return;
      }
      expect(sum(shown)).toBeLessThanOrEqual(width);
      expect(sum(shown) + (dropped[0]?.width ?? 0)).toBeGreaterThan(width);
      expect(dropped).toEqual(columns.filter(({ droppable }) => droppable).slice(-dropped.length));
      expect(fittingColumns(columns, null)).toEqual(columns);
    }),
  );
});

test('a column can be wider where the table scrolls sideways anyway', () => {
  const named = { id: 'name', title: '', width: 160, scrolledWidth: 280, cell: () => null };
  const other = { id: 'other', title: '', width: 100, cell: () => null };
  expect(columnWidths([named, other], 260)).toEqual([160, 100]);
  expect(columnWidths([named, other], 259)).toEqual([280, 100]);
  expect(columnWidths([named, other], null)).toEqual([160, 100]);
});
