import { expect, test } from 'vitest';
import { ApiError } from '../api/client.ts';
import { Failures, reasonOf } from './failures.ts';

const down = reasonOf(new ApiError(503, 'unavailable', 'Try again.'));
const denied = reasonOf(new ApiError(403, 'forbidden', 'No.'));

test('of parts that fail for one reason the first tells it; another reason is told beside it', () => {
  const failures = new Failures();
  const remove = failures.add('a', down, () => undefined);
  failures.add('b', down, () => undefined);
  failures.add('c', denied, () => undefined);
  expect(['a', 'b'].map((id) => failures.isTold(id, down))).toEqual([false, true]);
  expect(failures.isTold('c', denied)).toBe(false);
  // What was loaded again leaves its place to the next.
  remove();
  expect(failures.isTold('b', down)).toBe(false);
});

test('trying again tries all parts with the reason', () => {
  const failures = new Failures();
  const tried: string[] = [];
  for (const id of ['a', 'b']) failures.add(id, down, () => tried.push(id));
  failures.add('c', denied, () => tried.push('c'));
  failures.retry(down);
  expect(tried).toEqual(['a', 'b']);
});
