import { expect, test } from 'vitest';
import { Backlog } from './backlog.ts';

const record = (receivedMs: number, eventCount = 1, projectId = 'p') => ({
  projectId,
  organizationId: 'o',
  quotaCount: eventCount,
  eventCount,
  spanCount: 0,
  bodyDigest: '',
  month: '2026-11-01',
  receivedMs,
  maxVersion: 0,
});

test('the oldest pending event of a project has waited since it was received, however many follow', () => {
  const backlog = new Backlog();
  const [first, second] = [record(1_000, 3), record(4_000)];
  backlog.add(first);
  backlog.add(second);
  backlog.add(record(500, 1, 'other'));
  expect([backlog.events('p'), backlog.waitedMs('p', 5_000)]).toEqual([4, 4_000]);
  // What the log refuses ends no waiting.
  const refused = record(4_900);
  backlog.add(refused);
  backlog.refused(refused);
  expect([backlog.events('p'), backlog.waitedMs('p', 5_000)]).toEqual([4, 4_000]);
  backlog.written(first);
  expect([backlog.events('p'), backlog.waitedMs('p', 5_000)]).toEqual([1, 4_000]);
  backlog.written(second);
  expect([backlog.events('p'), backlog.waitedMs('p', 5_000)]).toEqual([0, 0]);
  // A clock that was set back.
  backlog.add(record(9_000));
  expect(backlog.waitedMs('p', 5_000)).toBe(0);
});

test('records without events wait for nothing', () => {
  const backlog = new Backlog();
  backlog.add(record(1_000, 0));
  expect([backlog.events('p'), backlog.waitedMs('p', 5_000)]).toEqual([0, 0]);
});
