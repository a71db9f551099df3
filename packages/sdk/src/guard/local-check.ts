import { checkText, guardrailsFor, withVerdicts } from '../../../guardrails/src/index.ts';
import type { CheckOutcome, Verdict } from '../../../guardrails/src/index.ts';
import type { LoadedBundle } from './bundles.ts';
import { checkRemotely } from './remote-check.ts';
import type { Service } from '../service.ts';
import type { CheckAnswer, CheckStage } from './wire.ts';

/** What is checked. */
export interface CheckedText {
  text: string;
  stage: CheckStage;
  environment: string | undefined;
  /** Slugs of the bundle; all by default. */
  guardrails: readonly string[] | undefined;
  final: boolean;
  traceId: string | undefined;
  parentSpanId: string | undefined;
}

/** Steps of a check after which the service is asked to do it: about a quarter of a second of the application's thread. */
export const stepsHere: number = 10_000_000;

/** Milliseconds since an arbitrary start, in the finest resolution of the runtime. */
export const now = (): number => globalThis.performance?.now() ?? Date.now();

/** Milliseconds to the microsecond. */
export const rounded = (ms: number): number => Math.round(ms * 1_000) / 1_000;

/**
 * The local guardrails of a bundle over a text, in the application's thread.
 *
 * @param giveUpAfter steps after which there is no answer; by default there is one, up to some two seconds later. Errors: CheckGivenUp
 */
export function checkHere({ bundle }: LoadedBundle, request: CheckedText, giveUpAfter?: number): CheckOutcome {
  const { text, stage, guardrails, final } = request;
  return checkText(bundle, { text, stage, guardrails, final }, { now, giveUpAfter });
}

/** The answer with the verdicts of judges, whom the service asks, unless something local blocks or the text may continue. Never rejects. */
export async function judged(
  service: Service,
  { bundle }: LoadedBundle,
  request: CheckedText,
  local: CheckOutcome,
  onOutdated: () => void,
): Promise<CheckOutcome> {
  const { stage, guardrails } = request;
  const judges = guardrailsFor(bundle, { text: '', stage, guardrails }).flatMap(({ slug, type }) =>
    type === 'llm_judge' ? [slug] : [],
  );
  if (judges.length === 0 || local.results.some(({ skipped }) => skipped)) return local;
  const answer = await checkRemotely(service, { ...request, guardrails: judges, count: false }).catch(
    (error: unknown) => error as Error,
  );
  if (answer instanceof Error) {
    service.report(answer);
    // A judge that is unknown to the service is none of its current policies.
    if (answer instanceof TypeError) onOutdated();
    const failed = { failed: true, reason: 'The judge could not be asked: the service did not answer.' } as const;
    return withVerdicts(bundle, request, local, Object.fromEntries(judges.map((slug) => [slug, failed])));
  }
  if (answer.results.length < judges.length) onOutdated();
  return withVerdicts(bundle, request, local, verdictsOf(answer));
}

function verdictsOf({ results }: CheckAnswer): Record<string, Verdict> {
  return Object.fromEntries(
    results.map(({ guardrail, triggered, failed, reason, latencyMs }) => [
      guardrail,
      failed ? { failed, reason: reason ?? '', latencyMs } : { triggered, reason, latencyMs },
    ]),
  );
}
