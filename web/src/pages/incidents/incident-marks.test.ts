import { expect, test } from 'vitest';
import type { ChartMark } from '../../design/chart-model.ts';
import { incidentMarks } from './incident-marks.ts';

const starts = ['2026-11-18T09:00:00.000Z', '2026-11-18T10:00:00.000Z', '2026-11-18T11:00:00.000Z'];
const timeline = { interval: 'hour', axis: 'Hour', starts, labels: ['9', '10', '11'] } as const;

test('opening and resolution are marked beside changes, where the chart has their hour', () => {
  const open = () => undefined;
  const changes: ChartMark[] = [{ category: 1, events: [{ id: 'c', name: 'Deploy', when: '', open }] }];
  const marksOf = (resolvedAt: string | null) =>
    incidentMarks({ openedAt: '2026-11-18T10:20:00.000Z', resolvedAt }, changes, timeline, open).map(({ category, events }) => [
      category,
      ...events.map(({ id }) => id),
    ]);
  expect(marksOf(null)).toEqual([[1, 'opened', 'c']]);
  expect(marksOf('2026-11-18T11:59:00.000Z')).toEqual([
    [1, 'opened', 'c'],
    [2, 'resolved'],
  ]);
  expect(marksOf('2026-11-19T11:59:00.000Z')).toEqual([[1, 'opened', 'c']]);
});
