import { expect, test } from 'vitest';
import {
  chosenColumns,
  columnTexts,
  columnsWithout,
  movedColumn,
  readColumn,
  sizedColumn,
  toggledColumn,
} from './column-choice.ts';

const usual = ['name', 'input', 'cost'];
const ids = (columns: ReturnType<typeof chosenColumns>) => columns.map(({ id }) => id);

test('a choice of columns is read from the URL, and written only where it is not the usual one', () => {
  expect(chosenColumns(undefined, usual)).toEqual([{ id: 'name' }, { id: 'input' }, { id: 'cost' }]);
  const chosen = chosenColumns(['score.my~score~90', 'name~5', 'name'], usual);
  expect(chosen).toEqual([{ id: 'score.my~score', width: 90 }, { id: 'name' }]);
  expect(columnTexts(chosen, usual)).toEqual(['score.my~score~90', 'name']);
  expect(columnTexts(chosenColumns(undefined, usual), usual)).toBeUndefined();
  expect(readColumn('')).toBeNull();
  expect(readColumn('name~99999')).toEqual({ id: 'name', width: 1200 });
});

test('columns are shown and hidden, moved and sized', () => {
  const chosen = chosenColumns(undefined, usual);
  expect(ids(toggledColumn(chosen, 'user'))).toEqual(['name', 'input', 'cost', 'user']);
  expect(ids(toggledColumn(chosen, 'user', (id) => id === 'cost'))).toEqual(['name', 'input', 'user', 'cost']);
  expect(ids(toggledColumn(chosen, 'name'))).toEqual(['input', 'cost']);
  expect(ids(toggledColumn([{ id: 'name' }], 'name'))).toEqual(['name']);
  expect(ids(movedColumn(chosen, 'name', 1))).toEqual(['input', 'name', 'cost']);
  expect(ids(movedColumn(chosen, 'cost', 5))).toEqual(['name', 'input', 'cost']);
  expect(columnTexts(sizedColumn(chosen, 'input', 10.4), usual)).toEqual(['name', 'input~40', 'cost']);
});

test('what a link of an earlier release hides', () => {
  expect(columnsWithout(['output', 'tags'])).toContain('session');
  expect(columnsWithout(['output', 'tags'])).not.toContain('tags');
  expect(columnsWithout([''])).toHaveLength(14);
});
