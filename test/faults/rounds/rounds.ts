import { join } from 'node:path';
import { answeringServer } from '../../support/local-servers.ts';
import { canCompileLayer, DiskLayerLibrary } from '../layer/disk-layer.ts';
import { Random } from './random.ts';
import { clockRound } from './kinds/clock.ts';
import { diskRound } from './kinds/disk.ts';
import { flipRound } from './kinds/flip.ts';
import { killRound } from './kinds/kill.ts';
import { powerRound } from './kinds/power.ts';
import type { Round, RoundResult } from './round.ts';
import { storesRound } from './kinds/stores.ts';
import { startRound } from './kinds/start.ts';
import { Template } from './template.ts';

/** The kinds of fault and their requirements. */
const kinds = {
  kill: { round: killRound, needs: null },
  power: { round: powerRound, needs: 'layer' },
  start: { round: startRound, needs: null },
  disk: { round: diskRound, needs: 'layer' },
  flip: { round: flipRound, needs: null },
  clock: { round: clockRound, needs: 'layer' },
  stores: { round: storesRound, needs: 'postgres' },
} as const satisfies Record<string, { round: Round; needs: 'layer' | 'postgres' | null }>;

export type Kind = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as Kind[];

export interface RoundsOptions {
  rounds: number;
  only: readonly Kind[];
  /** Seed of the first round, incremented for each further one. Kind and seed repeat a round, except for timing. */
  seed: number;
  names: 'ordered' | 'strict';
  forgottenSyncs: boolean;
  /** A directory for the data of failed rounds; null to discard it. */
  keep: string | null;
  print(line: string): void;
}

export interface Tally {
  kind: Kind;
  rounds: number;
  /** Number of injected faults. */
  times: number;
  failed: number;
  acknowledged: number;
  unknown: number;
  seconds: number;
}

/** Runs the rounds, the kinds in turn, and resolves with one tally a kind. */
export async function runRounds(options: RoundsOptions): Promise<Tally[]> {
  const library = canCompileLayer() ? new DiskLayerLibrary() : null;
  const possible = await possibleKinds(options, library !== null);
  const tallies = new Map(
    possible.map((kind): [Kind, Tally] => [
      kind,
      { kind, rounds: 0, times: 0, failed: 0, acknowledged: 0, unknown: 0, seconds: 0 },
    ]),
  );
  const template = possible.length > 0 ? await Template.make() : null;
  try {
    for (let round = 0; round < options.rounds && template; round++) {
      const kind = possible[round % possible.length];
      const tally = kind && tallies.get(kind);
      if (!tally) break;
      const seed = options.seed + round;
      const startedAt = performance.now();
      const { names, forgottenSyncs } = options;
      const keep = options.keep === null ? null : join(options.keep, `${kind}-${seed}`);
      const result = await kinds[kind].round({ random: new Random(seed), template, library, names, forgottenSyncs, keep });
      const seconds = (performance.now() - startedAt) / 1000;
      enter(tally, result, seconds);
      for (const line of linesOf(round + 1, kind, seed, result, seconds)) options.print(line);
    }
  } finally {
    template?.remove();
    library?.close();
  }
  return [...tallies.values()];
}

async function possibleKinds({ only, print }: RoundsOptions, layer: boolean): Promise<Kind[]> {
  const postgres = only.includes('stores') && (await answeringServer('postgres')) !== null;
  return only.filter((kind) => {
    const { needs } = kinds[kind];
    if (needs === 'layer' && !layer) print(`${kind}: skipped, since this machine has no gcc on Linux and x86-64`);
    if (needs === 'postgres' && !postgres) print(`${kind}: skipped, since no PostgreSQL answers on 127.0.0.1:5432`);
    return needs === null || (needs === 'layer' ? layer : postgres);
  });
}

function enter(tally: Tally, { faults, subject, times }: RoundResult, seconds: number): void {
  tally.rounds += 1;
  tally.times += times;
  tally.failed += Number(faults.length > 0);
  tally.acknowledged += subject?.ledger.count('acknowledged') ?? 0;
  tally.unknown += subject?.ledger.count('unknown') ?? 0;
  tally.seconds += seconds;
}

/** Number of differences that are printed. */
const maxFaults = 12;

function linesOf(round: number, kind: Kind, seed: number, { what, faults, subject }: RoundResult, seconds: number): string[] {
  const ledger = subject?.ledger;
  const requests = ledger
    ? `, ${ledger.count('acknowledged')} acknowledged, ${ledger.count('unknown')} unknown, ${ledger.changes.length} changes`
    : '';
  const verdict = faults.length === 0 ? 'ok' : 'LOSS';
  const lines = [
    `${String(round).padStart(4)} ${kind.padEnd(6)} seed ${seed} ${verdict.padEnd(4)} ${seconds.toFixed(1)} s: ${what}${requests}`,
  ];
  for (const fault of faults.slice(0, maxFaults)) lines.push(`       ${fault}`);
  if (faults.length > maxFaults) lines.push(`       and ${faults.length - maxFaults} more`);
  return lines;
}
