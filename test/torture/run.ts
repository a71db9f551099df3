// `npm run torture -- --rounds N [--only kind,kind] [--seed S] [--keep DIR] [--strict-names] [--forgotten-syncs]`: faults under load, compared with a
// ledger of what was acknowledged. Ends with 1 when anything was lost, doubled or left hanging.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { kindNames, torture } from './torture.ts';
import type { Kind } from './torture.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    only: { type: 'string' },
    seed: { type: 'string' },
    // A name counts as kept by a sync of its directory alone, as POSIX promises, and not as ext4 and XFS do.
    'strict-names': { type: 'boolean', default: false },
    // The log's syncs keep nothing: a torture of kind `power` must find that.
    // Where the data directory and the ledger of each round that fails are kept.
    keep: { type: 'string' },
    'forgotten-syncs': { type: 'boolean', default: false },
  },
});

const only = (values.only?.split(',') ?? kindNames) as Kind[];
const unknown = only.filter((kind) => !kindNames.includes(kind));
const [rounds, seed] = [Number(values.rounds), Number(values.seed ?? randomInt(2 ** 31))];
if (unknown.length > 0 || !Number.isInteger(rounds) || !Number.isInteger(seed)) {
  process.stderr.write(`torture: --rounds and --seed take whole numbers, --only some of ${kindNames.join(', ')}\n`);
  process.exit(2);
}

const print = (line: string) => void process.stdout.write(`${line}\n`);
print(`torture: ${rounds} rounds of ${only.join(', ')}, seed ${seed}`);
const tallies = await torture({
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
  failed === 0 ? '\nNothing was lost.' : `\n${failed} rounds failed; repeat one with --rounds 1 --only its kind --seed its seed.`,
);
process.exit(failed === 0 ? 0 : 1);
