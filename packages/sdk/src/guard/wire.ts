import type { CheckAction, GuardrailAction, GuardrailResult, GuardrailType, Stage } from '../../../guardrails/src/index.ts';

export type { CheckAction, GuardrailResult, GuardrailType } from '../../../guardrails/src/index.ts';
export type CheckStage = Exclude<Stage, 'both'>;

/** The answer of `POST /v1/guardrails/check`. */
export interface CheckAnswer {
  checkId: string;
  /** The strictest action of the guardrails that triggered. */
  action: CheckAction;
  /** The text with the matches of guardrails that redact replaced. */
  text: string;
  /** One for each guardrail that ran, in their order. */
  results: GuardrailResult[];
  /** Offset in the text as it was given: whatever follows, no match that begins before it appears, grows or goes. */
  safeUntil: number;
  /** The revision of the project's policies. */
  policyVersion: number;
  latencyMs: number;
  /** The project has no environment of this name: guardrails of environments did not run. */
  unknownEnvironment?: true | undefined;
}

/** A guardrail of a bundle. */
export interface BundledGuardrail {
  slug: string;
  name: string;
  type: GuardrailType;
  stage: Stage;
  action: GuardrailAction;
  /** Null of a remote one. */
  config: Record<string, unknown> | null;
  priority: number;
  onError: 'allow' | 'block';
  /** The service must check it. */
  remote: boolean;
}

/** The answer of `GET /v1/policy-bundle`. */
export interface PolicyBundle {
  version: number;
  etag: string;
  compiledAt: string;
  environment: string | null;
  /** The project has no environment of this name. */
  unknownEnvironment?: true | undefined;
  guardrails: BundledGuardrail[];
}

/** A report of `POST /v1/guardrails/report`: what one guardrail did. */
export interface GuardrailReport {
  guardrail: string;
  stage: CheckStage;
  environment?: string | null | undefined;
  /** ISO 8601. */
  at: string;
  checks: number;
  flagged: number;
  redacted: number;
  blocked: number;
  failed: number;
  /** A report with the same id replaces it. */
  reportId: string;
}
