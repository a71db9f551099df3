import { expect, test } from 'vitest';
import { lastQuarter, rangeOfDays } from './pack-range.ts';
import { evidenceTitle, statusCounts } from './pack-words.ts';

const nowMs = Date.UTC(2026, 10, 22, 10, 30);

test('a range has whole days, and ends shortly before now where it ends today', () => {
  expect(lastQuarter(nowMs)).toEqual({ from: '2026-08-25', to: '2026-11-22' });
  expect(rangeOfDays({ from: '2026-11-01', to: '2026-11-03' }, nowMs)).toEqual({
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-11-03T23:59:59.999Z',
  });
  expect(rangeOfDays({ from: '2026-11-22', to: '2026-11-22' }, nowMs).to).toBe('2026-11-22T10:29:58.000Z');
  // A later day is the service's to refuse.
  expect(rangeOfDays({ from: '2026-11-22', to: '2026-11-23' }, nowMs).to).toBe('2026-11-23T23:59:59.999Z');
  expect(rangeOfDays({ from: '', to: 'x' }, nowMs)).toEqual({ from: '', to: 'x' });
});

test('words of packs', () => {
  expect(statusCounts([{ status: 'none' }, { status: 'partial' }, { status: 'none' }])).toBe('0 evidenced, 1 partial, 2 none');
  expect(['access_changes', 'api_keys'].map(evidenceTitle)).toEqual(['Access changes', 'API keys']);
});
