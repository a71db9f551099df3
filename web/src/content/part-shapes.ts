import { isFields, typeOf } from './message-shapes.ts';
import type { Fields } from './message-shapes.ts';

/** Types of content blocks that are no messages. */
const blockTypes =
  /^(?:text|input_text|output_text|refusal|thinking|redacted_thinking|tool_use|server_tool_use|tool_result|image|image_url|input_image|input_audio|document|tool-call|tool-result)$/;

/** Members that determine the type of a block in messages of Bedrock, Gemini and Genkit; their values are objects. */
const members = [
  'toolUse',
  'toolResult',
  'reasoningContent',
  'functionCall',
  'function_call',
  'functionResponse',
  'function_response',
  'inlineData',
  'inline_data',
  'fileData',
  'file_data',
  'toolRequest',
  'toolResponse',
  'media',
];

/** A block of content outside of a message, such as Anthropic's. */
export function isBlock(value: unknown): value is Fields {
  if (!isFields(value) || typeof value['role'] === 'string') return false;
  if (blockTypes.test(typeOf(value))) return true;
  if (typeof value['text'] === 'string' && Object.keys(value).length === 1) return true;
  return members.some((name) => isFields(value[name]));
}

/** The object in the first of the named members that holds one; null if none does. */
export function memberOf(part: Fields, ...names: readonly string[]): Fields | null {
  for (const name of names) {
    const found = part[name];
    if (isFields(found)) return found;
  }
  return null;
}

/** Whether a block is the result of a tool. */
export function isResult(part: unknown): boolean {
  if (!isFields(part)) return false;
  if (/^(?:tool[-_](?:result|call_response)|function_call_output)$/.test(typeOf(part))) return true;
  return memberOf(part, 'toolResult', 'functionResponse', 'function_response', 'toolResponse') !== null;
}
