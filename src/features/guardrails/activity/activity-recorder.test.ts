import { expect, test } from 'vitest';
import type { IngestBatch } from '../../records/index.ts';
import { ActivityRecorder, roundedLatency } from './activity-recorder.ts';

const tenant = { projectId: 'p', organizationId: 'o' };
const outcome = { action: 'allow' as const, results: [] };
const check = { atMs: 1_000, stage: 'input' as const, environment: '', outcome, isCounted: true };

function recorder(accept: (batch: IngestBatch) => Promise<void>) {
  const lost: number[] = [];
  const recording = new ActivityRecorder({
    pipeline: { accept: (_tenant, batch) => accept(batch) },
    onLost: ({ checks }) => lost.push(checks),
  });
  return { recording, lost };
}

test('checks of one millisecond, stage and environment become one row', async () => {
  const batches: IngestBatch[] = [];
  const { recording } = recorder((batch) => (batches.push(batch), Promise.resolve()));
  for (const more of [{}, {}, { stage: 'output' as const }, { environment: 'e' }, { atMs: 1_001 }])
    recording.add(tenant, { ...check, ...more }, null);
  await recording.close();
  expect(batches.map(({ guardrailActivity }) => guardrailActivity?.map(({ checks }) => checks))).toEqual([[2, 1, 1, 1]]);
  await recording.close();
  expect(batches).toHaveLength(1);
});

test('what cannot be written is lost and reported, and what follows is written', async () => {
  let fails = true;
  let written = 0;
  const { recording, lost } = recorder((batch) => {
    if (fails) return Promise.reject(new Error('the log is full'));
    written += batch.guardrailActivity?.length ?? 0;
    return Promise.resolve();
  });
  recording.add(tenant, check, null);
  recording.add(tenant, check, null);
  await recording.flush();
  fails = false;
  recording.add(tenant, check, null);
  await recording.flush();
  expect([lost, written]).toEqual([[2], 1]);
});

test('while one write is in progress the next collects, up to a limit', async () => {
  const writes: Array<() => void> = [];
  let rows = 0;
  const { recording, lost } = recorder((batch) => {
    rows += batch.guardrailActivity?.length ?? 0;
    return new Promise((resolve) => writes.push(resolve));
  });
  recording.add(tenant, check, null);
  const first = recording.flush();
  for (let index = 0; index < 50_010; index += 1) recording.add(tenant, { ...check, atMs: index }, null);
  const second = recording.flush();
  expect(writes).toHaveLength(1);
  writes[0]?.();
  await first;
  while (writes.length < 2) await Promise.resolve();
  writes[1]?.();
  await second;
  expect([rows, lost]).toEqual([50_001, [10]]);
});

test('a latency is rounded to 8 significant bits', () => {
  for (const ms of [0, 0.001, 1, 3.7, 12.345, 999.9, 10_000]) {
    expect(Math.abs(roundedLatency(ms) - ms)).toBeLessThanOrEqual(ms / 256);
  }
  const octave = Array.from({ length: 100_000 }, (_, index) => roundedLatency(1 + index / 100_000));
  expect(new Set(octave).size).toBe(129);
});
