import type { Match } from './match.ts';
import type { Replacement } from './redact.ts';
import type { GuardrailAction } from './types/guardrail-type.ts';
import type { GuardrailType } from './types/index.ts';

/** What texts a guardrail looks at: what goes to a model, what comes from it, or both. */
export type Stage = 'input' | 'output' | 'both';
/** The answer of a check, and of each guardrail. Strictest first: block, redact, flag, allow. */
export type CheckAction = GuardrailAction | 'allow';
/** A guardrail as a policy bundle holds it. */
export interface Guardrail {
  slug: string;
  name?: string | undefined;
  type: GuardrailType;
  stage: Stage;
  action: GuardrailAction;
  /** Depends on the type; see `validateConfig`. Null for a remote guardrail. */
  config: unknown;
  /** Guardrails run by ascending priority, then by slug. */
  priority: number;
  /** Whether a guardrail that could not run blocks the text or allows it. */
  onError: 'allow' | 'block';
  /** Names of the environments that it is for; null or absent: everywhere. */
  environments?: readonly string[] | null | undefined;
  /** False leaves it out of every check; true by default. */
  enabled?: boolean | undefined;
}

/** What one guardrail found. */
export interface GuardrailResult {
  guardrail: string;
  type: GuardrailType;
  triggered: boolean;
  /** `allow` unless triggered. */
  action: CheckAction;
  /** At most 100, in the order of the text, without overlaps. */
  matches: Match[];
  /** Why it triggered or could not run; null otherwise. */
  reason: string | null;
  /** Milliseconds. */
  latencyMs: number;
  /** There are more matches. */
  truncated?: true | undefined;
  /** It could not run. */
  failed?: true | undefined;
  /** It was not asked, because the text is blocked already. */
  skipped?: true | undefined;
}

/** The verdict of a remote guardrail (a judge), which the caller obtains. */
export type Verdict =
  | { triggered: boolean; reason: string | null; latencyMs?: number }
  | { failed: true; reason: string; latencyMs?: number };

export interface CheckRequest {
  text: string;
  /** `input` by default. */
  stage?: 'input' | 'output' | undefined;
  /** Guardrails for certain environments run when it is one of them; without it only those for all. */
  environment?: string | undefined;
  /** Slugs; only these run. */
  guardrails?: readonly string[] | undefined;
  /** False while the text may continue: `safeUntil` then says what of it is decided. True by default. */
  final?: boolean | undefined;
}

export interface CheckOutcome {
  /** The strictest action of the triggered guardrails. */
  action: CheckAction;
  /** The text with the matches of triggered guardrails that redact replaced. */
  text: string;
  /** One for each guardrail that ran, in their order. */
  results: GuardrailResult[];
  /** UTF-16 offset in the text as sent: whatever is appended, no match that begins before it appears, grows or goes. */
  safeUntil: number;
  /** What was replaced in the text as sent, ascending and without overlaps. */
  replacements: Replacement[];
}
