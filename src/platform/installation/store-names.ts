/** What an installation consists of, as `--accept-missing` names it. */
export const storeNames = ['postgres', 'clickhouse', 'log', 'secret'] as const;
export type StoreName = (typeof storeNames)[number];

/** Names of the data directory, which an operator may write instead. */
const inDirectory: Readonly<Record<string, StoreName>> = { wal: 'log', 'secret.key': 'secret' };

/** The store of a name; null for a name that there is not. */
export function storeNamed(name: string): StoreName | null {
  return storeNames.find((known) => known === name) ?? inDirectory[name] ?? null;
}

/** Stores do not belong together. The message names each, what to restore, and the flag that accepts its loss. */
export class InstallationError extends Error {
  constructor(faults: readonly string[]) {
    super(`the stores do not belong to one installation:\n${faults.map((fault) => `  ${fault}\n`).join('')}`.trimEnd());
    this.name = 'InstallationError';
  }
}
