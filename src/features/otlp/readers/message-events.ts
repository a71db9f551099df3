import { isRecord } from '../../../platform/json/index.ts';
import { findValue, type Attributes, type PresentValue } from '../wire/attribute.ts';
import type { OtlpEvent } from '../wire/model.ts';
import type { Reader } from './convention.ts';
import { jsonText, parseJson } from './parse-json.ts';
import { payload } from './payload-json.ts';
import type { SpanView } from './span-view.ts';

const maxMessages = 10_000;
/** Events of a message of the input, with its role, and of one of the output. */
const inputMessage = /^gen_ai\.(system|user|assistant|tool)\.message$/;
const outputMessage = /^gen_ai\.choice()$/;
const detailsEvent = 'gen_ai.client.inference.operation.details';
/** Attributes that repeat the span's own, or become the message's role. */
const omitted = new Set(['gen_ai.system', 'gen_ai.provider.name', 'role']);

/** Reads the input from span events: one event with all messages, or one event for each message. */
export const inputEvents: Reader<string> = (_value, span) => {
  const messages = ofDetails('gen_ai.input.messages', span);
  const instructions = ofDetails('gen_ai.system_instructions', span);
  if (instructions !== undefined) return withInstructions(messages, instructions);
  if (messages !== undefined) return messages;
  for (const event of eventsOf(span)) {
    if (event.name === 'gen_ai.content.prompt') {
      const prompt = findValue(event.attributes, 'gen_ai.prompt');
      if (prompt !== undefined) {
        span.noteEvent(event);
        return payload(prompt, span);
      }
    }
  }
  return messageList(span, inputMessage);
};

/** Reads the output from span events. */
export const outputEvents: Reader<string> = (_value, span) => {
  const details = ofDetails('gen_ai.output.messages', span);
  if (details !== undefined) return details;
  for (const event of eventsOf(span)) {
    if (event.name !== 'gen_ai.content.completion') continue;
    const output = payloadIn(event, 'gen_ai.completion', span);
    if (output !== undefined) {
      span.noteEvent(event);
      return output;
    }
  }
  return messageList(span, outputMessage);
};

/** Reads the input from an attribute that holds the events of messages as a list, each with its name in `event.name`. */
export const inputInAttribute: Reader<string> = (value, span) => messagesIn(value, span, inputMessage);

/** Reads the output from such an attribute. */
export const outputInAttribute: Reader<string> = (value, span) => messagesIn(value, span, outputMessage);

function messagesIn(value: PresentValue, span: SpanView, names: RegExp): string | undefined {
  const listed = parseJson(payload(value, span) ?? '');
  if (!Array.isArray(listed)) return undefined;
  const messages: string[] = [];
  for (const item of listed as readonly unknown[]) {
    if (!isRecord(item) || messages.length >= maxMessages) continue;
    const { 'event.name': name, 'gen_ai.message.index': _index, ...message } = item;
    const match = typeof name === 'string' ? names.exec(name) : null;
    if (match === null) continue;
    const [, role = ''] = match;
    const text = jsonText(role === '' || 'role' in message ? message : { role, ...message });
    if (text !== undefined) messages.push(text);
  }
  return messages.length === 0 ? undefined : `[${messages.join(',')}]`;
}

/** The beginning of a list of messages whose first one is a system prompt. */
const systemFirst = /^\[\s*\{\s*"role"\s*:\s*"system"\s*,\s*"(?:parts|content)"\s*:\s*/;

/**
 * Puts the system instructions in front of an input, as a message of role `system`. A list of messages that begins with the same
 * instructions is returned unchanged; JSON text with other spaces or another order counts as different.
 *
 * @param input JSON text; undefined where the instructions stand alone
 * @param instructions JSON text: a list of message parts, or a text
 * @returns JSON text of a list; an input that is no list is its last item, a text as a message of the user
 */
export function withInstructions(input: string | undefined, instructions: string): string {
  const parts = instructions.startsWith('[') ? instructions : `[{"type":"text","content":${instructions}}]`;
  const message = `{"role":"system","parts":${parts}}`;
  const rest = input?.trimStart() ?? '';
  if (rest === '') return `[${message}]`;
  if (rest.startsWith('"')) return `[${message},{"role":"user","content":${rest}}]`;
  if (!rest.startsWith('[')) return `[${message},${rest}]`;
  const given = systemFirst.exec(rest)?.[0].length;
  if (given !== undefined && (rest.startsWith(parts, given) || rest.startsWith(instructions, given))) return rest;
  const items = rest.slice(1).trimStart();
  return items.startsWith(']') ? `[${message}]` : `[${message},${items}`;
}

function eventsOf(span: SpanView): readonly OtlpEvent[] {
  return span.span?.events ?? [];
}

/** An attribute of the events with the details of a call. There may be several, each with some of the attributes. */
function ofDetails(name: string, span: SpanView): string | undefined {
  for (const event of eventsOf(span)) {
    const found = event.name === detailsEvent ? payloadIn(event, name, span) : undefined;
    if (found === undefined) continue;
    span.noteEvent(event);
    return found;
  }
  return undefined;
}

function payloadIn(event: OtlpEvent, name: string, span: SpanView): string | undefined {
  const value = findValue(event.attributes, name);
  return value === undefined ? undefined : payload(value, span);
}

/** A JSON array with one object for each matching event, its role first. */
function messageList(span: SpanView, names: RegExp): string | undefined {
  const messages: string[] = [];
  for (const event of eventsOf(span)) {
    const match = names.exec(event.name);
    if (match === null || messages.length >= maxMessages) continue;
    span.noteEvent(event);
    messages.push(messageJson(event.attributes, match[1] ?? '', span));
  }
  return messages.length === 0 ? undefined : `[${messages.join(',')}]`;
}

function messageJson(attributes: Attributes, role: string, span: SpanView): string {
  const whole = findValue(attributes, 'gen_ai.event.content');
  if (typeof whole === 'string' && typeof parseJson(whole) === 'object') return whole;
  const blocks = findValue(attributes, 'message');
  if (role === '' && typeof blocks === 'string' && Array.isArray(parseJson(blocks)))
    return blockMessage(attributes, blocks, span);
  const members: string[] = [];
  const named = findValue(attributes, 'role');
  const finalRole = typeof named === 'string' && named !== '' ? named : role;
  if (finalRole !== '') members.push(`"role":${JSON.stringify(finalRole)}`);
  for (const { key, value } of attributes) {
    const text = value === null || omitted.has(key.name) ? undefined : payload(value, span);
    if (text !== undefined) members.push(key.json + text);
  }
  return `{${members.join(',')}}`;
}

/** A choice of Bedrock and Strands, whose message is the list of its content blocks, as a message. */
function blockMessage(attributes: Attributes, blocks: string, span: SpanView): string {
  const members = [`"role":"${span.kind === 'tool' ? 'tool' : 'assistant'}"`, `"content":${blocks}`];
  for (const { key, value } of attributes) {
    const text = value === null || key.name === 'message' || omitted.has(key.name) ? undefined : payload(value, span);
    if (text !== undefined) members.push(key.json + text);
  }
  return `{${members.join(',')}}`;
}
