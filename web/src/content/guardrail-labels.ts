import { guardrailTypes } from 'virtual:guardrail-types';
import type { CheckAction, GuardrailStage, GuardrailTypeName } from '../api/parts.ts';
import type { Tone } from '../design/badge.tsx';

interface Label {
  title: string;
  hint: string;
}

type TypeWords = (typeof guardrailTypes)[number];

/** Those that find something without a configuration come first in the form. */
const offeredFirst: readonly string[] = ['pii', 'secrets', 'prompt_injection'];
const rank = ({ name }: TypeWords) => (offeredFirst.includes(name) ? offeredFirst.indexOf(name) : offeredFirst.length);

/** What the engine says of each type, in the order in which the form offers them. */
export const guardrailTypeLabels = Object.fromEntries(
  guardrailTypes.toSorted((left, right) => rank(left) - rank(right)).map((type) => [type.name, type]),
) as Readonly<Record<GuardrailTypeName, TypeWords>>;
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
