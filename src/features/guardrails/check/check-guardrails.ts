import { guardrailsFor, UnknownGuardrailError, withVerdicts } from '../../../../packages/guardrails/src/index.ts';
import type { CheckRequest, Guardrail } from '../../../../packages/guardrails/src/index.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { maxCheckedBytes } from '../../../contract/guardrails.ts';
import type { CheckAnswer, CheckBody } from '../../../contract/guardrails.ts';
import type { Clock } from '../../../platform/clock/clock.ts';
import { pooledUuid } from '../../../platform/crypto/pooled-uuid.ts';
import type { Tenant } from '../../../platform/http/index.ts';
import type { ActivityRecorder } from '../activity/activity-recorder.ts';
import type { PolicyCache } from '../policies/policy-cache.ts';
import type { ProjectPolicies } from '../policies/project-policies.ts';
import { checkSpan } from './check-span.ts';
import type { CheckedText } from './check-worker.ts';
import type { Judges } from './judges.ts';
import type { TextChecker } from './text-checker.ts';

/** Dependencies of a check. */
export interface CheckContext {
  clock: Clock;
  policies: Pick<PolicyCache, 'peek' | 'get'>;
  texts: Pick<TextChecker, 'check'>;
  judges: Pick<Judges, 'ask'>;
  activity: Pick<ActivityRecorder, 'add'>;
  /** A check of an environment without a record is refused. */
  strictEnvironments: boolean;
}

/**
 * Checks a text against the guardrails of a project (docs/semantics.md, "Guardrail checks"). The text is neither stored nor logged.
 *
 * Errors: `payload_too_large`; `invalid_request` for a guardrail that there is not, with `strictEnvironments` for such an environment too; `unavailable` when too many long texts wait.
 */
export async function checkGuardrails(context: CheckContext, tenant: Tenant, body: CheckBody): Promise<CheckAnswer> {
  const { clock, policies: cache, texts, activity } = context;
  const started = performance.now();
  const bytes = Buffer.byteLength(body.text);
  if (bytes > maxCheckedBytes)
    throw new ServiceError('payload_too_large', 'The text is longer than 256 KiB of UTF-8; check it in parts.');
  const policies = cache.peek(tenant.projectId) ?? (await cache.get(tenant.projectId));
  const request = {
    text: body.text,
    stage: body.stage,
    environment: body.environment,
    guardrails: body.guardrails,
    final: body.final,
  };
  const unknownEnvironment = body.environment !== undefined && !policies.environments.has(body.environment);
  if (unknownEnvironment && context.strictEnvironments) throw noEnvironment(body.environment);
  const running = runningOf(policies, request);
  const local = running.length === 0 ? nothingRuns(body.text) : await texts.check(policies, request, bytes);
  const judges = running.filter(({ type }) => type === 'llm_judge');
  const asks = judges.length > 0 && !local.results.some(({ skipped }) => skipped);
  const outcome = asks ? await judgedOutcome(context, { policies, judges, request }, local) : local;
  const nowMs = clock.now();
  const latencyMs = rounded(performance.now() - started);
  const checkId = pooledUuid(nowMs);
  for (const result of outcome.results) result.latencyMs = rounded(result.latencyMs);
  const { traceId, stage, environment = '' } = body;
  const span = traceId === undefined ? null : checkSpan(outcome, { ...body, traceId, checkId, nowMs, latencyMs });
  activity.add(tenant, { atMs: nowMs, stage, environment, outcome, isCounted: body.count }, span);
  const { action, text, results, safeUntil } = outcome;
  return {
    checkId,
    action,
    text,
    results,
    safeUntil,
    policyVersion: policies.revision,
    latencyMs,
    ...(unknownEnvironment && { unknownEnvironment }),
  };
}

function noEnvironment(name = ''): ServiceError {
  const message = `There is no environment "${name}" in this project. Create it, or correct the name.`;
  const details = [{ path: '/environment', message: 'is not an environment of this project' }];
  return new ServiceError('invalid_request', message, { details });
}

/** The guardrails that a check runs, in their order. Errors: `invalid_request`. */
function runningOf(policies: ProjectPolicies, request: CheckRequest): readonly Guardrail[] {
  try {
    return guardrailsFor(policies, request);
  } catch (error) {
    if (!(error instanceof UnknownGuardrailError)) throw error;
    const details = error.slugs.map((slug) => ({
      path: `/guardrails/${request.guardrails?.indexOf(slug)}`,
      message: 'is not a guardrail of this project',
    }));
    throw new ServiceError('invalid_request', error.message, { details, cause: error });
  }
}

/** Asks the judges. Not where something local blocks or the text may continue: they are skipped there. */
async function judgedOutcome(
  context: CheckContext,
  { policies, judges, request }: { policies: ProjectPolicies; judges: readonly Guardrail[]; request: CheckRequest },
  local: CheckedText,
): Promise<CheckedText> {
  const { text, stage = 'input' } = request;
  const verdicts = await context.judges.ask(judges, { projectId: policies.projectId, text, stage });
  return withVerdicts(policies, request, local, verdicts);
}

function nothingRuns(text: string): CheckedText {
  return { action: 'allow', text, results: [], safeUntil: text.length };
}

/** Milliseconds to the microsecond. */
function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
