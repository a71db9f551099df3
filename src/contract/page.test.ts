import { expect, it } from 'vitest';
import { decodeCursor, encodeCursor, pageOf } from './page.ts';

const position = { createdAt: '2026-11-20T10:00:00.000Z', id: '0197a000-0000-7000-8000-000000000001' };
const textOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

it('reads back the cursors that it writes', () => {
  expect(decodeCursor(encodeCursor(position))).toEqual(position);
  expect(decodeCursor(undefined)).toBeNull();
});

it.each([
  '',
  'x',
  '%00',
  textOf(null),
  textOf([]),
  textOf({}),
  textOf([position.createdAt, 'not-a-uuid']),
  textOf([position.createdAt, `${position.id}\u0000`]),
  textOf(['1', position.id]),
  textOf(['2026-02-30T00:00:00.000Z', position.id]),
  textOf(['0000-01-01T00:00:00.000Z', position.id]),
  textOf([1, position.id]),
])('refuses the cursor %j, which it never wrote', (cursor) => {
  expect(() => decodeCursor(cursor)).toThrow('The cursor is not valid');
});

it('knows the last page', () => {
  const rows = [1, 2, 3].map((number) => ({ ...position, id: `0197a000-0000-7000-8000-00000000000${number}` }));
  expect(pageOf(rows, 3)).toEqual({ items: rows, nextCursor: null });
  const { items, nextCursor } = pageOf(rows, 2);
  expect(items).toEqual(rows.slice(0, 2));
  expect(decodeCursor(nextCursor ?? '')).toEqual({ createdAt: position.createdAt, id: rows[1]?.id });
  expect(pageOf([], 2)).toEqual({ items: [], nextCursor: null });
});
