import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DiskLayer, DiskLayerLibrary } from '../layer/disk-layer.ts';
import type { Random } from '../random.ts';
import { Subject } from '../subject.ts';
import type { Template } from '../template.ts';

/** What a round works with. */
export interface RoundParts {
  random: Random;
  template: Template;
  /** null where it cannot be compiled. */
  library: DiskLayerLibrary | null;
  /** How names survive a power cut. */
  names: 'ordered' | 'strict';
  /** A planted fault, by which the torture itself is tried: the log's syncs keep nothing. */
  forgottenSyncs: boolean;
  /** Where the data directory and the ledger of a round that failed are put, to be looked at; null for nowhere. */
  keep: string | null;
}

export interface RoundResult {
  /** The fault, in a few words. */
  what: string;
  /** How many faults it made. */
  times: number;
  /** Differences from the ledger; empty when all is well. */
  faults: string[];
  subject: Subject | null;
}

export type Round = (parts: RoundParts) => Promise<RoundResult>;

/** A subject on a fresh copy of the template's directory, with the layer below it where there is one. */
export async function withSubject(
  parts: RoundParts,
  options: { journaled?: boolean; environment?: Record<string, string> },
  work: (subject: Subject, layer: DiskLayer | null) => Promise<Omit<RoundResult, 'subject'>>,
): Promise<RoundResult> {
  const directory = parts.template.round();
  const layer = parts.library?.layer(directory.path) ?? null;
  const subject = new Subject({
    dataDirectory: directory.path,
    callers: parts.template.callers,
    random: parts.random,
    environment: { ...layer?.environment({ journaled: options.journaled === true }), ...options.environment },
    setClock: layer && ((clockOffsetMs) => layer.set({ clockOffsetMs })),
  });
  try {
    const result = { ...(await work(subject, layer)), subject };
    if (result.faults.length > 0 && parts.keep !== null) keepRound(parts.keep, directory.path, subject, result);
    return result;
  } catch (error) {
    const printed = subject.printed.slice(-1500);
    return {
      what: 'broken off',
      times: 1,
      faults: [`${error instanceof Error ? error.stack : String(error)}\n${printed}`],
      subject,
    };
  } finally {
    await subject.dispose();
    layer?.close();
    directory.remove();
  }
}

function keepRound(keep: string, dataDirectory: string, { ledger, printed }: Subject, result: RoundResult): void {
  mkdirSync(keep, { recursive: true });
  cpSync(dataDirectory, join(keep, 'data'), { recursive: true, verbatimSymlinks: true });
  const { what, faults } = result;
  const told = { what, faults, traces: [...ledger.traces], deletions: [...ledger.deletions], printed };
  writeFileSync(join(keep, 'round.json'), JSON.stringify(told, null, 1));
}

/** Starts once more without faults, compares everything and ends. */
export async function startAndVerify(subject: Subject, environment: Record<string, string> = {}): Promise<string[]> {
  await subject.start(environment);
  const faults = await subject.verify();
  faults.push(...(await subject.end()));
  return faults;
}
