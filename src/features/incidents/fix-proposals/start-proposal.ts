import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { UserActor } from '../../../contract/actor.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { FixProposalBody, StartedFixProposal } from '../../../contract/fix-proposals.ts';
import { retentionCutoff } from '../../../contract/plans.ts';
import type { Tenant } from '../../../platform/http/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { chosenConnection, noConnection } from './chosen-connection.ts';
import { chosenPrompt } from './chosen-prompt.ts';
import type { FixProposalsContext } from './fix-proposals-context.ts';
import { proposalPool } from './proposal-jobs.ts';
import type { ProposalPayload } from './proposal-jobs.ts';
import { readPromptUsage } from './prompt-usage.ts';
import type { IncidentFigures } from './revision-messages.ts';
import type { Transaction } from '../../../platform/postgres/index.ts';

/** Traces of one run. */
const maxTraces = 20;
/** Runs of a project that are queued or running. */
const maxUnfinished = 20;
const retryAfterSeconds = 60;

/**
 * Queues a run that asks a model to revise the prompt of an incident (docs/semantics.md, "Fix proposals"), and records it in the audit log.
 *
 * Errors: `not_found` for the incident; `invalid_request` for an unknown prompt or connection; `no_prompt`, `no_model_connection`; `conflict` while
 * the incident has an unfinished run; `rate_limited` while the project has too many.
 */
export async function startProposal(
  context: FixProposalsContext,
  { tenant, actor }: { tenant: Tenant; actor: UserActor },
  incidentId: string,
  { promptName, connection: connectionName }: FixProposalBody,
): Promise<StartedFixProposal> {
  const { projectId, plan } = tenant;
  const { sampleTraceIds, ...incident } = await context.incidentOf(projectId, incidentId);
  const oldestMs = retentionCutoff(plan, context.clock.now());
  const usage = await readPromptUsage(context.clickhouse.forTenant({ projectId, oldestMs }), sampleTraceIds.slice(0, maxTraces));
  // An unknown name is refused before anything that is missing.
  const connection = await chosenConnection(context, projectId, connectionName);
  const base = await chosenPrompt(context, projectId, usage, promptName);
  if (!connection) throw noConnection();
  const using = usage.tracesOf(base.name);
  const payload = {
    incident_id: incident.id,
    prompt_name: base.name,
    base_version: base.version,
    base_version_id: base.id,
    connection_id: connection.id,
    incident: JSON.stringify(figuresOf(incident)),
    trace_ids: JSON.stringify(using.length > 0 ? using : usage.traceIds),
    oldest_ms: oldestMs,
    requested_by: actor.email,
  };
  const id = await context.db.transaction().execute(async (transaction) => {
    const queued = await enqueue(context, transaction, projectId, payload);
    await recordAudit(transaction, context.clock, {
      organizationId: tenant.organizationId,
      projectId,
      kind: 'fix_proposal.started',
      actor,
      subject: queued,
      detail: { name: base.name, incidentId: incident.id, baseVersion: base.version, connection: connection.name },
    });
    return queued;
  });
  context.wake();
  return { id, status: 'queued' };
}

/** Without further fields that the port returns: those of the whole incident may be large. */
function figuresOf({ id, ruleName, type, summary, value, threshold, scope, environment }: IncidentFigures): IncidentFigures {
  return { id, ruleName, type, summary, value, threshold, scope, environment };
}

/** Queues the run. @returns its id */
async function enqueue(
  { jobs }: Pick<FixProposalsContext, 'jobs'>,
  transaction: Transaction,
  projectId: string,
  payload: ProposalPayload & { incident_id: string },
): Promise<string> {
  // Serializes the checks of one project.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`fix-proposals ${projectId}`}, 0))`.execute(transaction);
  const unfinished = await transaction
    .selectFrom('fix_proposals')
    .select('id')
    .where('project_id', '=', projectId)
    .where('incident_id', '=', payload.incident_id)
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirst();
  if (unfinished)
    throw new ServiceError('conflict', 'A fix proposal for this incident is queued or running; wait until it has ended.');
  const id = uuidv7();
  const refused = await jobs.enqueue(transaction, projectId, [{ id, pool: proposalPool, payload }], { limit: maxUnfinished });
  if (refused > 0)
    throw new ServiceError(
      'rate_limited',
      `The project has ${maxUnfinished} fix proposals in progress; wait until one has ended.`,
      {
        retryAfterSeconds,
      },
    );
  return id;
}
