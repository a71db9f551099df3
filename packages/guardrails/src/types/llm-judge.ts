import { text } from '../config-rules.ts';
import type { GuardrailTypeDescription } from './guardrail-type.ts';

const longestInstructions = 20_000;

/** A model's verdict, which the service obtains. */
export const llmJudge: GuardrailTypeDescription<'llm_judge'> = {
  name: 'llm_judge',
  title: 'LLM judge',
  hint: 'A model decides by your instructions. Runs in the service, after all other guardrails.',
  fields: { connection: text(200, true), model: text(200), instructions: text(longestInstructions, true) },
  example: { connection: 'Judge', instructions: 'Does the text insult somebody?' },
  redacts: false,
  defaultAction: 'block',
  decidesAtEnd: true,
};
