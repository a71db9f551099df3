import type { Message, Part } from './message.ts';
import { pairTools } from './pair-tools.ts';
import { runAtOnce, StepCounter } from './steps.ts';

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (...values: unknown[]): string | null =>
  (values.find((value) => typeof value === 'string' && value !== '') as string) ?? null;
const typeOf = ({ type }: Fields): string => (typeof type === 'string' ? type : '');

/**
 * Parses a conversation: OpenAI, Anthropic and Vercel AI SDK messages, OpenTelemetry `parts`, a completion with `choices`, OpenAI Responses
 * items, bare tool calls, or any of these as JSON text. A tool result is attached to its call: by the call's id, or, without an id, to the
 * first unanswered call of the same name before it that has no id either.
 *
 * @returns null if the value is not a conversation
 */
export function readMessages(value: unknown): Message[] | null {
  return runAtOnce(readMessagesInSteps(value));
}

/** Like {@link readMessages}, and yields after each bounded step, for conversations of any size. */
export function* readMessagesInSteps(value: unknown): Generator<void, Message[] | null> {
  const list = messageList(parsed(value), 0);
  if (list === null || list.length === 0) return null;
  const steps = new StepCounter();
  const messages: Message[] = [];
  for (const fields of list) messages.push(yield* readMessage(fields, steps));
  return yield* pairTools(messages, steps);
}

/** Parses a string that contains a JSON array or object; returns other values unchanged. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function messageList(value: unknown, depth: number): Fields[] | null {
  if (Array.isArray(value)) {
    if (value.length === 0) return null;
    if (value.every(isBareCall)) return [{ role: 'assistant', tool_calls: value }];
    return value.every((item) => isMessage(item) || isItem(item)) ? value : null;
  }
  if (!isFields(value) || depth > 2) return null;
  if (isMessage(value)) return [value];
  if ('choices' in value && Array.isArray(value['choices'])) {
    const messages = (value['choices'] as unknown[]).map((choice: unknown) => (isFields(choice) ? choice['message'] : null));
    return messages.length > 0 && messages.every(isMessage) ? messages : null;
  }
  // A Vercel AI SDK result with tool calls.
  const { text, toolCalls } = value as { text?: unknown; toolCalls?: unknown };
  if (Array.isArray(toolCalls) && toolCalls.length > 0 && toolCalls.every(isBareCall))
    return [{ role: 'assistant', content: text ?? null, tool_calls: toolCalls }];
  const items = [value['input'], value['output']].find(Array.isArray);
  const within = messageList(parsed(value['messages'] ?? value['prompt'] ?? items), depth + 1);
  const system = textOf(value['system'], value['instructions']);
  return within !== null && system !== null ? [{ role: 'system', content: system }, ...within] : within;
}

function isMessage(value: unknown): value is Fields {
  return (
    isFields(value) && typeof value['role'] === 'string' && ('content' in value || 'parts' in value || 'tool_calls' in value)
  );
}

/** A tool call outside of a message, as in the Vercel AI SDK. */
function isBareCall(value: unknown): value is Fields {
  return isFields(value) && typeof value['toolName'] === 'string' && 'toolCallId' in value;
}

/** An item of OpenAI Responses that is not a message. */
function isItem(value: unknown): value is Fields {
  return isFields(value) && /^(?:function_call|function_call_output|reasoning)$/.test(typeOf(value));
}

function* readMessage(message: Fields, steps: StepCounter): Generator<void, Message> {
  if (steps.isStepDone()) yield;
  if (isItem(message) && typeof message['role'] !== 'string') {
    return { role: message['type'] === 'function_call_output' ? 'tool' : 'assistant', name: null, parts: readPart(message) };
  }
  const role = String(message['role']);
  const id = textOf(message['tool_call_id'], message['toolCallId']);
  const name = textOf(message['name'], message['tool_name']);
  const content = message['parts'] ?? message['content'];
  const parts: Part[] = [];
  const reasoning = textOf(message['reasoning_content'], message['reasoning']);
  if (reasoning !== null) parts.push({ kind: 'reasoning', text: reasoning });
  if (role === 'tool' && !Array.isArray(content)) parts.push({ kind: 'tool-result', id, name, result: parsed(content) });
  else
    for (const part of Array.isArray(content) ? content : [content]) {
      if (steps.isStepDone()) yield;
      parts.push(...readPart(part));
    }
  for (const call of Array.isArray(message['tool_calls']) ? message['tool_calls'] : []) {
    if (steps.isStepDone()) yield;
    parts.push(readToolCall(call));
  }
  return { role, name, parts };
}

function readPart(part: unknown): Part[] {
  if (part === null || part === undefined || part === '') return [];
  if (typeof part === 'string') return [{ kind: 'text', text: part }];
  if (!isFields(part)) return [{ kind: 'other', value: part }];
  const type = typeOf(part);
  if (/^(?:reasoning|thinking)/.test(type))
    return [{ kind: 'reasoning', text: textOf(part['content'], part['text'], part['thinking']) ?? summaryOf(part) }];
  if (/^(?:tool[-_]?(?:call|use)|function_call)$/.test(type)) return [readToolCall(part)];
  if (/^(?:tool[-_](?:result|call_response)|function_call_output)$/.test(type)) {
    const result = part['result'] ?? part['response'] ?? part['output'] ?? part['content'];
    const id = textOf(part['call_id'], part['id'], part['tool_use_id'], part['tool_call_id'], part['toolCallId']);
    return [{ kind: 'tool-result', id, name: textOf(part['name'], part['toolName']), result: parsed(result) }];
  }
  if (/image|audio|file|document|blob|uri/.test(type)) return [{ kind: 'media', label: mediaLabel(type, part) }];
  const text = textOf(part['text'], part['content']);
  return text === null ? [{ kind: 'other', value: part }] : [{ kind: 'text', text }];
}

/** The reasoning summary of an OpenAI Responses item. */
function summaryOf({ summary }: Fields): string {
  const parts = Array.isArray(summary) ? summary.filter(isFields) : [];
  return parts.map((part) => textOf(part['text']) ?? '').join('\n\n');
}

function mediaLabel(type: string, part: Fields): string {
  const source = isFields(part['image_url']) ? part['image_url']['url'] : (part['image_url'] ?? part['url'] ?? part['uri']);
  const mime = textOf(part['mime_type'], part['mediaType'], part['media_type']);
  const shown =
    typeof source === 'string' ? (source.startsWith('data:') ? source.slice(0, source.indexOf(',')) : source.slice(0, 200)) : '';
  return [type, mime, shown].filter(Boolean).join(' · ');
}

function readToolCall(call: unknown): Part {
  if (!isFields(call)) return { kind: 'other', value: call };
  const { function: inner } = call as { function?: unknown };
  const fields = isFields(inner) ? inner : call;
  return {
    kind: 'tool-call',
    id: textOf(call['call_id'], call['id'], call['toolCallId'], call['tool_call_id']),
    name: textOf(fields['name'], fields['toolName'], call['tool_name']) ?? 'tool',
    arguments: parsed(fields['arguments'] ?? fields['args'] ?? fields['input']),
    result: undefined,
    answered: false,
    place: 0,
  };
}
