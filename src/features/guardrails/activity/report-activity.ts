import { dayMs } from '../../../contract/durations.ts';
import { guardrailReport } from '../../../contract/guardrails.ts';
import type { GuardrailReport, ReportAnswer } from '../../../contract/guardrails.ts';
import { retentionCutoff } from '../../../contract/plans.ts';
import type { Clock } from '../../../platform/clock/clock.ts';
import type { Tenant } from '../../../platform/http/index.ts';
import { detailsOf } from '../../../platform/http/request-validation.ts';
import { validationMessage } from '../../../platform/http/validation-message.ts';
import type { GuardrailActivityRecord } from '../../records/index.ts';
import type { IngestPipeline } from '../../trace-store/index.ts';
import type { PolicyCache } from '../policies/policy-cache.ts';

/** Dependencies of a report. */
export interface ReportContext {
  clock: Clock;
  pipeline: Pick<IngestPipeline, 'accept'>;
  policies: Pick<PolicyCache, 'get'>;
}

/** Milliseconds that a client's clock may be ahead (docs/semantics.md, "Time bounds"). */
const aheadMs = dayMs;

/**
 * Adds to the activity what the SDK checked (docs/semantics.md, "Guardrail activity"); resolves once it is on disk.
 *
 * Errors: `unavailable` when the log is full.
 */
export async function reportActivity(
  { clock, pipeline, policies }: ReportContext,
  { projectId, organizationId, plan }: Tenant,
  reports: readonly unknown[],
): Promise<ReportAnswer> {
  const nowMs = clock.now();
  const oldestMs = retentionCutoff(plan, nowMs);
  const rejected: ReportAnswer['rejected'] = [];
  const accepted: GuardrailReport[] = [];
  for (const [index, report] of reports.entries()) {
    const read = readReport(report, oldestMs, nowMs + aheadMs);
    if (typeof read === 'string') rejected.push({ index, code: 'invalid_request', error: read });
    else accepted.push(read);
  }
  const { guardrails } = await policies.get(projectId);
  const types = new Map(guardrails.map(({ slug, type }) => [slug, type]));
  // Of two reports with one id the last counts.
  const latest = [...new Map(accepted.map((report) => [report.reportId, report])).values()];
  const guardrailActivity = recordsOf(latest, (slug) => types.get(slug) ?? '');
  await pipeline.accept({ projectId, organizationId }, { spans: [], scores: [], guardrailActivity }, 0);
  return { accepted: accepted.length, rejected };
}

/** A valid report, or a sentence that says what is wrong with it. */
function readReport(report: unknown, oldestMs: number, newestMs: number): GuardrailReport | string {
  const { data, error } = guardrailReport.safeParse(report, { error: validationMessage });
  if (error) {
    const [detail] = detailsOf(error);
    return `Correct the report: ${detail?.path === '' ? 'it' : detail?.path} ${detail?.message}.`;
  }
  const atMs = Date.parse(data.at);
  if (atMs < oldestMs) return 'Send reports that are newer than the retention of the plan.';
  if (atMs > newestMs) return 'Correct the clock: at is more than 24 hours ahead.';
  return data;
}

/**
 * A row for each report. Reports of the same moment, stage and environment are of the same checks, which several guardrails looked at: the first of them
 * has the counts of the checks.
 */
function recordsOf(reports: readonly GuardrailReport[], typeOf: (slug: string) => string): GuardrailActivityRecord[] {
  const groups = Map.groupBy(reports, ({ at, stage, environment }) => `${Date.parse(at)} ${stage} ${environment ?? ''}`);
  return [...groups.values()].flatMap((group) =>
    group.map((report, index): GuardrailActivityRecord => {
      const { guardrail, stage, environment, at, reportId, checks, flagged, redacted, blocked, failed } = report;
      const none = { checks: 0, flagged: 0, redacted: 0, blocked: 0, failed: 0 };
      return {
        activityId: `report ${reportId}`,
        atMs: Date.parse(at),
        stage,
        environment: environment ?? '',
        ...(index === 0 ? countsOfChecks(group) : none),
        guardrails: [{ guardrail, type: typeOf(guardrail), checks, flagged, redacted, blocked, failed, latencies: [] }],
      };
    }),
  );
}

/** The least counts of checks, by their strictest action, that agree with the counts of their guardrails. */
function countsOfChecks(group: readonly GuardrailReport[]) {
  const most = (count: (report: GuardrailReport) => number) => Math.max(...group.map(count));
  const checks = most((report) => report.checks);
  const blocked = most((report) => report.blocked);
  const redacted = Math.min(
    checks - blocked,
    most((report) => report.redacted),
  );
  const flagged = Math.min(
    checks - blocked - redacted,
    most((report) => report.flagged),
  );
  return { checks, flagged, redacted, blocked, failed: most((report) => report.failed) };
}
