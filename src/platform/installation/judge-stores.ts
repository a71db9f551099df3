import type { InstallationRecord } from './installation-record.ts';
import type { PostgresId } from './stored-ids.ts';
import type { StoreName } from './store-names.ts';

/** What the stores of a start say of the installation that they belong to. */
export interface StoreFacts {
  postgres: { mode: 'embedded' | 'server'; found: PostgresId | null };
  clickhouse: { mode: 'embedded' | 'server'; ids: readonly string[] };
  log: string | null;
  record: InstallationRecord | null;
  /** How the secret of this process compares with the one that PostgreSQL has the fingerprint of. */
  secret: 'same' | 'other' | 'missing' | 'unknown';
}

/** Why a store cannot be used: it has no data although the others have, another installation's, or it is not the one that was used last. */
export type StoreFault = 'missing' | 'other' | 'left';

export interface StoresJudged {
  /** The installation that the stores belong to; null where none of them has an id, as at a first start, or the first with this release. */
  id: string | null;
  faults: ReadonlyMap<StoreName, StoreFault>;
}

/**
 * Finds the stores that do not belong to the installation of the others.
 *
 * PostgreSQL gets its id first and is marked complete when every store has it (`joinInstallation`), so an interrupted first start is not mistaken for
 * a lost store. A store that was embedded at the last start and is on a server now may be empty: data are not moved (docs/guides/servers.md, "On PostgreSQL and
 * ClickHouse"). On a PostgreSQL server a data directory without any id is that of a new replica.
 */
export function judgeStores(facts: StoreFacts): StoresJudged {
  const { postgres, clickhouse, record } = facts;
  const id = idOf(facts);
  const faults = new Map<StoreName, StoreFault>();
  const set = (store: StoreName, fault: StoreFault | null) => fault !== null && faults.set(store, fault);
  if (id !== null) {
    const begun = postgres.found !== null && !postgres.found.isComplete;
    set('postgres', faultOfPostgres(facts, id));
    if (!clickhouse.ids.includes(id)) {
      const isMoved = clickhouse.mode === 'server' && record?.clickhouse === 'embedded';
      set('clickhouse', clickhouse.ids.length > 0 ? 'other' : begun || isMoved ? null : 'missing');
    }
    set('log', faultOfLog(facts, id, begun));
  }
  if (record?.postgres === 'server' && postgres.mode === 'embedded') set('postgres', 'left');
  if (record?.clickhouse === 'server' && clickhouse.mode === 'embedded') set('clickhouse', 'left');
  set('secret', facts.secret === 'other' || facts.secret === 'missing' ? facts.secret : null);
  return { id, faults };
}

/** That of PostgreSQL, unless all others agree on another one. */
function idOf({ postgres, clickhouse, log, record }: StoreFacts): string | null {
  const others = new Set([...clickhouse.ids.slice(0, 1), log, record?.id ?? null].filter((id) => id !== null));
  const found = postgres.found?.id ?? null;
  if (found === null) return record?.id ?? log ?? clickhouse.ids[0] ?? null;
  const [other] = others;
  const agree = others.size === 1 && clickhouse.ids.length > 0 && log !== null;
  return agree && other !== undefined && !clickhouse.ids.includes(found) ? other : found;
}

function faultOfPostgres({ postgres, record }: StoreFacts, id: string): StoreFault | null {
  if (postgres.found !== null) return postgres.found.id === id ? null : 'other';
  return postgres.mode === 'server' && record?.postgres === 'embedded' ? null : 'missing';
}

/** @param begun whether a first start was interrupted */
function faultOfLog({ postgres, log, record }: StoreFacts, id: string, begun: boolean): StoreFault | null {
  const found = log ?? (record === null || record.id === id ? null : record.id);
  if (found !== null) return found === id ? null : 'other';
  const isNewReplica = postgres.mode === 'server' && record === null;
  return begun || isNewReplica ? null : 'missing';
}
