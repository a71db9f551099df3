import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Evidence } from '../../../contract/evidence-packs.ts';
import { retentionCutoff } from '../../../contract/plans.ts';
import type { Database, Transaction } from '../../../platform/postgres/index.ts';
import { chainRange, entriesOf } from '../../audit/index.ts';
import type { ChainRange } from '../../audit/index.ts';
import { canonicalJson } from '../../../platform/json/index.ts';
import { auditRecord } from './audit-record.ts';
import { evidenceSources } from './evidence-sources.ts';
import type { EvidenceType } from './evidence-sources.ts';
import type { AuditSource, EvidencePorts, EvidenceSource, PackScope } from './evidence-source.ts';
import { maxListed, Population } from './population.ts';
import type { EvidenceRecord } from './population.ts';
import { streamRows } from './stream-rows.ts';

/** The evidence of a range; sources without a record are left out. */
export interface CollectedEvidence {
  evidence: ReadonlyMap<EvidenceType, Evidence>;
  audit: ChainRange;
}

type Populations = Map<EvidenceType, Population>;
const sources = Object.entries(evidenceSources) as Array<[EvidenceType, EvidenceSource]>;

/**
 * Reads the evidence of a range (docs/semantics.md, "Evidence packs"). What PostgreSQL holds is of one moment: rows are read in one snapshot, and the
 * audit log up to its end at that moment. The log is read outside of the transaction, which occupies the embedded database's only connection.
 *
 * @param seed of the samples
 */
export async function collectEvidence(
  db: Database,
  ports: EvidencePorts,
  scope: PackScope,
  seed: string,
): Promise<CollectedEvidence> {
  const populations: Populations = new Map(sources.map(([type]) => [type, new Population(seed)]));
  const audit = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (transaction) => {
      // Cursors are read to their ends, and not for their first rows.
      await sql`SET LOCAL cursor_tuple_fraction = 1`.execute(transaction);
      const range = await chainRange(transaction, scope.organizationId, scope);
      await addRows(transaction, scope, populations);
      return range;
    });
  await addEntries(db, scope, audit, populations);
  for (const [type, source] of sources) if (source.from === 'port') addAll(populations, type, await source.read(ports, scope));
  const evidence = new Map<EvidenceType, Evidence>();
  for (const [type, source] of sources) {
    const population = populations.get(type);
    if (population && population.count > 0) evidence.set(type, evidenceOf(type, source, population, scope, seed));
  }
  return { evidence, audit };
}

async function addRows(transaction: Transaction, scope: PackScope, populations: Populations): Promise<void> {
  for (const [type, source] of sources) {
    if (source.from === 'snapshot') addAll(populations, type, await source.read(transaction, scope));
    if (source.from !== 'rows') continue;
    for await (const page of streamRows(transaction, source.query(scope))) addAll(populations, type, page.map(recordOf));
  }
}

async function addEntries(db: Database, scope: PackScope, range: ChainRange, populations: Populations): Promise<void> {
  if (range.entries === 0) return;
  const ofKind = (kind: string) =>
    sources.filter((entry): entry is [EvidenceType, AuditSource] => entry[1].from === 'audit' && takes(entry[1], kind));
  const byKind = new Map<string, Array<[EvidenceType, AuditSource]>>();
  const { fromMs, toMs } = scope;
  for await (const page of entriesOf(db, scope.organizationId, scope.projectId, { ...range, fromMs, toMs })) {
    for (const row of page) {
      const record = auditRecord(row);
      const canonical = canonicalJson(record);
      const takers = byKind.get(row.kind) ?? ofKind(row.kind);
      byKind.set(row.kind, takers);
      for (const [type] of takers) populations.get(type)?.addText(canonical, record);
    }
    // Yields: hashing a page takes some milliseconds.
    await setImmediate();
  }
}

function takes({ kinds }: AuditSource, kind: string): boolean {
  return kinds === null || (kinds as readonly string[]).includes(kind);
}

function addAll(populations: Populations, type: EvidenceType, records: readonly EvidenceRecord[]): void {
  for (const record of records) populations.get(type)?.add(record);
}

/** A row as JSON: times as ISO 8601, and no number that JSON cannot hold. */
function recordOf(row: Record<string, unknown>): EvidenceRecord {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (value instanceof Date) return [name, value.toISOString()];
      return [name, typeof value === 'number' && !Number.isFinite(value) ? null : value];
    }),
  );
}

function evidenceOf(
  type: EvidenceType,
  source: EvidenceSource,
  population: Population,
  scope: PackScope,
  seed: string,
): Evidence {
  const { count, sha256, sample } = population.summary();
  const drawn = count > maxListed ? ` ${sample.length} of the ${count} records are listed, drawn with the seed ${seed}.` : '';
  return {
    type,
    description: `${source.description} Records in the order of ${source.order}.${drawn}`,
    count,
    ...periodOf(source, scope),
    sha256,
    sample,
  };
}

function periodOf({ covers }: EvidenceSource, { fromMs, toMs, plan, nowMs }: PackScope): Pick<Evidence, 'from' | 'to'> {
  const retained = Math.max(fromMs, Math.min(toMs, retentionCutoff(plan, nowMs)));
  const from = covers === 'end' ? toMs : covers === 'retained' ? retained : fromMs;
  return { from: new Date(from).toISOString(), to: new Date(toMs).toISOString() };
}
