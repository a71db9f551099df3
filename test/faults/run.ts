// `npm run test:faults [-- PATH ...]` runs the fault tests. `npm run test:faults -- --rounds N [--only kind,kind] [--seed S] [--keep DIR]
// [--strict-names] [--forgotten-syncs]` runs N rounds of faults under load instead, and exits with 1 when a round lost, doubled or left hanging anything.
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { answeringServer } from '../support/local-servers.ts';
import { runVitest } from '../support/run-vitest.ts';
import { testServers } from '../support/test-servers.ts';
import { kindNames, runRounds } from './rounds/rounds.ts';
import type { Kind } from './rounds/rounds.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    only: { type: 'string' },
    seed: { type: 'string' },
    // Directory for the data directory and the ledger of each failed round.
    keep: { type: 'string' },
    // Only a sync of the directory makes a name durable, as in POSIX; ext4 and XFS guarantee more.
    'strict-names': { type: 'boolean', default: false },
    // Makes the log's syncs ineffective: a round of kind `power` must then fail.
    'forgotten-syncs': { type: 'boolean', default: false },
  },
});

const print = (line: string) => void process.stdout.write(`${line}\n`);

async function runTests(): Promise<number> {
  const postgres = testServers.postgres ?? (await answeringServer('postgres'));
  const redis = testServers.redis ?? (await answeringServer('redis'));
  print(`PostgreSQL: ${postgres === null ? 'none answers on 127.0.0.1:5432' : 'a server'}`);
  print(`Redis: ${redis === null ? 'none answers on 127.0.0.1:6379' : 'a server'}`);
  return runVitest(['--config', join(import.meta.dirname, 'vitest.config.ts'), ...positionals], {
    ...(postgres === null ? {} : { SPANWISE_TEST_DATABASE_URL: postgres }),
    ...(redis === null ? {} : { SPANWISE_TEST_REDIS_URL: redis }),
  });
}

async function runRoundsByHand(): Promise<number> {
  const only = (values.only?.split(',') ?? kindNames) as Kind[];
  const unknown = only.filter((kind) => !kindNames.includes(kind));
  const [rounds, seed] = [Number(values.rounds), Number(values.seed ?? randomInt(2 ** 31))];
  if (unknown.length > 0 || !Number.isInteger(rounds) || !Number.isInteger(seed)) {
    process.stderr.write(`test:faults: --rounds and --seed take whole numbers, --only some of ${kindNames.join(', ')}\n`);
    return 2;
  }
  print(`test:faults: ${rounds} rounds of ${only.join(', ')}, seed ${seed}`);
  const tallies = await runRounds({
    rounds,
    only,
    seed,
    names: values['strict-names'] ? 'strict' : 'ordered',
    forgottenSyncs: values['forgotten-syncs'],
    keep: values.keep ?? null,
    print,
  });
  print('\nkind    rounds  faults  failed  acknowledged  unknown  seconds a round');
  for (const { kind, rounds: done, times, failed, acknowledged, unknown: open, seconds } of tallies) {
    const figures = [done, times, failed, acknowledged, open].map((figure, index) =>
      String(figure).padStart([6, 6, 6, 12, 7][index] ?? 0),
    );
    print(`${kind.padEnd(7)} ${figures.join('  ')}  ${(done === 0 ? 0 : seconds / done).toFixed(1).padStart(15)}`);
  }
  const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
  print(
    failed === 0
      ? '\nNothing was lost.'
      : `\n${failed} rounds failed; repeat one with --rounds 1 --only its kind --seed its seed.`,
  );
  return failed === 0 ? 0 : 1;
}

if (values.rounds === undefined && (values.only ?? values.seed ?? values.keep) !== undefined) {
  process.stderr.write('test:faults: --only, --seed and --keep belong to --rounds\n');
  process.exit(2);
}
process.exit(await (values.rounds === undefined ? runTests() : runRoundsByHand()));
