import type { Problem } from './config-fields.ts';
import type { Detector } from './detector.ts';
import { blocklistDetector } from './detectors/blocklist.ts';
import type { BlocklistConfig } from './detectors/blocklist.ts';
import { jsonSchemaDetector } from './detectors/json-schema.ts';
import type { JsonSchemaConfig } from './detectors/json-schema.ts';
import { maxLengthDetector } from './detectors/max-length.ts';
import type { MaxLengthConfig } from './detectors/max-length.ts';
import { piiDetector } from './detectors/pii.ts';
import type { PiiConfig } from './detectors/pii.ts';
import { promptInjectionDetector } from './detectors/prompt-injection.ts';
import type { PromptInjectionConfig } from './detectors/prompt-injection.ts';
import { regexDetector } from './detectors/regex.ts';
import type { RegexConfig } from './detectors/regex.ts';
import { secretsDetector } from './detectors/secrets.ts';
import type { SecretsConfig } from './detectors/secrets.ts';
import { PatternPool } from './pattern-pool.ts';
import { byRunningOrder } from './running-order.ts';
import type { Guardrail, GuardrailType } from './types.ts';
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

// Configurations reach these after `validateConfig`.
const detectors: Record<Exclude<GuardrailType, 'llm_judge'>, (config: unknown, pool: PatternPool) => Detector> = {
  regex: (config, pool) => regexDetector(config as RegexConfig, pool),
  blocklist: (config) => blocklistDetector(config as BlocklistConfig),
  pii: (config) => piiDetector(config as PiiConfig),
  secrets: (config) => secretsDetector(config as SecretsConfig),
  prompt_injection: (config) => promptInjectionDetector(config as PromptInjectionConfig),
  max_length: (config) => maxLengthDetector(config as MaxLengthConfig),
  json_schema: (config) => jsonSchemaDetector(config as JsonSchemaConfig),
};

/** Compiles guardrails: by priority, then by slug. Errors: {@link BundleError}, which names every problem. */
export function compileBundle(guardrails: readonly Guardrail[]): Bundle {
  const steps = compileInSteps(guardrails);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same in steps of one guardrail each, between which the caller may do something else. */
export function* compileInSteps(guardrails: readonly Guardrail[]): Generator<void, Bundle> {
  const problems: Array<Problem & { guardrail: string }> = [];
  for (const guardrail of guardrails) {
    if (guardrail.type === 'llm_judge') continue;
    for (const problem of validateConfig(guardrail)) problems.push({ guardrail: guardrail.slug, ...problem });
    yield;
  }
  if (problems.length > 0) throw new BundleError(problems);
  // Guardrails that are configured alike share a detector, so that a check runs it once. The values in a schema may be nested too deeply for a key.
  const known = new Map<string, Detector>();
  const pool = new PatternPool(
    guardrails.flatMap(({ type, config }) => (type === 'regex' ? [(config as RegexConfig).patterns] : [])),
  );
  const detectorOf = (type: Exclude<GuardrailType, 'llm_judge'>, config: unknown) => {
    if (type === 'json_schema') return detectors[type](config, pool);
    const key = `${type} ${JSON.stringify(configWithDefaults(type, config))}`;
    const detector = known.get(key) ?? detectors[type](config, pool);
    known.set(key, detector);
    return detector;
  };
  const compiled: CompiledGuardrail[] = [];
  for (const guardrail of [...guardrails].sort(byRunningOrder)) {
    const { type, config } = guardrail;
    compiled.push(type === 'llm_judge' ? guardrail : { ...guardrail, detector: detectorOf(type, config) });
    yield;
  }
  return { guardrails: compiled };
}
