import { parsed } from './message-list.ts';
import { isFields, textOf, typeOf } from './message-shapes.ts';
import type { Fields } from './message-shapes.ts';
import type { Part } from './message.ts';
import { isResult, memberOf } from './part-shapes.ts';
import { readMedia } from './read-media.ts';

/** Reads one part of a message's content; several parts for a call with its result, none for an empty one. */
export function readPart(part: unknown): Part[] {
  if (part === null || part === undefined || part === '') return [];
  if (typeof part === 'string') return [{ kind: 'text', text: part }];
  if (!isFields(part)) return [{ kind: 'other', value: part }];
  const special = reasoningOf(part) ?? toolOf(part) ?? readMedia(part);
  if (special !== null) return Array.isArray(special) ? special : [special];
  const { text: own } = part;
  const text = textOf(own, part['content'], part['refusal'], isFields(own) ? own['value'] : null);
  if (text === null && (own === '' || (typeOf(part) === 'text' && part['content'] === ''))) return [];
  return text === null ? [{ kind: 'other', value: part }] : [{ kind: 'text', text }];
}

function reasoningOf(part: Fields): Part | null {
  const bedrock = memberOf(part, 'reasoningContent');
  if (bedrock !== null) {
    const text = textOf(memberOf(bedrock, 'reasoningText')?.['text'], bedrock['text']);
    return text === null ? null : { kind: 'reasoning', text };
  }
  const type = typeOf(part);
  if (/^(?:reasoning|thinking)/.test(type))
    return {
      kind: 'reasoning',
      text: textOf(part['content'], part['text'], part['thinking'], part['reasoning']) ?? summaryOf(part),
    };
  // Gemini and Genkit.
  if (part['thought'] === true && typeof part['text'] === 'string') return { kind: 'reasoning', text: part['text'] };
  const genkit = type === '' && !('text' in part) ? textOf(part['reasoning']) : null;
  return genkit === null ? null : { kind: 'reasoning', text: genkit };
}

/** The reasoning summary of an OpenAI Responses item. */
function summaryOf({ summary }: Fields): string {
  const parts = Array.isArray(summary) ? summary.filter(isFields) : [];
  return parts.map((part) => textOf(part['text']) ?? '').join('\n\n');
}

function toolOf(part: Fields): Part | Part[] | null {
  const type = typeOf(part);
  const call = memberOf(part, 'toolUse', 'functionCall', 'function_call', 'toolRequest');
  if (call !== null && typeof part['role'] !== 'string') return readToolCall(call);
  if (/^(?:tool[-_]?(?:call|use)|function_call|server_tool_use)$/.test(type)) return readToolCall(part);
  if (isResult(part))
    return resultOf(memberOf(part, 'toolResult', 'functionResponse', 'function_response', 'toolResponse') ?? part);
  // A part of the Vercel AI SDK's messages in the browser: a call with its result.
  if (!/^(?:tool-|dynamic-tool)/.test(type) || typeof part['toolCallId'] !== 'string') return null;
  const made = readToolCall({ toolName: type.replace(/^tool-/, ''), ...part });
  return part['output'] === undefined ? made : [made, resultOf({ toolCallId: part['toolCallId'], output: part['output'] })];
}

function resultOf(part: Fields): Part {
  const result = part['result'] ?? part['response'] ?? part['output'] ?? part['content'];
  const id = textOf(
    part['call_id'],
    part['id'],
    part['tool_use_id'],
    part['tool_call_id'],
    part['toolCallId'],
    part['toolUseId'],
    part['ref'],
  );
  return { kind: 'tool-result', id, name: textOf(part['name'], part['toolName']), result: parsed(result) };
}

/** Reads a tool call of any shape. */
export function readToolCall(call: unknown): Part {
  if (!isFields(call)) return { kind: 'other', value: call };
  const { function: inner } = call as { function?: unknown };
  const fields = isFields(inner) ? inner : call;
  return {
    kind: 'tool-call',
    id: textOf(call['call_id'], call['id'], call['toolCallId'], call['tool_call_id'], call['toolUseId'], call['ref']),
    name: textOf(fields['name'], fields['toolName'], call['tool_name']) ?? 'tool',
    arguments: parsed(fields['arguments'] ?? fields['args'] ?? fields['input']),
    result: undefined,
    answered: false,
    place: 0,
  };
}
