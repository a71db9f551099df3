import type { z } from 'zod';
import type { listRevisionsQuery, policyRevisionPage, PolicySummary } from '../../../contract/policies.ts';
import { Keyset } from '../../../platform/keyset/index.ts';
import type { PoliciesContext } from '../policies-context.ts';

const newestFirst = new Keyset([{ name: 'revision', type: 'integer' }], 'desc');

/** The revisions of a project's policies, newest first. Errors: `invalid_request` for a cursor of another list. */
export async function listRevisions(
  { db }: Pick<PoliciesContext, 'db'>,
  projectId: string,
  query: z.output<typeof listRevisionsQuery>,
): Promise<z.output<typeof policyRevisionPage>> {
  const select = db
    .selectFrom('policy_revisions')
    .select(['revision', 'at', 'by', 'source', 'summary', 'audit_log_id'])
    .where('project_id', '=', projectId);
  const { rows, nextCursor } = await newestFirst.read(select, query);
  const revisions = rows.map(({ revision, at, by, source, summary, audit_log_id: auditLogId }) => ({
    revision,
    at: at.toISOString(),
    by,
    source,
    summary: JSON.parse(summary) as PolicySummary,
    auditLogId,
  }));
  return { revisions, nextCursor };
}
