import { expect, test } from 'vitest';
import { heldRows } from './held-rows.ts';

const row = (id: string, spans = 1) => ({ id, spans });

test('a held list keeps its rows and their order, with their current data; newer rows wait', () => {
  const held = [row('b'), row('a')];
  const keyOf = ({ id }: { id: string }) => id;
  expect(heldRows([row('d'), row('c'), row('b', 2)], held, keyOf)).toEqual({ shown: [row('b', 2), row('a')], waiting: 2 });
  expect(heldRows([row('d'), row('b')], null, keyOf)).toEqual({ shown: [row('d'), row('b')], waiting: 0 });
});
