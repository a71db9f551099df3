import { parsedText } from './embedded-json.ts';
import { isEntry, isFields, isLangChain, isToolCall, textOf } from './message-shapes.ts';
import type { Fields } from './message-shapes.ts';
import { isBlock, isResult } from './part-shapes.ts';

/** Most levels of wrappers around messages. */
const maxDepth = 4;

/** Parses a string that contains a JSON array or object; returns other values unchanged. */
export function parsed(value: unknown): unknown {
  return typeof value === 'string' ? parsedText(value) : value;
}

/** The messages in a value, as they were sent; null if it is not a conversation. */
export function messageList(value: unknown, depth = 0): readonly Fields[] | null {
  if (depth > maxDepth) return null;
  const found = parsed(value);
  if (Array.isArray(found)) return listOf(found, depth);
  if (!isFields(found)) return null;
  return isEntry(found) ? [found] : wrapped(found, depth);
}

function listOf(values: readonly unknown[], depth: number): readonly Fields[] | null {
  if (values.length === 0) return null;
  if (values.every(isToolCall)) return [{ role: 'assistant', tool_calls: values }];
  if (values.every(isEntry)) return values;
  if (values.every(isBlock)) return [{ role: values.some(isResult) ? 'user' : 'assistant', content: values }];
  return joined(values, depth);
}

/** The messages of several values: batches of messages, completions, instructions before a request. */
function joined(values: readonly unknown[], depth: number): readonly Fields[] | null {
  const messages: Fields[] = [];
  for (const value of values) {
    const found = messageList(value, depth + 1);
    if (found === null) return null;
    for (const message of found) messages.push(message);
  }
  return messages.length === 0 ? null : messages;
}

const said = (role: string, content: unknown): Fields => ({ role, content });

/** The messages in the object of a request or response. */
function wrapped(value: Fields, depth: number): readonly Fields[] | null {
  return response(value, depth) ?? typed(value, depth) ?? args(value, depth) ?? request(value, depth);
}

function response(value: Fields, depth: number): readonly Fields[] | null {
  const { text, toolCalls, generations, candidates, message, output } = value;
  const choices = [value['choices'], generations, candidates].find(Array.isArray);
  if (choices !== undefined) return choices.length === 0 ? null : joined(choices, depth);
  // A choice, a generation or a candidate.
  if (isEntry(message)) return [message];
  if (typeof message === 'string' && 'finish_reason' in value) return [said('assistant', message)];
  if (isEntry(value['content'])) return [value['content']];
  if (isFields(output) && isEntry(output['message'])) return [output['message']];
  // A result of the Vercel AI SDK, or a completion's choice.
  const isResultText =
    typeof text === 'string' && (Array.isArray(toolCalls) || 'finish_reason' in value || 'generationInfo' in value);
  const calls = Array.isArray(toolCalls) && toolCalls.length > 0 && toolCalls.every(isToolCall) ? toolCalls : [];
  return isResultText || calls.length > 0 ? [{ role: 'assistant', content: text ?? null, tool_calls: calls }] : null;
}

/** A value of LangWatch with its type. */
function typed(value: Fields, depth: number): readonly Fields[] | null {
  if (typeof value['type'] !== 'string' || !('value' in value) || Object.keys(value).length !== 2) return null;
  return value['type'] === 'text' && typeof value['value'] === 'string'
    ? [said('assistant', value['value'])]
    : messageList(value['value'], depth + 1);
}

/** The arguments of a traced function: the first that is a conversation. */
function args(value: Fields, depth: number): readonly Fields[] | null {
  if (!Array.isArray(value['args'])) return null;
  for (const argument of (value['args'] as unknown[]).slice(0, 10)) {
    const found = messageList(argument, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

function request(value: Fields, depth: number): readonly Fields[] | null {
  const { messages, prompt, contents, items, input, output } = value;
  const lists = [input, output].find(Array.isArray);
  const sent = messages ?? prompt ?? contents ?? items ?? lists;
  const isText = typeof input === 'string' && sent === undefined && ('model' in value || 'instructions' in value);
  const within = isText ? [said('user', input)] : messageList(sent, depth + 1);
  const instructions = within === null ? null : instructionsOf(value);
  return within !== null && instructions !== null ? [said('system', instructions), ...within] : within;
}

/** The system prompt of a request: a text, content blocks or Gemini's `parts`. */
function instructionsOf(value: Fields): unknown {
  const { config } = value;
  for (const from of [value, isFields(config) ? config : {}]) {
    for (const name of ['system', 'instructions', 'systemInstruction', 'system_instruction']) {
      const found = from[name];
      const content = isFields(found) ? (found['parts'] ?? found['text']) : found;
      if (textOf(content) !== null || (Array.isArray(content) && content.length > 0 && content.every(isBlock))) return content;
    }
  }
  return null;
}

const langChainRoles: Readonly<Record<string, string>> = {
  human: 'user',
  ai: 'assistant',
  system: 'system',
  tool: 'tool',
  function: 'tool',
  developer: 'developer',
};

/** Gives a message of LangChain or Gemini the names that others have. */
export function withCommonNames(message: Fields): Fields {
  if (message['role'] === 'model') return { ...message, role: 'assistant' };
  if (!isLangChain(message)) return message;
  const named = Array.isArray(message['id']) ? (message['id'] as unknown[]).at(-1) : message['type'];
  const kind = String(typeof named === 'string' ? named : '')
    .replace(/Message(?:Chunk)?$/, '')
    .toLowerCase();
  const inner: Fields = [message['kwargs'], message['data']].find(isFields) ?? message;
  const { additional_kwargs: additional } = inner;
  const more: Fields = isFields(additional) ? additional : {};
  const own = Array.isArray(inner['tool_calls']) ? inner['tool_calls'] : [];
  return {
    ...more,
    ...inner,
    role: langChainRoles[kind] ?? textOf(inner['role']) ?? 'user',
    tool_calls: own.length > 0 ? own : more['tool_calls'],
  };
}
