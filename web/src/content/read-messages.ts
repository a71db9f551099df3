import { messageList, parsed, withCommonNames } from './message-list.ts';
import { isFields, isItem, textOf, typeOf } from './message-shapes.ts';
import type { Fields } from './message-shapes.ts';
import type { Message, Part } from './message.ts';
import { pairTools } from './pair-tools.ts';
import { isResult } from './part-shapes.ts';
import { readPart, readToolCall } from './read-part.ts';
import { runAtOnce, StepCounter } from './steps.ts';

/**
 * Parses a conversation: messages of OpenAI, Anthropic, Bedrock, Gemini, Genkit, LangChain, LangWatch and the Vercel AI SDK, OpenTelemetry
 * `parts`, requests and responses that contain them, OpenAI Responses items, bare tool calls and content blocks, or any of these as JSON
 * text. A tool result is attached to its call: by the call's id, or, without an id, to the first unanswered call of the same name before
 * it that has no id either. A system prompt that the messages repeat after it is one message.
 *
 * @returns null if the value is not a conversation
 */
export function readMessages(value: unknown): Message[] | null {
  return runAtOnce(readMessagesInSteps(value));
}

/** Like {@link readMessages}, and yields after each bounded step, for conversations of any size. */
export function* readMessagesInSteps(value: unknown): Generator<void, Message[] | null> {
  const list = messageList(value);
  if (list === null || list.length === 0) return null;
  const steps = new StepCounter();
  const messages: Message[] = [];
  for (const fields of list) messages.push(yield* readMessage(withCommonNames(fields), steps));
  if (isRepeated(messages)) messages.shift();
  return yield* pairTools(messages, steps);
}

const isSystem = (message: Message | undefined): message is Message => /^(?:system|developer)$/.test(message?.role ?? '');

/** Whether the first message is the system prompt and the next one is too: some clients record it beside the messages and in them. */
function isRepeated([first, second]: readonly Message[]): boolean {
  if (!isSystem(first) || !isSystem(second)) return false;
  const text = systemText(first);
  return text !== null && text === systemText(second);
}

/** The text of a system prompt without its white space, which joined parts may add; null if it is more than text. */
function systemText({ parts }: Message): string | null {
  const texts = parts.map((part) => (part.kind === 'text' ? part.text : null));
  return texts.includes(null) ? null : texts.join('').replaceAll(/\s+/g, '');
}

function* readMessage(message: Fields, steps: StepCounter): Generator<void, Message> {
  if (steps.isStepDone()) yield;
  if (isItem(message)) {
    return { role: message['type'] === 'function_call_output' ? 'tool' : 'assistant', name: null, parts: readPart(message) };
  }
  const role = typeof message['role'] === 'string' ? message['role'] : 'user';
  const name = textOf(message['name'], message['tool_name']);
  const parts: Part[] = [];
  const reasoning = textOf(message['reasoning_content'], message['reasoning']);
  if (reasoning !== null) parts.push({ kind: 'reasoning', text: reasoning });
  yield* readContent(message, role, parts, steps);
  for (const call of Array.isArray(message['tool_calls']) ? message['tool_calls'] : []) {
    if (steps.isStepDone()) yield;
    parts.push(readToolCall(call));
  }
  // OpenAI's form of a call before there were several in a message.
  if (isFields(message['function_call'])) parts.push(readToolCall(message['function_call']));
  return { role, name, parts };
}

function* readContent(message: Fields, role: string, parts: Part[], steps: StepCounter): Generator<void, void> {
  const content = message['parts'] ?? message['content'];
  const id = textOf(message['tool_call_id'], message['toolCallId']);
  const isWholeResult = !Array.isArray(content) || (id !== null && !content.some(isResult));
  if ((role === 'tool' || role === 'function') && isWholeResult) {
    const name = textOf(message['name'], message['tool_name']);
    parts.push({ kind: 'tool-result', id, name, result: parsed(content) });
    return;
  }
  // LangChain repeats the calls of Anthropic's blocks in `tool_calls`.
  const hasCalls = Array.isArray(message['tool_calls']) && message['tool_calls'].length > 0;
  for (const part of Array.isArray(content) ? content : [content]) {
    if (steps.isStepDone()) yield;
    if (hasCalls && isFields(part) && typeOf(part) === 'tool_use') continue;
    for (const one of readPart(part)) parts.push(one);
  }
}
