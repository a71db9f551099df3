import type { FieldRules } from '../config-rules.ts';
import type { Detector } from '../detector.ts';
import type { PatternPool } from '../pattern-pool.ts';
import type { PatternConfig } from '../pattern-set.ts';

/** What a triggered guardrail does. */
export type GuardrailAction = 'block' | 'redact' | 'flag';

/** A type of guardrails: its configuration, how it checks, and how the dashboard names it. */
export interface GuardrailTypeDescription<Name extends string = string> {
  name: Name;
  title: string;
  /** What it does, in one sentence or two. */
  hint: string;
  /** The fields of a configuration. */
  fields: FieldRules;
  /** A valid configuration, which an editor begins with. */
  example: Readonly<Record<string, unknown>>;
  /** A text that triggers a guardrail of the type as it is by default; absent where that depends on the configuration. */
  sample?: string;
  /** Whether the action `redact` is taken: there are matches to replace. */
  redacts: boolean;
  /** The action of a guardrail that names none. */
  defaultAction: GuardrailAction;
  /** Whether a configuration may take long to check and to compile. */
  slow?: true;
  /** Whether the result for a text does not follow from that for its beginning, so that only the end decides. */
  decidesAtEnd?: true;
  /** Whether the result for a part of a text depends on more than the 40 units before it. */
  looksFarBack?: true;
  /** Compiles a configuration that `validateConfig` takes. Absent: remote, the caller obtains the verdict. */
  detector?(config: unknown, pool: PatternPool): Detector;
  /** The patterns of a configuration; guardrails that check together share their automata. */
  patternsOf?(config: unknown): readonly PatternConfig[];
  /** Whether a configuration may be nested too deeply to be compared with others: guardrails with equal ones then do not share a detector. */
  deep?: true;
}
