import { expect, test } from 'vitest';
import type { Change } from '../../api/service.ts';
import { changeDays, valuesOf } from './change-days.ts';

const change = (at: string, fields: Partial<Change> = {}) => ({ at, environment: null, service: null, ...fields }) as Change;

test('changes are grouped by day, in their order', () => {
  const changes = ['2026-11-21T10:00Z', '2026-11-21T09:00Z', '2026-11-19T23:00Z'].map((at) => change(at));
  expect(changeDays(changes, (at) => at.slice(0, 10)).map(({ day, changes: own }) => [day, own.length])).toEqual([
    ['2026-11-21', 2],
    ['2026-11-19', 1],
  ]);
});

test('a filter offers the values of the changes, and the chosen one where none has it', () => {
  const changes = [change('', { service: 'b' }), change('', { service: 'a' }), change('', { service: 'b' }), change('')];
  expect(valuesOf(changes, 'service', undefined)).toEqual(['a', 'b']);
  expect(valuesOf(changes, 'service', 'c')).toEqual(['a', 'b', 'c']);
});
