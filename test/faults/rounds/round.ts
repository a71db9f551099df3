import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DiskLayer, DiskLayerLibrary } from '../layer/disk-layer.ts';
import type { Random } from './random.ts';
import { Subject } from './subject.ts';
import type { Template } from './template.ts';

/** Parameters of a round. */
export interface RoundParts {
  random: Random;
  template: Template;
  /** null when it cannot be compiled. */
  library: DiskLayerLibrary | null;
  /** How names survive a power cut. */
  names: 'ordered' | 'strict';
  /** Plants a fault that the round must find: the log's syncs make nothing durable. */
  forgottenSyncs: boolean;
  /** Where the data directory and the ledger of a failed round are kept; null to discard them. */
  keep: string | null;
}

export interface RoundResult {
  /** Description of the faults. */
  what: string;
  /** Number of faults. */
  times: number;
  /** Differences from the ledger. */
  faults: string[];
  subject: Subject | null;
}

export type Round = (parts: RoundParts) => Promise<RoundResult>;

/** Runs `work` with a subject on a new copy of the template's directory. */
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

/** Starts without faults, compares everything and stops. */
export async function startAndVerify(subject: Subject, environment: Record<string, string> = {}): Promise<string[]> {
  await subject.start(environment);
  const faults = await subject.verify();
  faults.push(...(await subject.end()));
  return faults;
}
