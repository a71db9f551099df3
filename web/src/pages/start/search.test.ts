import { expect, test } from 'vitest';
import { readStartSearch, ways } from './search.ts';
import { guides } from './snippets.ts';

test('the tab is read from the URL; the first one is left out', () => {
  expect(ways.map((way) => readStartSearch({ way }))).toEqual([{}, ...ways.slice(1).map((way) => ({ way }))]);
  for (const way of ['', 'none', 1, ['curl'], undefined]) expect(readStartSearch({ way })).toEqual({});
});

test('every way has the address of the service and the key in a sample', () => {
  for (const way of ways) {
    const text = guides[way]
      .guide({ origin: 'https://spans.example.com', key: 'spw_of_the_test' })
      .samples.map((sample) => sample.text)
      .join('\n');
    expect(text, way).toContain('https://spans.example.com');
    expect(text, way).toContain('spw_of_the_test');
  }
});
