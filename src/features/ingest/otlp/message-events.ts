import { findValue, type Attributes } from './attribute.ts';
import type { Present, Reader } from './convention.ts';
import type { OtlpEvent } from './model.ts';
import { payload } from './payload-json.ts';
import { parseJson } from './parse-json.ts';
import type { SpanView } from './span-view.ts';

const mostMessages = 10_000;
const detailsEvent = 'gen_ai.client.inference.operation.details';
/** On every message event, and said by the span already. */
const repeated = new Set(['gen_ai.system', 'gen_ai.provider.name', 'role']);

/** The input in message events: one event with all of it, or one event a message. */
export const inputEvents: Reader<string> = (_value, span) => {
  for (const event of eventsOf(span)) {
    if (event.name === detailsEvent) {
      const messages = findValue(event.attributes, 'gen_ai.input.messages');
      const input = withInstructions(messages, findValue(event.attributes, 'gen_ai.system_instructions'), span);
      if (input !== undefined) {
        span.readEvent(event);
        return input;
      }
    }
    if (event.name === 'gen_ai.content.prompt') {
      const prompt = findValue(event.attributes, 'gen_ai.prompt');
      if (prompt !== undefined) {
        span.readEvent(event);
        return payload(prompt, span);
      }
    }
  }
  return messageList(span, /^gen_ai\.(system|user|assistant|tool)\.message$/);
};

/** The output in message events. */
export const outputEvents: Reader<string> = (_value, span) => {
  for (const event of eventsOf(span)) {
    const name = event.name === detailsEvent ? 'gen_ai.output.messages' : 'gen_ai.completion';
    if (event.name !== detailsEvent && event.name !== 'gen_ai.content.completion') continue;
    const completion = findValue(event.attributes, name);
    const output = completion === undefined ? undefined : payload(completion, span);
    if (output !== undefined) {
      span.readEvent(event);
      return output;
    }
  }
  return messageList(span, /^gen_ai\.choice()$/);
};

/**
 * Messages with the system instructions before them, as a message of the role `system`. Instructions alone make an input of
 * themselves.
 */
export function withInstructions(
  messages: Present | undefined,
  instructions: Present | undefined,
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

/** One JSON object a matching event, the role first. */
function messageList(span: SpanView, names: RegExp): string | undefined {
  const messages: string[] = [];
  for (const event of eventsOf(span)) {
    const match = names.exec(event.name);
    if (match === null || messages.length >= mostMessages) continue;
    span.readEvent(event);
    messages.push(messageJson(event.attributes, match[1] ?? '', span));
  }
  return messages.length === 0 ? undefined : `[${messages.join(',')}]`;
}

function messageJson(attributes: Attributes, role: string, span: SpanView): string {
  const whole = findValue(attributes, 'gen_ai.event.content');
  if (typeof whole === 'string' && typeof parseJson(whole) === 'object') return whole;
  const members: string[] = [];
  const said = findValue(attributes, 'role');
  const speaker = typeof said === 'string' && said !== '' ? said : role;
  if (speaker !== '') members.push(`"role":${JSON.stringify(speaker)}`);
  for (const { key, value } of attributes) {
    const text = value === null || repeated.has(key.name) ? undefined : payload(value, span);
    if (text !== undefined) members.push(key.json + text);
  }
  return `{${members.join(',')}}`;
}
