/** A piece of a message. */
export type Part =
  | { kind: 'text'; text: string }
  | { kind: 'reasoning'; text: string }
  | {
      kind: 'tool-call';
      id: string | null;
      name: string;
      arguments: unknown;
      result: unknown;
      answered: boolean;
      /** Which call of the conversation it is, from 0. */
      place: number;
    }
  | { kind: 'tool-result'; id: string | null; name: string | null; result: unknown }
  | { kind: 'media'; label: string }
  | { kind: 'other'; value: unknown };

export interface Message {
  role: string;
  /** Of the participant or the tool, where it has one. */
  name: string | null;
  parts: Part[];
}

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (...values: unknown[]): string | null =>
  (values.find((value) => typeof value === 'string' && value !== '') as string) ?? null;
const typeOf = ({ type }: Fields): string => (typeof type === 'string' ? type : '');

/**
 * A conversation out of what an application sent: OpenAI and Anthropic messages, the Vercel AI SDK's, OpenTelemetry's `parts`, a completion
 * with `choices`, the items of OpenAI's Responses, calls of tools alone, or any of these as JSON text. Results of tools stand with their
 * calls: by the call's id, and one without an id with the first call of its name before it that has none either.
 *
 * @returns null for what is no conversation
 */
export function readMessages(value: unknown): Message[] | null {
  const list = messageList(parsed(value), 0);
  return list === null || list.length === 0 ? null : pairTools(list.map(readMessage));
}

/** What JSON text says; any other value as it is. */
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
  // What the Vercel AI SDK answers with when it calls tools.
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

/** A call of a tool that stands in no message: the Vercel AI SDK's. */
function isBareCall(value: unknown): value is Fields {
  return isFields(value) && typeof value['toolName'] === 'string' && 'toolCallId' in value;
}

/** What OpenAI's Responses have beside messages. */
function isItem(value: unknown): value is Fields {
  return isFields(value) && /^(?:function_call|function_call_output|reasoning)$/.test(typeOf(value));
}

function readMessage(message: Fields): Message {
  if (isItem(message) && typeof message['role'] !== 'string') {
    return { role: message['type'] === 'function_call_output' ? 'tool' : 'assistant', name: null, parts: readPart(message) };
  }
  const role = String(message['role']);
  const id = textOf(message['tool_call_id'], message['toolCallId']);
  const name = textOf(message['name'], message['tool_name']);
  const content = message['parts'] ?? message['content'];
  const parts: Part[] = [];
  const thought = textOf(message['reasoning_content'], message['reasoning']);
  if (thought !== null) parts.push({ kind: 'reasoning', text: thought });
  if (role === 'tool' && !Array.isArray(content)) parts.push({ kind: 'tool-result', id, name, result: parsed(content) });
  else for (const part of Array.isArray(content) ? content : [content]) parts.push(...readPart(part));
  if (Array.isArray(message['tool_calls'])) for (const call of message['tool_calls']) parts.push(readToolCall(call));
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

/** What OpenAI tells of its models' thoughts. */
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

/** Numbers the calls and puts each result with the one that it answers; a message that held nothing else goes. */
function pairTools(messages: Message[]): Message[] {
  const calls = messages.flatMap(({ parts }) => parts).filter((part) => part.kind === 'tool-call');
  for (const [place, call] of calls.entries()) call.place = place;
  const byId = new Map(calls.filter(({ id }) => id !== null).map((call) => [call.id, call]));
  const open = new OpenCalls();
  const answers = (part: Part): boolean => {
    if (part.kind === 'tool-call' && part.id === null) open.add(part);
    if (part.kind !== 'tool-result') return false;
    const call = part.id === null ? open.take(part.name) : byId.get(part.id);
    if (!call || call.answered) return false;
    Object.assign(call, { result: part.result, answered: true });
    return true;
  };
  return messages
    .map((message) => ({ ...message, held: message.parts.length, parts: message.parts.filter((part) => !answers(part)) }))
    .filter(({ parts, held }) => parts.length > 0 || held === 0)
    .map(({ role, name, parts }) => ({ role, name, parts }));
}

type Call = Extract<Part, { kind: 'tool-call' }>;

/** Calls without an id that wait for their results. */
class OpenCalls {
  /** By name, and under null all of them; those before `next` are answered. */
  readonly #queues = new Map<string | null, { calls: Call[]; next: number }>();

  add(call: Call): void {
    for (const name of [call.name, null]) {
      const queue = this.#queues.get(name);
      if (queue) queue.calls.push(call);
      else this.#queues.set(name, { calls: [call], next: 0 });
    }
  }

  /** The first that waits, of a name unless it is null. */
  take(name: string | null): Call | undefined {
    const queue = this.#queues.get(name);
    if (!queue) return undefined;
    while (queue.calls[queue.next]?.answered) queue.next += 1;
    return queue.calls[queue.next];
  }
}
