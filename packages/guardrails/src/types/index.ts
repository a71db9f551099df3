import { blocklist } from './blocklist.ts';
import type { GuardrailTypeDescription } from './guardrail-type.ts';
import { jsonSchema } from './json-schema.ts';
import { llmJudge } from './llm-judge.ts';
import { maxLength } from './max-length.ts';
import { pii } from './pii.ts';
import { promptInjection } from './prompt-injection.ts';
import { regex } from './regex.ts';
import { secrets } from './secrets.ts';

export type GuardrailType =
  | 'regex'
  | 'blocklist'
  | 'pii'
  | 'secrets'
  | 'prompt_injection'
  | 'max_length'
  | 'json_schema'
  | 'llm_judge';

/** Every type, in the order in which the API lists them. */
const types: { readonly [Name in GuardrailType]: GuardrailTypeDescription<Name> } = {
  regex,
  blocklist,
  pii,
  secrets,
  prompt_injection: promptInjection,
  max_length: maxLength,
  json_schema: jsonSchema,
  llm_judge: llmJudge,
};

/** All types of guardrails. */
export const guardrailTypes: readonly GuardrailType[] = Object.keys(types) as GuardrailType[];

/** What is known of a type. */
export function describeType(type: GuardrailType): GuardrailTypeDescription {
  return types[type];
}
