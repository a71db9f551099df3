import { ServiceError } from '../../contract/errors.ts';
import { nestsAtMost, promptBounds, surelyLarger } from '../../contract/prompts.ts';
import type { PromptType } from '../../contract/prompts.ts';

/** A message of a chat prompt; other fields are stored unchanged. */
export interface ChatMessage {
  role: string;
  content: string;
}

const longestRole = 100;
const halfPairs = 'must not have unpaired surrogates';

/**
 * The stored text of a prompt; a chat prompt given as an array is stored as JSON.
 *
 * Errors: `invalid_request` for a prompt that does not match its type, exceeds 1 MiB, or contains NUL or an unpaired surrogate, which
 * PostgreSQL cannot store.
 */
export function storedPrompt(type: PromptType, given: string | readonly unknown[]): string {
  if (typeof given !== 'string' && type === 'text')
    throw refusal('Send a text prompt as a string, or set its type to chat.', 'must be a string for a text prompt');
  if (surelyLarger(given, promptBounds.promptBytes)) throw tooLarge();
  if (typeof given !== 'string' && !nestsAtMost(given, promptBounds.depth)) throw tooDeep();
  const prompt = typeof given === 'string' ? given : JSON.stringify(given);
  if (!prompt.isWellFormed()) throw refusal('Remove unpaired surrogates from the prompt; they are not valid Unicode.', halfPairs);
  if (Buffer.byteLength(prompt) > promptBounds.promptBytes) throw tooLarge();
  if (prompt.includes('\0')) throw refusal('Remove NUL characters from the prompt.', 'must not have NUL characters');
  if (type === 'chat') checkMessages(prompt);
  return prompt;
}

/** The messages of a stored chat prompt. */
export function messagesOf(prompt: string): ChatMessage[] {
  return JSON.parse(prompt) as ChatMessage[];
}

function checkMessages(prompt: string): void {
  const messages = parsed(prompt);
  if (!Array.isArray(messages)) throw notMessages('must be a JSON array of messages');
  if (!nestsAtMost(messages, promptBounds.depth)) throw tooDeep();
  for (const [index, message] of messages.entries()) {
    const { role, content } = (message ?? {}) as { role?: unknown; content?: unknown };
    const which = `message ${index + 1}`;
    if (typeof message !== 'object' || Array.isArray(message)) throw notMessages(`${which} must be an object`);
    if (typeof role !== 'string' || role === '' || role.length > longestRole)
      throw notMessages(`${which} must have a role of 1 to ${longestRole} characters`);
    if (typeof content !== 'string') throw notMessages(`${which} must have a content that is a string`);
    if (content.includes('\0') || role.includes('\0')) throw notMessages(`${which} must not have NUL characters`);
    // JSON could store them escaped, but not the text of a prompt into which the content is inserted.
    if (!content.isWellFormed() || !role.isWellFormed()) throw notMessages(`${which} ${halfPairs}`);
  }
}

function parsed(prompt: string): unknown {
  try {
    return JSON.parse(prompt);
  } catch {
    throw notMessages('must be valid JSON');
  }
}

function tooLarge(): ServiceError {
  return refusal('Shorten the prompt; it is larger than 1 MiB.', 'must have at most 1,048,576 bytes');
}

function tooDeep(): ServiceError {
  return notMessages(`must not nest deeper than ${promptBounds.depth} levels`);
}

/** @param message what the prompt must be, or what the message that it names must be */
function notMessages(message: string): ServiceError {
  const what = message.startsWith('message ') ? message : `it ${message}`;
  return refusal(`Send a chat prompt as a JSON array of messages, each with role and content: ${what}.`, message);
}

function refusal(sentence: string, message: string): ServiceError {
  return new ServiceError('invalid_request', sentence, { details: [{ path: '/prompt', message }] });
}
