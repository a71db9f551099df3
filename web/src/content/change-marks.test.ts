import { expect, test } from 'vitest';
import type { Change } from '../api/service.ts';
import type { Timeline } from '../range.ts';
import { timelineMarks, versionMarks } from './change-marks.ts';

const change = (at: string, fields: Partial<Change> = {}): Change => ({
  id: at,
  projectId: 'p',
  kind: 'deploy',
  service: null,
  version: at.slice(11, 16),
  commitSha: null,
  environment: null,
  actor: null,
  url: null,
  at,
  description: null,
  idempotencyKey: null,
  metadata: {},
  source: 'api',
  createdAt: at,
  ...fields,
});
const timeline = (interval: Timeline['interval'], starts: readonly string[]): Timeline => ({
  interval,
  starts,
  axis: '',
  labels: starts,
});
const shape = (marks: ReturnType<typeof timelineMarks>) =>
  marks.map(({ category, events }) => [category, events.map(({ name }) => name)]);
const nothing = () => undefined;

test('a change is marked on its day in UTC; those before and after the chart are not', () => {
  const changes = [
    '2026-11-22T00:00:00.000Z',
    '2026-11-20T23:59:59.999Z',
    '2026-11-20T08:00:00.000Z',
    '2026-11-19T23:59:59.999Z',
  ];
  const days = timeline('day', ['2026-11-20', '2026-11-21']);
  expect(
    shape(
      timelineMarks(
        changes.map((at) => change(at)),
        days,
        nothing,
      ),
    ),
  ).toEqual([[0, ['Deploy 08:00', 'Deploy 23:59']]]);
});

test('a change is marked in its hour', () => {
  const hours = timeline('hour', ['2026-11-20T08:00:00.000Z', '2026-11-20T09:00:00.000Z']);
  const changes = [change('2026-11-20T09:00:00.000Z'), change('2026-11-20T08:59:59.999Z')];
  expect(shape(timelineMarks(changes, hours, nothing))).toEqual([
    [0, ['Deploy 08:59']],
    [1, ['Deploy 09:00']],
  ]);
});

test('a mark opens its change', () => {
  const opened: string[] = [];
  const marks = timelineMarks([change('2026-11-20T08:00:00.000Z')], timeline('day', ['2026-11-20']), ({ id }) => opened.push(id));
  marks[0]?.events[0]?.open();
  expect(opened).toEqual(['2026-11-20T08:00:00.000Z']);
});

test('moved labels of a prompt are marked at the versions that they moved to', () => {
  const moved = (name: string, ...versions: number[]) =>
    change('2026-11-20T08:00:00.000Z', {
      id: `${name} ${versions.join(' ')}`,
      kind: 'prompt',
      source: 'automatic',
      description: `moved to ${versions.join(' and ')}`,
      metadata: { name, labels: versions.map((to) => ({ label: 'production', to })) },
    });
  const changes = [moved('a', 3), moved('a', 2, 3), moved('a', 9), moved('b', 2), change('2026-11-20T08:00:00.000Z')];
  expect(shape(versionMarks(changes, 'a', [2, 3], nothing))).toEqual([
    [0, ['moved to 2 and 3']],
    [1, ['moved to 3', 'moved to 2 and 3']],
  ]);
});
