export { budgetsPerCheck, stepsPerGuardrail } from './budget.ts';
export { CheckGivenUp, checkText, failedCheck, guardrailsFor, UnknownGuardrailError, withVerdicts } from './check.ts';
export type { CheckOptions } from './check.ts';
export { BundleError, compileBundle, compileInSteps } from './compile-bundle.ts';
export type { Bundle, CompiledGuardrail } from './compile-bundle.ts';
export type { Problem } from './config-fields.ts';
export type { JsonSchema } from './config-rules.ts';
export { piiEntities } from './detectors/pii.ts';
export { secretLabels } from './entities/secrets.ts';
export { compilePattern, PatternError } from './pattern.ts';
export type { Pattern, PatternErrorCode, PatternOptions } from './pattern.ts';
export { compilePatterns, PatternSetError } from './pattern-set.ts';
export type { FindOptions, PatternConfig, PatternMatch, PatternMatches, PatternProblem, PatternSet } from './pattern-set.ts';
export type { Replacement } from './redact.ts';
export { byRunningOrder } from './running-order.ts';
export { TextStream } from './text-stream.ts';
export type { LastStep, StreamStep } from './text-stream.ts';
export type {
  CheckAction,
  CheckOutcome,
  CheckRequest,
  Guardrail,
  GuardrailAction,
  GuardrailResult,
  GuardrailType,
  Match,
  Stage,
  Verdict,
} from './types.ts';
export {
  canRedact,
  configFields,
  configSchema,
  configWithDefaults,
  guardrailTypes,
  measureConfig,
  validateConfig,
} from './validate-config.ts';
