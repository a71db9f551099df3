import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import { uuidOrNull } from '../../../contract/common.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { DiffLine, FixProposal, FixProposalPage, ListFixProposalsQuery } from '../../../contract/fix-proposals.ts';
import { byCreation } from '../../../platform/keyset/index.ts';
import type { FixProposalTables } from './tables.ts';
import type { Database } from '../../../platform/postgres/index.ts';

const newestFirst = byCreation('desc');

/** Bytes of diffs and rationales in one answer; the last entry may exceed it. */
const maxAnswerBytes = 16 * 1_048_576;

type Row = Selectable<FixProposalTables['fix_proposals']>;

/** The fix proposals of an incident, newest first. */
export async function listProposals(
  db: Database,
  projectId: string,
  incidentId: string,
  query: ListFixProposalsQuery,
): Promise<FixProposalPage> {
  const select = db
    .selectFrom('fix_proposals')
    .select([
      'id',
      'created_at',
      sql<number>`octet_length(coalesce(diff, '')) + octet_length(coalesce(rationale, ''))`.as('bytes'),
    ])
    .where('project_id', '=', projectId)
    .where('incident_id', '=', incidentId);
  const listed = await newestFirst.select(select, query).execute();
  const page = listed.slice(0, query.limit);
  let bytes = 0;
  const fitting = page.filter((row) => {
    const fits = bytes < maxAnswerBytes;
    bytes += row.bytes;
    return fits;
  });
  const rows = await rowsOf(
    db,
    fitting.map(({ id }) => id),
  );
  const last = fitting.at(-1);
  return {
    fixProposals: fitting.flatMap(({ id }) => rows.get(id) ?? []).map(recordOf),
    nextCursor: last && fitting.length < listed.length ? newestFirst.cursorAfter(last) : null,
  };
}

async function rowsOf(db: Database, ids: readonly string[]): Promise<Map<string, Row>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('fix_proposals').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** One fix proposal of an incident. Errors: `not_found`. */
export async function getProposal(db: Database, projectId: string, incidentId: string, proposalId: string): Promise<FixProposal> {
  const row = await db
    .selectFrom('fix_proposals')
    .selectAll()
    .where('id', '=', uuidOrNull(proposalId))
    .where('project_id', '=', projectId)
    .where('incident_id', '=', incidentId)
    .executeTakeFirst();
  if (row) return recordOf(row);
  throw new ServiceError('not_found', 'There is no such fix proposal of this incident; list them to see which there are.');
}

function recordOf(row: Row): FixProposal {
  return {
    id: row.id,
    incidentId: row.incident_id,
    status: row.status,
    promptName: row.prompt_name,
    baseVersion: row.base_version,
    proposedVersion: row.proposed_version,
    diff: row.diff === null ? [] : (JSON.parse(row.diff) as DiffLine[]),
    rationale: row.rationale,
    traceIds: JSON.parse(row.trace_ids) as string[],
    costUsd: row.cost_usd,
    error: row.error,
    createdAt: row.created_at.toISOString(),
    completedAt: row.finished_at?.toISOString() ?? null,
  };
}
