import { checkText, compileBundle } from '../../guardrails/src/index.ts';
import type { Guardrail, GuardrailType } from '../../guardrails/src/index.ts';
import { compileText } from '../src/prompts/compile-text.ts';
import { TextStream } from '../../guardrails/src/text-stream.ts';
import { chooser, generator } from './random.ts';

const count = 1_000;

/** A text compiled with variables. */
export interface CompiledPrompt {
  text: string;
  variables: Record<string, unknown>;
  compiled: string;
  missing: string[];
}

const templateParts = [
  '{{', '}}', '{{name}}', '{{ name }}', '{{  data\t}}', '{{other}}', '{{ größe }}', '{{a.b-c}}', '{{#if name}}', '{{/if}}', '{{else}}', '{{> other}}',
  '\\{{', '\\{{name}}', '${{name}}', '{{{name}}}', '{{name', 'name}}', '{{na\nme}}', '{{ }}', '{{1}}', '{{^x}}', '😀', ' ', '\n', 'text', '$1', '\\', '{', '}', '{{this}}', '{{name | upper}}',
]; // prettier-ignore
const values: readonly unknown[] = [
  'plain',
  '{{name}}',
  '\\{{',
  '$& $1',
  '',
  'é😀',
  3,
  1.5,
  true,
  null,
  [1, 'a'],
  { a: { b: null } },
  '{{{{',
];
const names = ['name', 'data', 'other', 'größe', 'a.b-c', '1', 'this', '#if name', 'name | upper'];

/** Random templates, compiled by this SDK. */
export function compiledPrompts(): CompiledPrompt[] {
  const random = generator(1);
  const choose = chooser(random);
  return Array.from({ length: count }, () => {
    const text = Array.from({ length: 1 + Math.floor(random() * 8) }, () => choose(templateParts)).join('');
    const variables = Object.fromEntries(names.filter(() => random() < 0.6).map((name) => [name, choose(values)]));
    const missing = new Set<string>();
    return { text, variables, compiled: compileText(text, variables, missing), missing: [...missing] };
  });
}

/** A text that arrives in pieces: after each the answer of a check of the text so far, and what is shown of it; at the end the check of the whole. */
export interface GuardedText {
  pieces: string[];
  steps: Array<{ text: string; answer: object; shown: string }>;
  whole: { action: string; text: string };
}

const redacting = (slug: string, type: GuardrailType, config: unknown, fields: Partial<Guardrail> = {}): Guardrail => ({
  slug,
  type,
  stage: 'both',
  action: 'redact',
  config,
  priority: 100,
  onError: 'block',
  ...fields,
});
const guardrails = compileBundle([
  redacting('mail', 'pii', { entities: ['email', 'ip_address', 'us_ssn'] }),
  redacting('words', 'blocklist', { terms: ['bad word', 'bad', 'ärger', '😀😀'] }),
  redacting('patterns', 'regex', { patterns: [{ pattern: 'x+y', label: 'x y' }, { pattern: String.raw`\bend\b` }] }),
  redacting('length', 'max_length', { maxCharacters: 60 }),
  redacting('no', 'blocklist', { terms: ['secret plan'] }, { action: 'block' }),
  redacting('injection', 'prompt_injection', {}, { action: 'flag' }),
]);
const textParts = [
  'x', 'xy', ' ', ' ', '. ', 'end', 'bad', ' word', 'Ärger', '😀', 'jo@example', '.com', '.org', 'é', '192.168.', '0.1', '078-05-', '1120', 'SSN ', 'secret', ' plan', 'ner', 'fine text',
]; // prettier-ignore

/** Random texts with the answers of the engine, as the service gives them. */
export function guardedTexts(): GuardedText[] {
  const random = generator(2);
  const choose = chooser(random);
  return Array.from({ length: count }, () => {
    const pieces = Array.from({ length: 1 + Math.floor(random() * 7) }, () => choose(textParts));
    return guardedText(pieces);
  });
}

function guardedText(pieces: string[]): GuardedText {
  const now = () => 0;
  const stream = new TextStream(guardrails, { stage: 'output' }, { now });
  const steps: GuardedText['steps'] = [];
  let text = '';
  let shown = '';
  for (const piece of pieces) {
    text += piece;
    const { release, blocked } = stream.push(piece);
    if (blocked) break;
    shown += release;
    const {
      action,
      text: redacted,
      results,
      safeUntil,
    } = checkText(guardrails, { text, stage: 'output', final: false }, { now });
    const triggered = results
      .filter((one) => one.triggered)
      .map(({ guardrail, type, action: taken, matches }) => ({ guardrail, type, triggered: true, action: taken, matches }));
    steps.push({ text, answer: { action, text: redacted, results: triggered, safeUntil }, shown });
  }
  const outcome = checkText(guardrails, { text: pieces.join(''), stage: 'output', final: true }, { now });
  return { pieces, steps, whole: { action: outcome.action, text: outcome.text } };
}
