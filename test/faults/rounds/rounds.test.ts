import { describe, expect, test } from 'vitest';
import { canCompileLayer } from '../layer/disk-layer.ts';
import { runRounds } from './rounds.ts';
import type { RoundsOptions } from './rounds.ts';

async function run(options: Pick<RoundsOptions, 'rounds' | 'only'> & Partial<RoundsOptions>) {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const tallies = await runRounds({ seed: 7, names: 'ordered', forgottenSyncs: false, keep: null, print, ...options });
  return { tallies, printed: lines.join('\n') };
}

// `npm run test:faults -- --rounds N` is the long form of this.
test('a kill loses no acknowledged request', { timeout: 180_000 }, async () => {
  // With this seed the round kills once.
  const { tallies, printed } = await run({ rounds: 1, only: ['kill'], seed: 12 });
  expect(tallies, printed).toMatchObject([{ kind: 'kill', rounds: 1, failed: 0 }]);
  expect(tallies[0]?.acknowledged, printed).toBeGreaterThan(0);
  expect(printed).toMatch(/^ {3}1 kill {3}seed 12 ok/);
});

describe.runIf(canCompileLayer())('below the service', () => {
  test('a power cut exposes a log whose syncs make nothing durable', { timeout: 180_000 }, async () => {
    const { tallies, printed } = await run({ rounds: 1, only: ['power'], forgottenSyncs: true });
    expect(tallies, printed).toMatchObject([{ kind: 'power', rounds: 1, failed: 1 }]);
    expect(printed).toMatch(/^ {3}1 power {2}seed 7 LOSS/);
    expect(printed).toMatch(/\(acknowledged\) lost \d+ of \d+ spans|was never|cannot start/);
  });
});
