import type { CheckAction, GuardrailStage, GuardrailTypeName } from '../api/wire.ts';
import type { Tone } from '../design/badge.tsx';

interface Label {
  title: string;
  hint: string;
}

/** Labels of the types of guardrails, in the order in which the form offers them. */
export const guardrailTypeLabels: Readonly<Record<GuardrailTypeName, Label>> = {
  pii: { title: 'Personal data', hint: 'Finds email addresses, phone numbers, payment cards and other personal data.' },
  secrets: { title: 'Secrets', hint: 'Finds access tokens and private keys in published formats.' },
  prompt_injection: {
    title: 'Prompt injection',
    hint: 'Finds phrases that try to replace instructions. Patterns find a part of all attempts only.',
  },
  regex: { title: 'Patterns', hint: 'Finds matches of regular expressions.' },
  blocklist: { title: 'Blocked terms', hint: 'Finds words and phrases of a list.' },
  max_length: { title: 'Maximum length', hint: 'Triggers on texts that are too long.' },
  json_schema: { title: 'JSON Schema', hint: 'Triggers on texts that are not JSON, or not JSON that a schema allows.' },
  llm_judge: {
    title: 'LLM judge',
    hint: 'A model decides by your instructions. Runs in the service, after all other guardrails.',
  },
};
export const guardrailTypeNames = Object.keys(guardrailTypeLabels) as GuardrailTypeName[];

/** The title of a type; its name for one that this dashboard does not know. */
export function guardrailTypeTitle(type: string): string {
  const labels: Readonly<Record<string, Label | undefined>> = guardrailTypeLabels;
  return labels[type]?.title ?? type;
}

/** Labels of the stages. */
export const stageLabels: Readonly<Record<GuardrailStage, Label>> = {
  input: { title: 'Input', hint: 'Texts that go to a model.' },
  output: { title: 'Output', hint: 'Texts that come from a model.' },
  both: { title: 'Input and output', hint: 'Texts that go to a model or come from one.' },
};

interface ActionLabel extends Label {
  tone: Tone;
  /** What happened to a text. */
  done: string;
}

/** Labels of the actions, strictest first. */
export const actionLabels: Readonly<Record<CheckAction, ActionLabel>> = {
  block: { title: 'Block', done: 'blocked', tone: 'bad', hint: 'The text must not be passed on.' },
  redact: { title: 'Redact', done: 'redacted', tone: 'warn', hint: 'Matches are replaced by placeholders.' },
  flag: { title: 'Flag', done: 'flagged', tone: 'accent', hint: 'The text passes unchanged; the match is counted.' },
  allow: { title: 'Allow', done: 'allowed', tone: 'good', hint: 'The text passes unchanged.' },
};
