import { expect, test } from 'vitest';
import { ServiceError } from '../../contract/errors.ts';
import { ByteBudget } from './byte-budget.ts';

const refusal = () => new ServiceError('unavailable', 'Send this again.', { retryAfterSeconds: 1 });

test('limits the bytes of all requests together', () => {
  const budget = new ByteBudget({ total: 100 }, refusal);
  const [first, second] = [budget.share(), budget.share()];
  first.take(60);
  second.take(40);
  expect(() => second.take(1)).toThrow(expect.objectContaining({ code: 'unavailable', retryAfterSeconds: 1 }));
  expect(budget.held).toBe(100);
  first.release();
  second.take(60);
  second.release();
  second.release();
  expect(budget.held).toBe(0);
  expect(() => second.take(1)).toThrow(expect.objectContaining({ code: 'unavailable' }));
  expect(budget.held).toBe(0);
});
