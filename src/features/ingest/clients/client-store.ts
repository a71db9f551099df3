import { sql } from 'kysely';
import type { ClientKind, IngestClient } from '../../../contract/ingest.ts';
import { asOther, isOther, mergeRow, rowKey } from './client-counts.ts';
import type { ClientRow, InstanceRow, ProjectCounts } from './client-counts.ts';
import type { Database } from '../../../platform/postgres/index.ts';
import { maxListedClients } from '../../../contract/limits.ts';
import { dayMs } from '../../../contract/durations.ts';

/** Days that are listed, today included, and that are kept (docs/semantics.md, "Clients"). */
export const listedDays = 7;
/** Distinct clients of a project and day; further ones are counted together, see {@link asOther}. */
const maxClients = 200;
/** Instances of a project, the latest seen. */
const maxInstances = 1_000;

/** Where the counts of clients are kept. */
export interface ClientStore {
  /** Adds counts to those of a project. */
  add(projectId: string, counts: ProjectCounts): Promise<void>;
  /** The clients of a project, the latest seen first. */
  list(projectId: string, nowMs: number): Promise<IngestClient[]>;
}

/** Keeps the counts of clients in PostgreSQL; several processes add to the same rows. */
export class PostgresClientStore implements ClientStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add(projectId: string, { rows, instances }: ProjectCounts): Promise<void> {
    await this.#db.transaction().execute(async (transaction) => {
      await addRows(transaction, projectId, await limited(transaction, projectId, [...rows.values()]));
      await addInstances(transaction, projectId, [...instances.values()]);
    });
  }

  async list(projectId: string, nowMs: number): Promise<IngestClient[]> {
    const since = new Date(dayStart(nowMs) - (listedDays - 1) * dayMs);
    const [rows, instances] = await Promise.all([
      this.#db
        .selectFrom('ingest_clients')
        .select(['kind', 'client', 'version', 'scope', 'code'])
        .select(({ fn }) => [fn.sum<string>('events').as('events'), fn.max('last_seen_at').as('last_seen_at')])
        .where('project_id', '=', projectId)
        .where(sql<boolean>`day >= ${since.toISOString().slice(0, 10)}::date`)
        .groupBy(['kind', 'client', 'version', 'scope', 'code'])
        .execute(),
      this.#db
        .selectFrom('ingest_client_instances')
        .select(['client', 'version'])
        .select(({ fn }) => [
          fn.sum<string>('queue_full').as('queue_full'),
          fn.sum<string>('too_old').as('too_old'),
          fn.sum<string>('refused').as('refused'),
        ])
        .where('project_id', '=', projectId)
        .where('last_seen_at', '>=', since)
        .groupBy(['client', 'version'])
        .execute(),
    ]);
    const dropped = new Map(instances.map((one) => [`${one.client}/${one.version}`, one]));
    return [...Map.groupBy(rows, ({ kind, client, version, scope }) => JSON.stringify([kind, client, version, scope])).values()]
      .map((group) => clientOf(group, dropped))
      .toSorted((left, right) => (left.lastSeenAt < right.lastSeenAt ? 1 : left.lastSeenAt > right.lastSeenAt ? -1 : 0))
      .slice(0, maxListedClients);
  }

  /** Deletes what is not listed any more, and the instances of a project beyond its latest. */
  async deleteOld(nowMs: number): Promise<void> {
    const since = new Date(dayStart(nowMs) - (listedDays - 1) * dayMs);
    await sql`DELETE FROM ingest_clients WHERE day < ${since.toISOString().slice(0, 10)}::date`.execute(this.#db);
    await this.#db.deleteFrom('ingest_client_instances').where('last_seen_at', '<', since).execute();
    await sql`DELETE FROM ingest_client_instances AS i USING (
  SELECT project_id, instance, row_number() OVER (PARTITION BY project_id ORDER BY last_seen_at DESC, instance) AS place
  FROM ingest_client_instances) AS ranked
WHERE ranked.place > ${maxInstances} AND i.project_id = ranked.project_id AND i.instance = ranked.instance`.execute(this.#db);
  }
}

interface StoredCount {
  kind: ClientKind;
  client: string;
  version: string;
  scope: string;
  code: string;
  events: string;
  last_seen_at: Date;
}

function clientOf(
  group: readonly StoredCount[],
  dropped: ReadonlyMap<string, { queue_full: string; too_old: string; refused: string }>,
): IngestClient {
  const [first] = group;
  if (!first) throw new Error('a client has no counts');
  const { kind, client, version, scope } = first;
  const reasons = group
    .filter(({ code, events }) => code !== '' && Number(events) > 0)
    .map(({ code, events }) => ({ code, count: Number(events) }))
    .toSorted((left, right) => right.count - left.count || (left.code < right.code ? -1 : 1));
  const own = kind === 'sdk' ? dropped.get(`${client}/${version}`) : undefined;
  return {
    client,
    version: version === '' ? null : version,
    kind,
    ...(scope === '' ? {} : { scope }),
    lastSeenAt: new Date(Math.max(...group.map(({ last_seen_at }) => last_seen_at.getTime()))).toISOString(),
    accepted: Number(group.find(({ code }) => code === '')?.events ?? 0),
    rejected: reasons.reduce((sum, { count }) => sum + count, 0),
    reasons,
    dropped: {
      queue_full: Number(own?.queue_full ?? 0),
      too_old: Number(own?.too_old ?? 0),
      refused: Number(own?.refused ?? 0),
    },
  };
}

/** The rows, those of new clients beyond the limit of their day by {@link asOther}. */
async function limited(db: Database, projectId: string, rows: readonly ClientRow[]): Promise<ClientRow[]> {
  const days = [...new Set(rows.map(({ day }) => day))];
  const known = await db
    .selectFrom('ingest_clients')
    .select(['kind', 'client', 'version', 'scope'])
    .select(sql<string>`day::text`.as('day'))
    .distinct()
    .where('project_id', '=', projectId)
    .where(sql<boolean>`day = ANY(${days}::date[])`)
    .execute();
  const nameOf = ({ day, kind, client, version, scope }: (typeof known)[number]) =>
    JSON.stringify([day, kind, client, version, scope]);
  const names = new Set(known.map(nameOf));
  const perDay = new Map(days.map((day) => [day, known.filter((one) => one.day === day).length]));
  const kept = new Map<string, ClientRow>();
  for (const row of rows) {
    const isNew = !names.has(nameOf(row));
    const count = perDay.get(row.day) ?? 0;
    const counted = isNew && count >= maxClients && !isOther(row) ? asOther(row) : row;
    if (isNew && counted === row) {
      names.add(nameOf(row));
      perDay.set(row.day, count + 1);
    }
    // Two rows of one statement may not have the same key.
    mergeRow(kept, counted);
  }
  return [...kept.values()];
}

async function addRows(db: Database, projectId: string, rows: readonly ClientRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('ingest_clients')
    .values(
      // In the order of the key, so that two replicas lock rows in the same order.
      rows
        .toSorted((left, right) => (rowKey(left) < rowKey(right) ? -1 : 1))
        .map(({ lastSeenMs, ...row }) => ({ ...row, project_id: projectId, last_seen_at: new Date(lastSeenMs) })),
    )
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'day', 'kind', 'client', 'version', 'scope', 'code']).doUpdateSet({
        events: sql<number>`ingest_clients.events + excluded.events`,
        last_seen_at: sql<Date>`GREATEST(ingest_clients.last_seen_at, excluded.last_seen_at)`,
      }),
    )
    .execute();
}

async function addInstances(db: Database, projectId: string, instances: readonly InstanceRow[]): Promise<void> {
  if (instances.length === 0) return;
  await db
    .insertInto('ingest_client_instances')
    .values(
      instances
        .toSorted((left, right) => (left.id < right.id ? -1 : 1))
        .map(({ id, client, version, queueFull, tooOld, refused, lastSeenMs }) => ({
          project_id: projectId,
          instance: id,
          client,
          version,
          queue_full: queueFull,
          too_old: tooOld,
          refused,
          last_seen_at: new Date(lastSeenMs),
        })),
    )
    .onConflict((conflict) =>
      // The counts only grow: the largest is the latest, whichever replica saw it.
      conflict.columns(['project_id', 'instance']).doUpdateSet({
        queue_full: sql<number>`GREATEST(ingest_client_instances.queue_full, excluded.queue_full)`,
        too_old: sql<number>`GREATEST(ingest_client_instances.too_old, excluded.too_old)`,
        refused: sql<number>`GREATEST(ingest_client_instances.refused, excluded.refused)`,
        last_seen_at: sql<Date>`GREATEST(ingest_client_instances.last_seen_at, excluded.last_seen_at)`,
      }),
    )
    .execute();
}

function dayStart(ms: number): number {
  return ms - (ms % dayMs);
}
