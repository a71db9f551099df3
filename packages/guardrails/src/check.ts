import { Budget, OverBudget } from './budget.ts';
import type { Bundle, CompiledGuardrail } from './compile-bundle.ts';
import type { Detection } from './detector.ts';
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

export interface CheckOptions {
  /** Verdicts of remote guardrails (judges), by slug. One without a verdict failed, unless the text is blocked without it. */
  verdicts?: Readonly<Record<string, Verdict>> | undefined;
  /** The time in milliseconds, for `latencyMs`. The system's clock by default. */
  now?: (() => number) | undefined;
  /** Steps that each guardrail may take; what takes more has failed. About a second by default. */
  steps?: number | undefined;
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
 * Remote guardrails are for the caller: `checkText` without verdicts gives the answer of the local ones; where its action is not `block`, the caller asks
 * the judges and checks again with their verdicts.
 *
 * Errors: {@link UnknownGuardrailError}.
 */
export function checkText(bundle: Bundle, request: CheckRequest, options: CheckOptions = {}): CheckOutcome {
  const { text, final = true } = request;
  const { now = Date.now } = options;
  const running = guardrailsFor(bundle, request);
  const local = new Map<string, Ran>();
  for (const guardrail of running)
    if (guardrail.detector) local.set(guardrail.slug, run(guardrail, text, final, now, options.steps));
  const blocked = [...local.values()].some(({ result }) => result.action === 'block');
  const results = running.map(
    (guardrail) => local.get(guardrail.slug)?.result ?? judged(guardrail, options.verdicts?.[guardrail.slug], blocked),
  );
  const replacements = mergeReplacements(
    running.flatMap((guardrail, index) =>
      (local.get(guardrail.slug)?.redacted ?? []).map((match) => replacement(guardrail, match, index)),
    ),
  );
  return {
    action: results.reduce<CheckAction>(
      (strictest, { action }) => (strictness[action] > strictness[strictest] ? action : strictest),
      'allow',
    ),
    text: replaceRanges(text, replacements),
    results,
    safeUntil: final ? text.length : Math.min(text.length, ...running.map(({ slug }) => local.get(slug)?.safeUntil ?? 0)),
    replacements,
  };
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

function run(guardrail: CompiledGuardrail, text: string, final: boolean, now: () => number, steps?: number): Ran {
  const { slug, type, action, onError } = guardrail;
  const started = now();
  const detection = detect(guardrail, text, final, steps);
  const latencyMs = Math.max(0, now() - started);
  if (typeof detection === 'string') {
    const failed = failure(onError, detection);
    return { result: { guardrail: slug, type, ...failed, matches: [], latencyMs, failed: true }, redacted: [], safeUntil: 0 };
  }
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

/** What a guardrail found, or why it could not run. */
function detect({ detector, action }: CompiledGuardrail, text: string, final: boolean, steps?: number): Detection | string {
  try {
    const limit = action === 'redact' ? Infinity : maxMatches;
    return detector?.detect(text, { budget: new Budget(steps), limit, open: !final }) ?? 'It is not local.';
  } catch (error) {
    if (error instanceof OverBudget) return error.message;
    throw error;
  }
}

function judged(
  { slug, type, action, onError }: CompiledGuardrail,
  verdict: Verdict | undefined,
  blocked: boolean,
): GuardrailResult {
  const base = { guardrail: slug, type, matches: [], latencyMs: verdict?.latencyMs ?? 0 };
  if (blocked) return { ...base, triggered: false, action: 'allow', reason: null, latencyMs: 0, skipped: true };
  if (!verdict) return { ...base, ...failure(onError, 'It was not asked.'), failed: true };
  if ('failed' in verdict) return { ...base, ...failure(onError, verdict.reason), failed: true };
  const { triggered, reason } = verdict;
  return { ...base, triggered, action: triggered ? action : 'allow', reason };
}

function failure(onError: 'allow' | 'block', reason: string): Pick<GuardrailResult, 'triggered' | 'action' | 'reason'> {
  return { triggered: onError === 'block', action: onError === 'block' ? 'block' : 'allow', reason };
}
