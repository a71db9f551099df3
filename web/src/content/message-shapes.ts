/** The members of a JSON object. */
export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The first non-empty string; null if there is none. */
export const textOf = (...values: unknown[]): string | null =>
  (values.find((value) => typeof value === 'string' && value !== '') as string) ?? null;

export const typeOf = ({ type }: Fields): string => (typeof type === 'string' ? type : '');

/** A message, or an item that stands beside messages. */
export function isEntry(value: unknown): value is Fields {
  return isMessage(value) || isItem(value) || isLangChain(value) || isContent(value);
}

function isMessage(value: unknown): value is Fields {
  return (
    isFields(value) && typeof value['role'] === 'string' && ('content' in value || 'parts' in value || 'tool_calls' in value)
  );
}

/** An item of OpenAI Responses that is not a message. */
export function isItem(value: unknown): value is Fields {
  return (
    isFields(value) &&
    /^(?:function_call|function_call_output|reasoning)$/.test(typeOf(value)) &&
    typeof value['role'] !== 'string'
  );
}

const messageClass = /^(?:Human|AI|System|Tool|Function|Chat|Developer)Message(?:Chunk)?$/;

/** A serialized message of LangChain: `lc`, or the older form with `type` and `data`. */
export function isLangChain(value: unknown): value is Fields {
  if (!isFields(value)) return false;
  if ('lc' in value && isFields(value['kwargs']) && Array.isArray(value['id'])) {
    const name: unknown = (value['id'] as unknown[]).at(-1);
    return typeof name === 'string' && messageClass.test(name);
  }
  if (typeof value['role'] === 'string' || !/^(?:human|ai|system|tool)$/.test(typeOf(value))) return false;
  return 'content' in value || (isFields(value['data']) && 'content' in value['data']);
}

/** Gemini's content without a role. */
function isContent(value: unknown): value is Fields {
  if (!isFields(value) || 'role' in value || !Array.isArray(value['parts']) || value['parts'].length === 0) return false;
  return (value['parts'] as unknown[]).every((part) => isFields(part) && typeof part['text'] === 'string');
}

/** A tool call outside of a message, of the Vercel AI SDK or OpenAI. */
export function isToolCall(value: unknown): value is Fields {
  if (!isFields(value)) return false;
  if (typeof value['toolName'] === 'string' && 'toolCallId' in value) return true;
  const { function: called } = value as { function?: unknown };
  return isFields(called) && typeof called['name'] === 'string' && 'arguments' in called && typeof value['role'] !== 'string';
}
