import { expect, test } from 'vitest';
import { ServiceError } from '../../../contract/errors.ts';
import { ManualClock } from '../../../platform/clock/clock.ts';
import { conditionOf } from '../condition.ts';
import type { Condition } from '../condition.ts';
import { readSteps } from './read-steps.ts';
import { hourMs } from '../../../contract/durations.ts';

const rule = {
  type: 'quality',
  threshold: 0.5,
  recoveryThreshold: null,
  window: '1h',
  filter: { agents: ['x'] },
  environment: null,
  groupBy: null,
  count: null,
  minCount: 1,
  forMinutes: 0,
  noData: 'keep',
} as const;

/** Reads 30 days of hours; each statement takes `tookMs`, and one for more than `most` steps fails. */
async function read(fields: { filter: Record<string, string[]> }, tookMs: number, most = 1_000) {
  const condition = conditionOf({ ...rule, ...fields }) as Condition;
  const [clock, toMs] = [new ManualClock(0), 1_000 * hourMs];
  const portions: number[] = [];
  const query = (_sql: string, { fromMs = 0, beforeMs = 0 }: Record<string, number> = {}) => {
    const steps = (beforeMs - 1 - fromMs - condition.windowMs) / hourMs + 1;
    clock.advance(tookMs);
    if (steps > most) return Promise.reject(new ServiceError('unavailable', 'Too slow.'));
    portions.push(steps);
    // The value is the hour in which the window ends.
    const row = { scope: '', n_sum: 1, step: 0, value: (beforeMs - 1) / hourMs };
    return Promise.resolve([row, { ...row, step: steps - 1, value: row.value - steps + 1 }]);
  };
  const reader = { query, queryLines: () => Promise.reject(new Error()), insertSelect: () => Promise.reject(new Error()) };
  const found = await readSteps(reader as never, clock, condition, { toMs, steps: 721 });
  const shifted = [...found.figures].every(([ago, figures]) => figures.every(({ value }) => value === 1_000 - ago));
  return { portions, read: found.read, shifted };
}

test('figures by calls are read in growing portions, the latest first', async () => {
  expect(await read({ filter: { agents: ['x'] } }, 1)).toEqual({ portions: [49, 98, 196, 378], read: 721, shifted: true });
  expect(await read({ filter: {} }, 1)).toEqual({ portions: [721], read: 721, shifted: true });
});

test('what the time does not allow is left out', async () => {
  // 9 s of 18 s are left after the first: as many steps again.
  expect(await read({ filter: { agents: ['x'] } }, 9_000)).toMatchObject({ portions: [49, 49], read: 98 });
  expect(await read({ filter: { agents: ['x'] } }, 17_000)).toMatchObject({ portions: [49], read: 49 });
  expect(await read({ filter: { agents: ['x'] } }, 1, 100)).toMatchObject({ portions: [49, 98], read: 147, shifted: true });
  await expect(read({ filter: { agents: ['x'] } }, 1, 10)).rejects.toMatchObject({ code: 'unavailable' });
});
