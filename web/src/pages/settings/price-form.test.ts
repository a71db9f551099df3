import { expect, test } from 'vitest';
import { readPrice, textsOf } from './price-form.ts';

const stored = {
  model: 'a/b',
  inputPerMillion: 2.5,
  outputPerMillion: 0,
  cachedInputPerMillion: null,
  cacheWritePerMillion: 0.1,
  from: '2026-11-01T12:00:00.000Z',
  updatedAt: '2026-11-02T00:00:00.000Z',
  updatedBy: 'a@example.com',
};

test('a stored price is read back as it is, with the time of its date', () => {
  expect(readPrice(textsOf(stored), stored)).toEqual({
    price: { model: 'a/b', inputPerMillion: 2.5, outputPerMillion: 0, cacheWritePerMillion: 0.1, from: stored.from },
  });
  expect(readPrice({ ...textsOf(stored), from: '2026-11-02' }, stored)).toMatchObject({ price: { from: '2026-11-02' } });
});

test('an empty date applies to all calls', () => {
  const texts = { ...textsOf(stored), from: '' };
  expect(readPrice(texts, stored)).not.toHaveProperty('price.from');
});

test.each(['-1', '1,5', 'x', '1e3', '1000001', '1000000.5', '.'])('%s is no amount', (text) => {
  expect(readPrice({ ...textsOf(stored), cachedInputPerMillion: text }, null)).toHaveProperty('errors.cachedInputPerMillion');
});

test('a model and the prices of input and output are required', () => {
  const read = readPrice(textsOf({ model: ' ' }), null);
  expect('errors' in read && Object.keys(read.errors)).toEqual(['model', 'inputPerMillion', 'outputPerMillion']);
});
