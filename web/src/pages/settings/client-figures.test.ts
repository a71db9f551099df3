import { expect, test } from 'vitest';
import { droppedOf, reasonTexts } from './client-figures.ts';

test('drops are summed, with the reasons that occurred', () => {
  expect(droppedOf({ dropped: { queue_full: 1200, too_old: 0, refused: 3 } })).toEqual({
    total: 1203,
    reasons: [
      { code: 'queue full', count: 1200 },
      { code: 'refused', count: 3 },
    ],
  });
  expect(droppedOf({ dropped: { queue_full: 0, too_old: 0, refused: 0 } })).toEqual({ total: 0, reasons: [] });
});

test('several reasons have their counts, a single one needs none', () => {
  expect(reasonTexts([])).toEqual([]);
  expect(reasonTexts([{ code: 'invalid_request', count: 5 }])).toEqual(['invalid_request']);
  expect(
    reasonTexts([
      { code: 'queue full', count: 1200 },
      { code: 'refused', count: 3 },
    ]),
  ).toEqual(['1,200 queue full', '3 refused']);
});
