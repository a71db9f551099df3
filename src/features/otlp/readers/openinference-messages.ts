import { isRecord } from '../../../platform/json/index.ts';
import { jsonText, parseJson } from './parse-json.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Messages of OpenInference in the shape of OpenAI's: the `contents` of a message become its `content`, a list of texts, images and thoughts, and the
 * result of a function that AutoGen sends beside the message becomes a message of a tool. Other messages are returned unchanged.
 *
 * @param json a JSON array
 */
export function plainMessages(json: string): string {
  if (!json.includes('"contents"') && !json.includes('"function":[')) return json;
  const messages = parseJson(json);
  if (!Array.isArray(messages)) return json;
  return jsonText(messages.flatMap((message: unknown) => (isRecord(message) ? plainMessage(message) : [message]))) ?? json;
}

function plainMessage(sent: Fields): unknown[] {
  const { function: results, message: inner, ...others } = sent;
  const message: Fields = isRecord(inner)
    ? { ...others, ...inner }
    : { ...others, ...(inner === undefined ? {} : { message: inner }) };
  if (Array.isArray(results)) return (results as unknown[]).map((result) => toolMessage(result));
  if (!Array.isArray(message['contents'])) return [results === undefined ? message : { ...message, function: results }];
  const { contents, content, ...rest } = message;
  const calls = 'tool_calls' in rest;
  const parts = (contents as unknown[]).filter(isRecord).flatMap((item) => partOf(item, calls));
  const texts = content === undefined || content === '' ? [] : [{ type: 'text', text: content }];
  if (parts.length === 0) return [{ ...rest, content: content ?? null }];
  return [{ ...rest, content: parts.some(({ type }) => type === 'text') ? parts : [...texts, ...parts] }];
}

/** The result of a function: `{"name", "content", "call_id"}`. */
function toolMessage(value: unknown): unknown {
  const result = typeof value === 'string' ? parseJson(value) : value;
  if (!isRecord(result)) return { role: 'tool', content: value };
  const { call_id: id, name, content } = result;
  return { role: 'tool', ...(name === undefined ? {} : { name }), ...(id === undefined ? {} : { tool_call_id: id }), content };
}

/** @param withCalls whether the message has its tool calls apart, which are then left out of its contents */
function partOf(item: Fields, withCalls: boolean): Array<Fields & { type: string }> {
  const { message_content: inner, tool_call: call, ...others } = item;
  const part = isRecord(inner) ? { ...others, ...inner } : others;
  const type = typeof part['type'] === 'string' ? part['type'] : 'text';
  if (type === 'tool_use' || call !== undefined) {
    if (withCalls || !isRecord(call)) return withCalls ? [] : [{ ...part, type }];
    const called = isRecord(call['function']) ? call['function'] : {};
    const input =
      typeof called['arguments'] === 'string' ? (parseJson(called['arguments']) ?? called['arguments']) : called['arguments'];
    return [{ type: 'tool_use', id: call['id'], name: called['name'], input }];
  }
  const { image, ...rest } = part;
  const url = isRecord(image) ? (isRecord(image['image']) ? image['image']['url'] : image['url']) : undefined;
  if (url !== undefined) return [{ type: 'image_url', image_url: { url } }];
  return [{ ...rest, ...(image === undefined ? {} : { image }), type }];
}
