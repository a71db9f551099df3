import type { Problem } from './config-fields.ts';
import type { Detector } from './detector.ts';
import { PatternPool } from './pattern-pool.ts';
import { byRunningOrder } from './running-order.ts';
import type { Guardrail } from './guardrail.ts';
import { describeType } from './types/index.ts';
import type { GuardrailType } from './types/index.ts';
import { configWithDefaults, validateConfig } from './validate-config.ts';

/** A guardrail with its detector; a remote one (a judge) has none. */
export interface CompiledGuardrail extends Guardrail {
  detector?: Detector;
}

/** Guardrails that are ready to check texts, in the order in which they run. */
export interface Bundle {
  readonly guardrails: readonly CompiledGuardrail[];
}

/** Guardrails of a bundle have problems. */
export class BundleError extends Error {
  /** Each with the slug of its guardrail. Not empty. */
  readonly problems: ReadonlyArray<Problem & { guardrail: string }>;

  constructor(problems: ReadonlyArray<Problem & { guardrail: string }>) {
    super(problems.map(({ guardrail, message }) => `${guardrail}: ${message}`).join('\n'));
    this.name = 'BundleError';
    this.problems = problems;
  }
}

/** Whether the caller obtains the verdicts of a type (a judge). */
export function isRemote(type: GuardrailType): boolean {
  return describeType(type).detector === undefined;
}

/** Compiles guardrails: by priority, then by slug. Errors: {@link BundleError}, which names every problem. */
export function compileBundle(guardrails: readonly Guardrail[]): Bundle {
  const steps = compileInSteps(guardrails);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same in steps of a guardrail or pattern each, between which the caller may do something else. A first check has nothing left to compile. */
export function* compileInSteps(guardrails: readonly Guardrail[]): Generator<void, Bundle> {
  const problems: Array<Problem & { guardrail: string }> = [];
  for (const guardrail of guardrails) {
    if (isRemote(guardrail.type)) continue;
    for (const problem of validateConfig(guardrail)) problems.push({ guardrail: guardrail.slug, ...problem });
    yield;
  }
  if (problems.length > 0) throw new BundleError(problems);
  // Guardrails that are configured alike share a detector, so that a check runs it once. The values in a schema may be nested too deeply for a key.
  const known = new Map<string, Detector>();
  const pool = new PatternPool(
    guardrails.flatMap(({ type, config }) => {
      const patterns = describeType(type).patternsOf?.(config);
      return patterns ? [patterns] : [];
    }),
  );
  const detectorOf = function* ({ type, config }: Guardrail): Generator<void, Detector | undefined> {
    const { detector, deep } = describeType(type);
    if (!detector || deep) return detector?.(config, pool);
    const key = `${type} ${JSON.stringify(configWithDefaults(type, config))}`;
    const same = known.get(key);
    if (same) return same;
    const made = detector(config, pool);
    known.set(key, made);
    if (made.prepare) yield* made.prepare();
    return made;
  };
  const compiled: CompiledGuardrail[] = [];
  for (const guardrail of [...guardrails].sort(byRunningOrder)) {
    const detector = yield* detectorOf(guardrail);
    compiled.push(detector ? { ...guardrail, detector } : guardrail);
    yield;
  }
  return { guardrails: compiled };
}
