import { expect, test } from 'vitest';
import { askedKeys, keysRequest, readKeyColumn } from './key-columns.ts';

test('a key is read as filters write it', () => {
  expect(readKeyColumn(' metadata.tenant: ', 'traces')).toBe('metadata.tenant');
  expect(readKeyColumn('metadata."a.b".c', 'spans')).toBe('metadata."a.b".c');
  expect(readKeyColumn('attribute.http.route', 'spans')).toMatch(/^attribute\./);
  for (const other of ['tenant', 'latency', 'label.helpful', 'metadata.', 'metadata.)', ''])
    expect(readKeyColumn(other, 'spans')).toBeNull();
});

test('the list is asked for the keys among its columns, at most ten', () => {
  expect(askedKeys(undefined, 'traces')).toEqual([]);
  expect(askedKeys('metadata.tenant~200', 'traces')).toEqual(['metadata.tenant']);
  expect(askedKeys(['name', 'metadata.a', 'metadata.)', 'metadata.a~90', 'score.b'], 'spans')).toEqual(['metadata.a']);
  const many = Array.from({ length: 12 }, (_, index) => `metadata.k${index}`);
  expect(askedKeys(many, 'spans')).toEqual(many.slice(0, 10));
  expect([keysRequest([]), keysRequest(['metadata.a'])]).toEqual([{}, { column: ['metadata.a'] }]);
});
