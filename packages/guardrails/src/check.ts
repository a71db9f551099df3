import { Budget, budgetsPerCheck, OverBudget, stepsPerGuardrail } from './budget.ts';
import { isRemote } from './compile-bundle.ts';
import type { Bundle, CompiledGuardrail } from './compile-bundle.ts';
import type { Detection, DetectOptions, Detector } from './detector.ts';
import { placeholderOf } from './detector.ts';
import { mergeReplacements, replaceRanges } from './redact.ts';
import type { Replacement } from './redact.ts';
import { TextWork } from './text-work.ts';
import { describeType } from './types/index.ts';
import type { CheckAction, CheckOutcome, CheckRequest, GuardrailResult, Verdict } from './guardrail.ts';

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
  /** Offset at which the search begins. What stands before it is context, such as the character in front of a word; no match begins there. 0 by default. */
  from?: number | undefined;
  /** Code points in front of the text, which count for `max_length`. 0 by default. */
  charactersBefore?: number | undefined;
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
  const local = runLocal(running, text, final, options);
  const blocked = local.some((ran) => ran?.result.action === 'block');
  const results = running.map(
    (guardrail, index) => local[index]?.result ?? judged(guardrail, options.verdicts?.[guardrail.slug], blocked, final),
  );
  const replacements = mergeReplacements(
    local.flatMap((ran, index) => (ran?.redacted ? replacementsOf(ran.redacted, index) : [])),
  );
  return {
    action: strictestOf(results),
    text: replaceRanges(text, replacements),
    results,
    safeUntil: final ? text.length : Math.min(text.length, ...local.map((ran) => ran?.safeUntil ?? 0)),
    replacements,
  };
}

/** What local guardrails found; null for a judge. Errors: {@link CheckGivenUp}. */
function runLocal(running: readonly CompiledGuardrail[], text: string, final: boolean, options: CheckOptions): Array<Ran | null> {
  const work = new TextWork(text);
  const once = detectionsOf(work, final, options);
  const { now = Date.now } = options;
  let started = now();
  try {
    return running.map((guardrail) => {
      if (!guardrail.detector) return null;
      const detection = once(guardrail, guardrail.detector);
      const ended = now();
      const latencyMs = Math.max(0, ended - started);
      started = ended;
      return ranOf(guardrail, final, detection, latencyMs);
    });
  } finally {
    work.close();
  }
}

/**
 * The answer of a check with the verdicts of its judges.
 *
 * @param outcome what {@link checkText} answered to the request without them; no local guardrail blocks
 */
export function withVerdicts<Outcome extends Pick<CheckOutcome, 'action' | 'results'>>(
  bundle: Pick<Bundle, 'guardrails'>,
  { final = true }: CheckRequest,
  outcome: Outcome,
  verdicts: Readonly<Record<string, Verdict>>,
): Outcome {
  const bySlug = new Map(bundle.guardrails.map((guardrail) => [guardrail.slug, guardrail]));
  const results = outcome.results.map((result) => {
    const guardrail = bySlug.get(result.guardrail);
    return guardrail && isRemote(guardrail.type) ? judged(guardrail, verdicts[guardrail.slug], false, final) : result;
  });
  return { ...outcome, action: strictestOf(results), results };
}

/** The answer of a check whose local guardrails could not run at all. Errors: {@link UnknownGuardrailError}. */
export function failedCheck(bundle: Pick<Bundle, 'guardrails'>, request: CheckRequest, reason: string): CheckOutcome {
  const { text, final = true } = request;
  const running = guardrailsFor(bundle, request);
  const isLocal = ({ type }: CompiledGuardrail) => !isRemote(type);
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

/** What a guardrail that redacts replaces. */
function replacementsOf({ matches, placeholders }: Detection, guardrail: number): Replacement[] {
  const ofLabel = new Map<string, string>();
  return matches.map(({ start, end, label }, index) => {
    const placeholder = placeholders?.[index] ?? ofLabel.get(label) ?? placeholderOf(label);
    ofLabel.set(label, placeholder);
    return { start, end, with: placeholder, guardrail };
  });
}

interface Ran {
  result: GuardrailResult;
  /** Every match, if the guardrail redacts. */
  redacted: Detection | null;
  safeUntil: number;
}

/** Steps that are left for a check. */
interface StepBudget {
  left: number;
}

function ranOf(guardrail: CompiledGuardrail, final: boolean, detection: Detection | string, latencyMs: number): Ran {
  const { slug, type, action } = guardrail;
  if (typeof detection === 'string')
    return { result: failedResult(guardrail, detection, latencyMs), redacted: null, safeUntil: 0 };
  const { triggered, matches, truncated, reason } = detection;
  const result: GuardrailResult = {
    guardrail: slug,
    type,
    triggered,
    action: triggered ? action : 'allow',
    matches: matches.slice(0, maxMatches),
    reason,
    latencyMs,
  };
  if (truncated || matches.length > maxMatches) result.truncated = true;
  return {
    result,
    redacted: action === 'redact' ? detection : null,
    safeUntil: heldUntil(guardrail, final, detection),
  };
}

/** `safeUntil` of a guardrail. One that blocks by the length holds a text back until its end; one that only flags by the whole holds nothing back. */
function heldUntil({ type, action }: CompiledGuardrail, final: boolean, { safeUntil }: Detection): number {
  if (final) return safeUntil;
  if (type === 'max_length' && action === 'block') return 0;
  return describeType(type).decidesAtEnd && action === 'flag' ? Infinity : safeUntil;
}

/** What a guardrail found, or why it could not run. Errors: {@link CheckGivenUp}. */
type Detect = (guardrail: CompiledGuardrail, detector: Detector) => Detection | string;

/** Runs detectors over a text: one that several guardrails share runs once for all that redact, and once for the others. */
function detectionsOf(work: TextWork, final: boolean, options: CheckOptions): Detect {
  const redacting = new Map<Detector, Detection | string>();
  const reporting = new Map<Detector, Detection | string>();
  const remaining: StepBudget = { left: options.giveUpAfter ?? (options.steps ?? stepsPerGuardrail) * budgetsPerCheck };
  const { from = 0, charactersBefore = 0 } = options;
  return ({ action }, detector) => {
    const [known, limit] = action === 'redact' ? [redacting, Infinity] : [reporting, maxMatches];
    const earlier = known.get(detector);
    if (earlier !== undefined) return earlier;
    const budget = new Budget(Math.min(options.steps ?? stepsPerGuardrail, remaining.left));
    const detection = withinBudget(detector, { work, budget, limit, open: !final, from, charactersBefore }, remaining, options);
    known.set(detector, detection);
    return detection;
  };
}

/** What a detector finds, or the message of {@link OverBudget}. Its steps are taken from those that remain. */
function withinBudget(
  detector: Detector,
  how: DetectOptions,
  remaining: StepBudget,
  { giveUpAfter }: CheckOptions,
): Detection | string {
  const { budget } = how;
  const given = budget.left;
  let detection: Detection | string;
  try {
    detection = detector.detect(how);
  } catch (error) {
    if (!(error instanceof OverBudget)) throw error;
    detection = error.message;
  }
  remaining.left -= given - Math.max(0, budget.left);
  // Also where a detector went on without the steps: with more of them it would answer otherwise.
  if (giveUpAfter !== undefined && budget.left < 0 && remaining.left <= 0) throw new CheckGivenUp();
  return detection;
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
