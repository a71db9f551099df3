import { describe, expect, test } from 'vitest';
import { canCompileLayer } from './layer/disk-layer.ts';
import { torture } from './torture.ts';
import type { TortureOptions } from './torture.ts';

async function run(options: Pick<TortureOptions, 'rounds' | 'only'> & Partial<TortureOptions>) {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const tallies = await torture({ seed: 7, names: 'ordered', forgottenSyncs: false, keep: null, print, ...options });
  return { tallies, printed: lines.join('\n') };
}

// `npm run torture` is the long form of this.
test('a kill loses nothing', { timeout: 180_000 }, async () => {
  // A seed of one kill.
  const { tallies, printed } = await run({ rounds: 1, only: ['kill'], seed: 12 });
  expect(tallies, printed).toMatchObject([{ kind: 'kill', rounds: 1, failed: 0 }]);
  expect(tallies[0]?.acknowledged, printed).toBeGreaterThan(0);
  expect(printed).toMatch(/^ {3}1 kill {3}seed 12 ok/);
});

describe.runIf(canCompileLayer())('below the service', () => {
  test('a log whose syncs keep nothing is found out by a power cut', { timeout: 180_000 }, async () => {
    const { tallies, printed } = await run({ rounds: 1, only: ['power'], forgottenSyncs: true });
    expect(tallies, printed).toMatchObject([{ kind: 'power', rounds: 1, failed: 1 }]);
    expect(printed).toMatch(/^ {3}1 power {2}seed 7 LOSS/);
    expect(printed).toMatch(/\(acknowledged\) lost \d+ of \d+ spans|was never|cannot start/);
  });
});
