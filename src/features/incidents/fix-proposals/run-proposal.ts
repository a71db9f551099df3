import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { isUnavailable, ServiceError } from '../../../contract/errors.ts';
import { promptBounds } from '../../../contract/prompts.ts';
import { LeaseLost } from '../../../platform/jobs/leased-queue/index.ts';
import { cutText, storableText } from '../../../platform/text/index.ts';
import { ModelError } from '../../model-connections/index.ts';
import type { ModelObjectAnswer } from '../../model-connections/index.ts';
import type { StoredVersion } from '../../prompts/index.ts';
import { checkedRevision, UnusableAnswer } from './checked-revision.ts';
import type { Revision } from './checked-revision.ts';
import { readFailingTraces } from './failing-traces.ts';
import type { FixProposalsContext } from './fix-proposals-context.ts';
import type { ProposalJob, ProposalOutcome } from './proposal-jobs.ts';
import { revisionMessages, revisionSchema } from './revision-messages.ts';
import type { IncidentFigures } from './revision-messages.ts';

/** Characters of a prompt that a model is asked to revise; its answer must hold the whole prompt. */
const maxPromptLength = 100_000;
/** The wait while a store of the service does not answer, in milliseconds. */
const unavailableMs = 10_000;

/**
 * Runs a proposal: asks the model, checks its answer, and stores it as a version without labels (docs/semantics.md, "Fix proposals"). The version and the
 * run's result are stored in one transaction while this process holds the lease, so that a run that is repeated stores no second version.
 *
 * @returns the outcome; that of a completed run is recorded already
 */
export async function runProposal(context: FixProposalsContext, job: ProposalJob, signal: AbortSignal): Promise<ProposalOutcome> {
  let answer: ModelObjectAnswer | null = null;
  try {
    const base = await baseOf(context, job);
    answer = await ask(context, job, base, signal);
    await store(context, job, base, checkedRevision(base, answer.object), answer);
    return { kind: 'ended', status: 'completed' };
  } catch (error) {
    return failureOf(context, job, error, answer);
  }
}

/** A run that cannot succeed; the message is a sentence for the user. */
class Impossible extends Error {}

async function baseOf({ prompts }: FixProposalsContext, { projectId, payload }: ProposalJob): Promise<StoredVersion> {
  const base = await prompts.findVersion(projectId, payload.prompt_name ?? '', payload.base_version);
  if (base?.id !== payload.base_version_id) throw new Impossible('The prompt was deleted; start a proposal for another one.');
  if (base.prompt.length > maxPromptLength)
    throw new Impossible(
      `The prompt has more than ${maxPromptLength} characters, which is too many for a model to revise; shorten it.`,
    );
  return base;
}

async function ask(
  { models, clickhouse }: FixProposalsContext,
  { projectId, payload }: ProposalJob,
  base: StoredVersion,
  signal: AbortSignal,
): Promise<ModelObjectAnswer> {
  const connection = await models.findConnection(projectId, payload.connection_id ?? '');
  if (!connection) throw new Impossible('The model connection was deleted; start a proposal with another one.');
  const reader = clickhouse.forTenant({ projectId, oldestMs: payload.oldest_ms });
  const traceIds = JSON.parse(payload.trace_ids ?? '[]') as string[];
  const traces = await readFailingTraces(reader, traceIds, base.name);
  return models.askModel(connection, {
    messages: revisionMessages(base, incidentOf(payload), traces, randomBytes(12).toString('hex')),
    responseSchema: revisionSchema(base.type),
    signal,
  });
}

function incidentOf({ incident }: ProposalJob['payload']): IncidentFigures {
  // Written by startProposal.
  return JSON.parse(incident ?? '') as IncidentFigures;
}

async function store(
  { prompts, clock }: FixProposalsContext,
  job: ProposalJob,
  base: StoredVersion,
  revision: Revision,
  { usage }: ModelObjectAnswer,
): Promise<void> {
  const proposal = {
    baseId: base.id,
    prompt: revision.prompt,
    commitMessage: commitMessage(incidentOf(job.payload), revision),
    createdBy: job.payload.requested_by ?? '',
  };
  await prompts.createProposal(job.projectId, proposal, async (transaction, version) => {
    const completed = await transaction
      .updateTable('fix_proposals')
      .set({
        status: 'completed',
        error: null,
        lease_id: null,
        lease_until: null,
        finished_at: new Date(clock.now()),
        proposed_version: version,
        rationale: revision.rationale,
        diff: JSON.stringify(revision.diff),
        cost_usd: sql<number | null>`coalesce(cost_usd + ${usage.costUsd}::float8, ${usage.costUsd}::float8, cost_usd)`,
      })
      .where('id', '=', job.id)
      .where('lease_id', '=', job.leaseId)
      .where('status', '=', 'running')
      .executeTakeFirst();
    if (completed.numUpdatedRows !== 1n) throw new LeaseLost();
  });
}

function commitMessage({ id, ruleName, summary }: IncidentFigures, { droppedVariables }: Revision): string {
  const dropped = droppedVariables.map((name) => `{{${name}}}`).join(', ');
  const parts = [
    `Fix proposal for the incident of ${ruleName} (${id})`,
    ...(dropped === '' ? [] : [`It leaves out ${dropped}.`]),
    summary,
  ];
  return storableText(cutText(parts.join('\n'), promptBounds.commitMessage));
}

function failureOf(
  { jobs }: FixProposalsContext,
  job: ProposalJob,
  error: unknown,
  answer: ModelObjectAnswer | null,
): ProposalOutcome {
  const sums = { cost_usd: answer?.usage.costUsd ?? null };
  if (error instanceof Impossible || error instanceof UnusableAnswer)
    return { kind: 'ended', status: 'failed', error: error.message, sums };
  if (error instanceof ModelError) {
    const { message, retryable, retryAfterMs: askedMs, usage } = error;
    return jobs.failure(job, message, { retryable, askedMs, sums: { cost_usd: usage?.costUsd ?? null } });
  }
  // The queue ignores this outcome.
  if (error instanceof LeaseLost) return { kind: 'retry', error: null, afterMs: 0, counts: false };
  if (isUnavailable(error)) return { kind: 'retry', error: null, afterMs: unavailableMs, counts: false, sums };
  if (error instanceof ServiceError) return { kind: 'ended', status: 'failed', error: error.message, sums };
  throw error;
}
