import type { PromptType } from '../../api/parts.ts';
import type { PromptBody, PromptVersion } from '../../api/service.ts';
import { jsonText } from '../../content/json-text.ts';
import { messagesJson, promptMessages } from '../../content/prompt-messages.ts';
import type { PromptMessage } from '../../content/prompt-messages.ts';

/** A message that is being edited. */
export interface DraftMessage extends PromptMessage {
  /** React key, stable when the message moves. */
  key: number;
}

/** A version that is being edited. */
export interface Draft {
  name: string;
  folder: string;
  type: PromptType;
  /** Text of a text prompt. */
  text: string;
  /** Messages of a chat prompt. */
  messages: readonly DraftMessage[];
  /** JSON of a chat prompt, if it is edited as JSON. */
  json: string | null;
  /** JSON text. */
  config: string;
  commitMessage: string;
}

let lastKey = 0;

/** A message with a new key. */
export function draftMessage(role: string, content = '', rest: PromptMessage['rest'] = {}): DraftMessage {
  lastKey += 1;
  return { key: lastKey, role, content, rest };
}

const maxEditors = 50;

/** An empty draft of a new prompt. */
export function emptyDraft(name: string, folder: string): Draft {
  return { name, folder, type: 'text', text: '', messages: [], json: null, config: '{}', commitMessage: '' };
}

/** A draft based on an existing version. A chat of more than 50 messages is edited as JSON. */
export function draftOf(version: PromptVersion): Draft {
  const messages = version.type === 'chat' ? promptMessages(version.prompt) : [];
  const asJson = version.type === 'chat' && (messages === null || messages.length > maxEditors);
  return {
    ...emptyDraft(version.name, ''),
    type: version.type,
    text: version.type === 'text' ? version.prompt : '',
    messages: asJson ? [] : (messages ?? []).map(({ role, content, rest }) => draftMessage(role, content, rest)),
    json: asJson ? indented(version.prompt) : null,
    config: jsonText(version.config),
  };
}

function indented(json: string): string {
  try {
    return jsonText(JSON.parse(json));
  } catch {
    return json;
  }
}

/** Converts a draft to another type and keeps the content as far as possible. */
export function withType(draft: Draft, type: PromptType): Draft {
  if (type === draft.type) return draft;
  if (type === 'chat') {
    const kept = draft.messages.length > 0 || draft.json !== null;
    return { ...draft, type, messages: kept ? draft.messages : [draftMessage('system', draft.text), draftMessage('user')] };
  }
  const messages = draft.json === null ? draft.messages : (promptMessages(draft.json) ?? []);
  return { ...draft, type, text: draft.text === '' ? messages.map(({ content }) => content).join('\n\n') : draft.text };
}

/** Converts a chat draft to JSON or back; null if the JSON is not a list of messages. */
export function withJson(draft: Draft, asJson: boolean): Draft | null {
  if (asJson) return { ...draft, json: indented(messagesJson(draft.messages)) };
  const messages = promptMessages(draft.json ?? '');
  if (messages === null) return null;
  return { ...draft, json: null, messages: messages.map(({ role, content, rest }) => draftMessage(role, content, rest)) };
}

/** The prompt of a draft, as sent to the service. */
export function promptOf(draft: Draft): string {
  return draft.type === 'text' ? draft.text : (draft.json ?? messagesJson(draft.messages));
}

/** The request body of a draft, or the error if the configuration is not a JSON object. */
export function bodyOf(draft: Draft, isNew: boolean): { body: Omit<PromptBody, 'projectId'> } | { configError: string } {
  let config: unknown;
  try {
    config = draft.config.trim() === '' ? {} : JSON.parse(draft.config);
  } catch (error) {
    return { configError: `Invalid JSON: ${error instanceof Error ? error.message : 'syntax error'}.` };
  }
  if (typeof config !== 'object' || config === null || Array.isArray(config))
    return { configError: 'Must be a JSON object, such as {"temperature": 0.2}.' };
  return {
    body: {
      name: draft.name,
      type: draft.type,
      prompt: promptOf(draft),
      config: config as Record<string, unknown>,
      commitMessage: draft.commitMessage.trim(),
      // Omitted for a new version: the folder stays unchanged.
      ...(isNew && draft.folder.trim() !== '' ? { folder: draft.folder.trim() } : {}),
    },
  };
}
