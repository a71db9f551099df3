import { dayMs } from '../../contract/durations.ts';
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';
import { ServiceError } from '../../contract/errors.ts';
import { maxOutcomes, outcomeReport } from '../../contract/outcomes.ts';
import type { OutcomeReport, OutcomesAnswer } from '../../contract/outcomes.ts';
import { retentionCutoff } from '../../contract/plans.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { detailsOf } from '../../platform/http/request-validation.ts';
import { validationMessage } from '../../platform/http/validation-message.ts';
import { nestsDeeper } from '../../platform/json/index.ts';
import type { OutcomeRecord } from '../records/index.ts';
import type { OutcomesContext } from './outcomes-context.ts';

/** Milliseconds that a client's clock may be ahead (docs/semantics.md, "Time bounds"). */
const aheadMs = dayMs;
/** Maximum nesting: JSON.stringify recurses. */
const maxDepth = 100;

/**
 * Stores outcomes of traces (docs/semantics.md, "Reported outcomes"); resolves once the accepted ones are on disk. Each gets its id before it is written to
 * the log, so that a batch that is repeated after a crash stores none twice.
 *
 * @param body one outcome, or `{outcomes: [...]}`
 *
 * Errors: `payload_too_large` for too many, `invalid_request` when none can be accepted, `unavailable` when the log is full.
 */
export async function reportOutcomes(
  { clock, pipeline }: Pick<OutcomesContext, 'clock' | 'pipeline'>,
  { projectId, organizationId, plan }: Tenant,
  body: Readonly<Record<string, unknown>>,
): Promise<OutcomesAnswer> {
  const nowMs = clock.now();
  const times = { nowMs, oldestMs: retentionCutoff(plan, nowMs) };
  const rejected: OutcomesAnswer['rejected'] = [];
  const outcomes: OutcomeRecord[] = [];
  for (const [index, report] of reportsOf(body).entries()) {
    const read = readReport(report, times, projectId);
    if (typeof read === 'string') rejected.push({ index, code: 'invalid_request', error: read });
    else outcomes.push(read);
  }
  const [first] = rejected;
  if (outcomes.length === 0 && first) {
    throw new ServiceError('invalid_request', `No outcome could be used; outcome ${first.index}: ${first.error}`, {
      extra: { accepted: 0, rejected },
    });
  }
  await pipeline.accept({ projectId, organizationId }, { spans: [], scores: [], outcomes }, 0);
  return { accepted: outcomes.length, rejected };
}

function reportsOf({ projectId: _ofKey, ...body }: Readonly<Record<string, unknown>>): readonly unknown[] {
  if (!Object.hasOwn(body, 'outcomes')) return [body];
  const { outcomes, ...others } = body;
  if (!Array.isArray(outcomes) || outcomes.length === 0)
    throw new ServiceError('invalid_request', `Send one outcome, or 1 to ${maxOutcomes} of them as the array outcomes.`);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw new ServiceError('invalid_request', 'Send the array outcomes alone; the fields of an outcome go into its entries.', {
      details: [{ path: `/${unknown}`, message: 'is not a known field; leave it out' }],
    });
  }
  if (outcomes.length > maxOutcomes) {
    throw new ServiceError(
      'payload_too_large',
      `The body has more than ${maxOutcomes} outcomes; send at most ${maxOutcomes} in one request.`,
    );
  }
  return outcomes;
}

/** An outcome as it is stored, or a sentence that says why it is rejected. */
function readReport(
  report: unknown,
  { nowMs, oldestMs }: { nowMs: number; oldestMs: number },
  projectId: string,
): OutcomeRecord | string {
  if (nestsDeeper(report, maxDepth)) return `The outcome nests more than ${maxDepth} levels deep; flatten it.`;
  const { data, error } = outcomeReport.safeParse(report, { error: validationMessage });
  if (error) {
    const [detail] = detailsOf(error);
    const field = detail?.path.slice(1) ?? '';
    if (field === '') return `The outcome ${detail?.message}.`;
    return `${field} ${Object.hasOwn(report as object, field) ? detail?.message : 'is required'}.`;
  }
  const occurredMs = data.occurredAt == null ? nowMs : Date.parse(data.occurredAt);
  if (occurredMs > nowMs + aheadMs) return "occurredAt is more than 24 hours ahead; check the sender's clock.";
  if (occurredMs < oldestMs) return "occurredAt is older than the plan's retention; it would not be shown.";
  return recordOf(data, occurredMs, outcomeIdOf(data, projectId, nowMs));
}

/** The same for the same idempotency key in a project; otherwise a new one. */
function outcomeIdOf({ idempotencyKey }: OutcomeReport, projectId: string, nowMs: number): string {
  return idempotencyKey == null ? uuidv7({ msecs: nowMs }) : uuidv5(idempotencyKey, projectId);
}

function recordOf(report: OutcomeReport, occurredMs: number, outcomeId: string): OutcomeRecord {
  const { traceId, kind, value, currency, success, idempotencyKey, metadata } = report;
  return {
    outcomeId,
    traceId,
    kind,
    occurredMs,
    value: value ?? null,
    currency: currency ?? 'USD',
    success: success ?? null,
    idempotencyKey: idempotencyKey ?? '',
    metadata: metadata == null ? '' : JSON.stringify(metadata),
  };
}
