import { expect, test } from 'vitest';
import { graphRequest, readGraphSearch } from './search.ts';

test('what cannot be read is dropped', () => {
  expect(readGraphSearch({ environment: '', min: '0', node: 7, view: 'tree', without: 'nothing' })).toEqual({});
  expect(
    readGraphSearch({ environment: 'prod', min: '5', node: 'tool:a', view: 'table', without: ['tool', 'x'], range: '7d' }),
  ).toEqual({ environment: 'prod', min: 5, node: 'tool:a', view: 'table', without: ['tool'], range: '7d' });
});

test('white space at the end of the name of a node is kept', () => {
  expect(readGraphSearch({ node: 'tool:look up ' })).toEqual({ node: 'tool:look up ' });
});

test('types and the minimum are applied in the browser: a request names the range and the environment', () => {
  expect(graphRequest({ range: '7d', environment: 'prod', min: 5, without: ['tool'], node: 'tool:a' }, 0)).toEqual({
    range: '7d',
    environment: ['prod'],
  });
});
