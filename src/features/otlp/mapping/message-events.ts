import { findValue, type Attributes, type PresentValue } from '../wire/attribute.ts';
import type { Reader } from './convention.ts';
import type { OtlpEvent } from '../wire/model.ts';
import { payload } from './payload-json.ts';
import { parseJson } from './parse-json.ts';
import type { SpanView } from './span-view.ts';

const maxMessages = 10_000;
const detailsEvent = 'gen_ai.client.inference.operation.details';
/** Attributes that repeat the span's own, or become the message's role. */
const omitted = new Set(['gen_ai.system', 'gen_ai.provider.name', 'role']);

/** Reads the input from span events: one event with all messages, or one event for each message. */
export const inputEvents: Reader<string> = (_value, span) => {
  for (const event of eventsOf(span)) {
    if (event.name === detailsEvent) {
      const messages = findValue(event.attributes, 'gen_ai.input.messages');
      const input = withInstructions(messages, findValue(event.attributes, 'gen_ai.system_instructions'), span);
      if (input !== undefined) {
        span.noteEvent(event);
        return input;
      }
    }
    if (event.name === 'gen_ai.content.prompt') {
      const prompt = findValue(event.attributes, 'gen_ai.prompt');
      if (prompt !== undefined) {
        span.noteEvent(event);
        return payload(prompt, span);
      }
    }
  }
  return messageList(span, /^gen_ai\.(system|user|assistant|tool)\.message$/);
};

/** Reads the output from span events. */
export const outputEvents: Reader<string> = (_value, span) => {
  for (const event of eventsOf(span)) {
    const name = event.name === detailsEvent ? 'gen_ai.output.messages' : 'gen_ai.completion';
    if (event.name !== detailsEvent && event.name !== 'gen_ai.content.completion') continue;
    const completion = findValue(event.attributes, name);
    const output = completion === undefined ? undefined : payload(completion, span);
    if (output !== undefined) {
      span.noteEvent(event);
      return output;
    }
  }
  return messageList(span, /^gen_ai\.choice()$/);
};

/** Messages as JSON text, with the system instructions in front as a message of role `system`. Instructions may stand alone. */
export function withInstructions(
  messages: PresentValue | undefined,
  instructions: PresentValue | undefined,
  span: SpanView,
): string | undefined {
  const input = messages === undefined ? undefined : payload(messages, span);
  const system = instructions === undefined ? undefined : payload(instructions, span);
  if (system === undefined) return input;
  const parts = system.startsWith('[') ? system : `[{"type":"text","content":${system}}]`;
  const message = `{"role":"system","parts":${parts}}`;
  if (input === undefined) return `[${message}]`;
  const rest = input.trimStart();
  if (!rest.startsWith('[')) return `[${message},${input}]`;
  const items = rest.slice(1).trimStart();
  return items.startsWith(']') ? `[${message}]` : `[${message},${items}`;
}

function eventsOf(span: SpanView): readonly OtlpEvent[] {
  return span.span?.events ?? [];
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
