import { Budget, budgetsPerCheck, OverBudget, stepsPerGuardrail } from './budget.ts';
import type { Bundle, CompiledGuardrail } from './compile-bundle.ts';
import type { Detection, DetectOptions, Detector } from './detector.ts';
import { placeholderOf } from './detector.ts';
import { mergeReplacements, replaceRanges } from './redact.ts';
import type { Replacement } from './redact.ts';
import type { CheckAction, CheckOutcome, CheckRequest, GuardrailResult, Match, Verdict } from './types.ts';

const maxMatches = 100;
const strictness: Record<CheckAction, number> = { allow: 0, flag: 1, redact: 2, block: 3 };

/** A guardrail that is asked for is not in the bundle. */
export class UnknownGuardrailError extends Error {
  readonly slugs: readonly string[];

  constructor(slugs: readonly string[]) {
    super(`There is no guardrail ${slugs.map((slug) => `"${slug}"`).join(', ')}. Name guardrails by their slug.`);
    this.name = 'UnknownGuardrailError';
    this.slugs = slugs;
  }
}

/** A check took more steps than it was given: {@link CheckOptions.giveUpAfter}. */
export class CheckGivenUp extends Error {
  constructor() {
    super('The check takes more steps than it was given.');
    this.name = 'CheckGivenUp';
  }
}

export interface CheckOptions {
  /** Verdicts of remote guardrails (judges), by slug. One without a verdict failed, unless the text is blocked without it. */
  verdicts?: Readonly<Record<string, Verdict>> | undefined;
  /** The time in milliseconds, for `latencyMs`. The system's clock by default. */
  now?: (() => number) | undefined;
  /** Steps that each guardrail may take; what takes more has failed. About a second by default. */
  steps?: number | undefined;
  /**
   * Steps of all guardrails together after which there is no answer but {@link CheckGivenUp}, so that the caller can check elsewhere. By default there is
   * an answer whatever the check takes.
   */
  giveUpAfter?: number | undefined;
}

/** The guardrails that a check runs, in their order. Errors: {@link UnknownGuardrailError}. */
export function guardrailsFor(bundle: Bundle, { stage = 'input', environment, guardrails }: CheckRequest): CompiledGuardrail[] {
  const unknown = (guardrails ?? []).filter((slug) => !bundle.guardrails.some((guardrail) => guardrail.slug === slug));
  if (unknown.length > 0) throw new UnknownGuardrailError(unknown);
  return bundle.guardrails.filter(
    (guardrail) =>
      guardrail.enabled !== false &&
      (guardrail.stage === 'both' || guardrail.stage === stage) &&
      (guardrail.environments == null || (environment !== undefined && guardrail.environments.includes(environment))) &&
      (guardrails === undefined || guardrails.includes(guardrail.slug)),
  );
}

/**
 * Checks a text against the guardrails of a bundle. Every guardrail looks at the text as sent. The answer depends on nothing but the bundle, the
 * request and the verdicts, `latencyMs` aside.
 *
 * Remote guardrails are for the caller: `checkText` without verdicts gives the answer of the local ones; where none of these blocks, the caller asks the
 * judges and adds their verdicts ({@link withVerdicts}). A judge without a verdict is skipped while the text may continue, and has failed otherwise.
 *
 * Errors: {@link UnknownGuardrailError}; {@link CheckGivenUp} with `giveUpAfter`.
 */
export function checkText(bundle: Bundle, request: CheckRequest, options: CheckOptions = {}): CheckOutcome {
  const { text, final = true } = request;
  const running = guardrailsFor(bundle, request);
  const local = new Map<string, Ran>();
  const purse: Purse = { left: options.giveUpAfter ?? (options.steps ?? stepsPerGuardrail) * budgetsPerCheck };
  const once = detectionsOf(text, final, purse, options);
  for (const guardrail of running) if (guardrail.detector) local.set(guardrail.slug, run(guardrail, final, once, options));
  const blocked = [...local.values()].some(({ result }) => result.action === 'block');
  const results = running.map(
    (guardrail) => local.get(guardrail.slug)?.result ?? judged(guardrail, options.verdicts?.[guardrail.slug], blocked, final),
  );
  const replacements = mergeReplacements(
    running.flatMap((guardrail, index) =>
      (local.get(guardrail.slug)?.redacted ?? []).map((match) => replacement(guardrail, match, index)),
    ),
  );
  return {
    action: strictestOf(results),
    text: replaceRanges(text, replacements),
    results,
    safeUntil: final ? text.length : Math.min(text.length, ...running.map(({ slug }) => local.get(slug)?.safeUntil ?? 0)),
    replacements,
  };
}

/**
 * The answer of a check with the verdicts of its judges.
 *
 * @param outcome what {@link checkText} answered to the request without them; no local guardrail blocks
 */
export function withVerdicts(
  bundle: Pick<Bundle, 'guardrails'>,
  { final = true }: CheckRequest,
  outcome: CheckOutcome,
  verdicts: Readonly<Record<string, Verdict>>,
): CheckOutcome {
  const bySlug = new Map(bundle.guardrails.map((guardrail) => [guardrail.slug, guardrail]));
  const results = outcome.results.map((result) => {
    const guardrail = bySlug.get(result.guardrail);
    return guardrail?.type === 'llm_judge' ? judged(guardrail, verdicts[guardrail.slug], false, final) : result;
  });
  return { ...outcome, action: strictestOf(results), results };
}

/** The answer of a check whose local guardrails could not run at all. Errors: {@link UnknownGuardrailError}. */
export function failedCheck(bundle: Pick<Bundle, 'guardrails'>, request: CheckRequest, reason: string): CheckOutcome {
  const { text, final = true } = request;
  const running = guardrailsFor(bundle, request);
  const isLocal = ({ type }: CompiledGuardrail) => type !== 'llm_judge';
  const blocked = running.some((guardrail) => isLocal(guardrail) && guardrail.onError === 'block');
  const results = running.map((guardrail) =>
    isLocal(guardrail) ? failedResult(guardrail, reason, 0) : judged(guardrail, undefined, blocked, final),
  );
  const safeUntil = final || running.length === 0 ? text.length : 0;
  return { action: strictestOf(results), text, results, safeUntil, replacements: [] };
}

function strictestOf(results: readonly GuardrailResult[]): CheckAction {
  return results.reduce<CheckAction>(
    (strictest, { action }) => (strictness[action] > strictness[strictest] ? action : strictest),
    'allow',
  );
}

function replacement({ detector }: CompiledGuardrail, match: Match, guardrail: number): Replacement {
  return { start: match.start, end: match.end, with: detector?.placeholder?.(match) ?? placeholderOf(match.label), guardrail };
}

interface Ran {
  result: GuardrailResult;
  /** Every match, if the guardrail redacts. */
  redacted: readonly Match[];
  safeUntil: number;
}

/** Steps that are left for a check. */
interface Purse {
  left: number;
}

function run(guardrail: CompiledGuardrail, final: boolean, detect: Detect, { now = Date.now }: CheckOptions): Ran {
  const { slug, type, action } = guardrail;
  const started = now();
  const detection = detect(guardrail);
  const latencyMs = Math.max(0, now() - started);
  if (typeof detection === 'string') return { result: failedResult(guardrail, detection, latencyMs), redacted: [], safeUntil: 0 };
  const { triggered, matches, truncated, reason, safeUntil } = detection;
  return {
    result: {
      guardrail: slug,
      type,
      triggered,
      action: triggered ? action : 'allow',
      matches: matches.slice(0, maxMatches),
      reason,
      latencyMs,
      ...(truncated || matches.length > maxMatches ? { truncated: true } : {}),
    },
    redacted: action === 'redact' ? matches : [],
    safeUntil: type === 'max_length' && action === 'block' && !final ? 0 : safeUntil,
  };
}

/** What a guardrail found, or why it could not run. Errors: {@link CheckGivenUp}. */
type Detect = (guardrail: CompiledGuardrail) => Detection | string;

/** Runs detectors over a text: one that several guardrails share runs once for all that redact, and once for the others. */
function detectionsOf(text: string, final: boolean, purse: Purse, options: CheckOptions): Detect {
  const known = new Map<Detector, Map<number, Detection | string>>();
  return ({ detector, action }) => {
    if (!detector) return 'It is not local.';
    const limit = action === 'redact' ? Infinity : maxMatches;
    const byLimit = known.get(detector) ?? new Map<number, Detection | string>();
    const detection = byLimit.get(limit) ?? detect(detector, text, { limit, open: !final }, purse, options);
    known.set(detector, byLimit.set(limit, detection));
    return detection;
  };
}

function detect(
  detector: Detector,
  text: string,
  how: Omit<DetectOptions, 'budget'>,
  purse: Purse,
  { steps = stepsPerGuardrail, giveUpAfter }: CheckOptions,
): Detection | string {
  const given = Math.min(steps, purse.left);
  const budget = new Budget(given);
  const detection = withinBudget(() => detector.detect(text, { ...how, budget }));
  purse.left -= given - Math.max(0, budget.left);
  // Also where a detector went on without the steps: with more of them it would answer otherwise.
  if (giveUpAfter !== undefined && budget.left < 0 && purse.left <= 0) throw new CheckGivenUp();
  return detection;
}

/** What `work` returns, or the message of {@link OverBudget}. */
function withinBudget<T>(work: () => T): T | string {
  try {
    return work();
  } catch (error) {
    if (error instanceof OverBudget) return error.message;
    throw error;
  }
}

function failedResult({ slug, type, onError }: CompiledGuardrail, reason: string, latencyMs: number): GuardrailResult {
  return { guardrail: slug, type, ...failure(onError, reason), matches: [], latencyMs, failed: true };
}

function judged(
  { slug, type, action, onError }: CompiledGuardrail,
  verdict: Verdict | undefined,
  blocked: boolean,
  final: boolean,
): GuardrailResult {
  const base = { guardrail: slug, type, matches: [], latencyMs: verdict?.latencyMs ?? 0 };
  if (blocked || (!final && !verdict))
    return { ...base, triggered: false, action: 'allow', reason: null, latencyMs: 0, skipped: true };
  if (!verdict) return { ...base, ...failure(onError, 'It was not asked.'), failed: true };
  if ('failed' in verdict) return { ...base, ...failure(onError, verdict.reason), failed: true };
  const { triggered, reason } = verdict;
  return { ...base, triggered, action: triggered ? action : 'allow', reason };
}

function failure(onError: 'allow' | 'block', reason: string): Pick<GuardrailResult, 'triggered' | 'action' | 'reason'> {
  return { triggered: onError === 'block', action: onError === 'block' ? 'block' : 'allow', reason };
}
