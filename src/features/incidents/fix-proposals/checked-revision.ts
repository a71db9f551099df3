import { ServiceError } from '../../../contract/errors.ts';
import type { DiffLine } from '../../../contract/fix-proposals.ts';
import type { JsonObject } from '../../model-connections/index.ts';
import { messagesOf, storedPrompt, templateNames } from '../../prompts/index.ts';
import type { StoredVersion } from '../../prompts/index.ts';
import { cutText, storableText } from '../../../platform/text/index.ts';
import { lineDiff } from './line-diff.ts';

/** A model's answer that cannot be stored as a proposal; the message is a sentence for the user. */
export class UnusableAnswer extends Error {}

/** A revised prompt that may be stored. */
export interface Revision {
  /** As stored. */
  prompt: string;
  rationale: string;
  diff: DiffLine[];
  /** Variables of the base that it leaves out. */
  droppedVariables: string[];
}

/** Characters of the rationale. */
const maxRationale = 20_000;
/** Names in a message. */
const maxNamed = 5;

/**
 * Checks a model's answer against the version that it revises (docs/semantics.md, "Fix proposals").
 *
 * Errors: {@link UnusableAnswer}.
 */
export function checkedRevision(base: StoredVersion, { prompt: given, rationale }: JsonObject): Revision {
  if (typeof rationale !== 'string' || rationale.trim() === '') throw unusable('without a rationale');
  const prompt = base.type === 'text' ? revisedText(given) : revisedChat(base, given);
  const before = templateNames(base.type, base.prompt);
  const after = templateNames(base.type, prompt);
  refuseNew(
    'variables',
    [...after.variables].filter((name) => !before.variables.has(name)).map((name) => `{{${name}}}`),
    base,
  );
  refuseNew(
    'references',
    [...after.references].filter((reference) => !before.references.has(reference)),
    base,
  );
  const diff = lineDiff(base.type, base.prompt, prompt);
  if (diff.every(({ op }) => op === 'equal')) throw unusable(`with the prompt of version ${base.version} unchanged`);
  return {
    prompt,
    rationale: storableText(cutText(rationale, maxRationale)),
    diff,
    droppedVariables: [...before.variables].filter((name) => !after.variables.has(name)),
  };
}

function revisedText(given: unknown): string {
  if (typeof given !== 'string') throw unusable('with no text as the prompt');
  if (given.trim() === '') throw unusable('with an empty prompt');
  return stored('text', given);
}

/** Messages with the role and content of the answer and the other fields of the base. */
function revisedChat(base: StoredVersion, given: unknown): string {
  if (typeof given !== 'string' && !Array.isArray(given)) throw unusable('with no messages as the prompt');
  const answered = messagesOf(stored('chat', given));
  if (answered.every(({ content }) => content.trim() === '')) throw unusable('with an empty prompt');
  const before = messagesOf(base.prompt);
  const messages = answered.map(({ role, content }) => ({ role, content }));
  if (before.every((message) => Object.keys(message).length === 2)) return stored('chat', messages);
  const aligned = before.length === messages.length && before.every(({ role }, at) => role === messages[at]?.role);
  if (!aligned)
    throw unusable('with other messages, although those of the prompt have fields besides role and content, which would be lost');
  return stored(
    'chat',
    messages.map((message, at) => ({ ...before[at], ...message })),
  );
}

function stored(type: StoredVersion['type'], given: string | readonly unknown[]): string {
  try {
    return storedPrompt(type, given);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const [reason] = error.details ?? [];
    throw unusable(`with a prompt that cannot be stored: it ${reason?.message ?? 'is not valid'}`);
  }
}

function refuseNew(what: string, names: readonly string[], { version }: StoredVersion): void {
  if (names.length === 0) return;
  const shown = [...names.slice(0, maxNamed), ...(names.length > maxNamed ? ['others'] : [])].join(', ');
  throw unusable(`with ${what} that version ${version} does not have (${shown})`);
}

function unusable(how: string): UnusableAnswer {
  return new UnusableAnswer(`The model answered ${how}; try again, or choose another model.`);
}
